import LosslessJSON

/// The reason why a step could not be done, in one sentence.
struct MigrationFault: Error {
    let message: String

    init(_ message: String) { self.message = message }

    init(_ error: JSONPatchError) { message = "the save cannot take it: \(error.message)" }

    init(_ error: JSONSyntaxError) { message = "the save would be no JSON after it: \(error.message)" }
}

/// A trace of what one step did on the way forward. With it, the inverse leaves alone what the step did not make.
struct StepTrace {
    let step: MigrationStep
    let from: String?
    let to: String
    var changed = 0
    /// Members that the step added where there was none.
    var added: [JSONPointer] = []
    /// Objects that the step made on the way to those members, the outermost first.
    var made: [JSONPointer] = []
    /// Places that look like the step's work but were there before.
    var foreign: Set<JSONPointer> = []
    /// Whether a `compensate` step applied and gave its grant.
    var granted = false
}

/// A copy of a save on which steps are taken. Every step works on the text that the step before it left.
struct StepRun {
    var document: JSONDocument
    var report: MigrationReport
    var trace: StepTrace
    private(set) var traces: [StepTrace] = []

    /// Most places that one step may have.
    static let placeLimit = 500_000
    /// Most values of ``MigrationReport/unmapped``.
    static let listLimit = 1_000

    init(_ document: JSONDocument, _ report: MigrationReport) {
        self.document = document
        self.report = report
        trace = StepTrace(step: .remove(RulePattern(steps: [])), from: nil, to: "")
    }

    /// Takes the steps of migrations, in order. Stops and returns false after the first step that fails.
    mutating func take(_ migrations: [Migration]) -> Bool {
        for migration in migrations {
            for step in migration.steps {
                trace = StepTrace(step: step, from: migration.from, to: migration.to)
                guard note(step, { run throws(MigrationFault) in run.trace.changed = try run.forward(step) }) else {
                    return false
                }
                traces.append(trace)
            }
        }
        return true
    }

    /// Takes steps back, the last one first. Without traces, every match counts as the step's work.
    mutating func takeBack(_ migrations: [Migration], _ traces: [StepTrace]?) -> Bool {
        var rest = traces.map { $0[...] }
        for migration in migrations.reversed() {
            for step in migration.steps.reversed() {
                let known = rest?.popLast()
                trace = known ?? StepTrace(step: step, from: migration.from, to: migration.to)
                let done = note(step) { run throws(MigrationFault) in
                    run.trace.changed = try run.backward(step, known)
                }
                guard done else { return false }
            }
        }
        return true
    }

    private mutating func note(
        _ step: MigrationStep,
        _ body: (inout StepRun) throws(MigrationFault) -> Void
    ) -> Bool {
        func entry(_ outcome: MigrationReport.Outcome) -> MigrationReport.Step {
            .init(from: trace.from, to: trace.to, step: step, outcome: outcome)
        }
        do throws(MigrationFault) {
            try body(&self)
            report.steps.append(entry(.done(trace.changed)))
            return true
        } catch {
            report.steps.append(entry(.failed(error.message)))
            report.errors.append("\(step.name(from: trace.from, to: trace.to)): \(error.message)")
            return false
        }
    }

    // MARK: Changing the text

    /// Applies edits to the text; `growth` is the most bytes that they add.
    mutating func patch(_ edits: [JSONEdit], growth: Int = 0) throws(MigrationFault) {
        guard !edits.isEmpty else { return }
        try checkSize(growth)
        let bytes: [UInt8]
        do { bytes = try document.patched(edits) } catch { throw MigrationFault(error) }
        try take(bytes)
    }

    /// Replaces ranges of the text by other texts; `pieces` are in the order of the text and do not overlap.
    mutating func replace(_ pieces: [(range: Range<Int>, text: [UInt8])]) throws(MigrationFault) {
        guard !pieces.isEmpty else { return }
        var bytes: [UInt8] = []
        var position = 0
        for piece in pieces {
            bytes += document.bytes[position..<piece.range.lowerBound]
            bytes += piece.text
            position = piece.range.upperBound
            guard bytes.count <= JSONLimits.standard.bytes else { throw Self.tooLarge }
        }
        bytes += document.bytes[position...]
        try take(bytes)
    }

    func checkSize(_ growth: Int) throws(MigrationFault) {
        guard growth <= JSONLimits.standard.bytes - min(document.bytes.count, JSONLimits.standard.bytes) else {
            throw Self.tooLarge
        }
    }

    private static let tooLarge = MigrationFault("the save would have more than \(JSONLimits.standard.bytes) bytes")

    private mutating func take(_ bytes: [UInt8]) throws(MigrationFault) {
        do { document = try JSONDocument(parsing: bytes) } catch { throw MigrationFault(error) }
    }

    /// The places of a pattern, at most ``placeLimit``.
    func places(_ pattern: RulePattern) throws(MigrationFault) -> [StepPlace] {
        let places = pattern.places(in: document)
        guard places.count <= Self.placeLimit else {
            throw MigrationFault("the path stands for more than \(Self.placeLimit) places")
        }
        return places
    }

    func node(_ pointer: JSONPointer) -> JSONNode? { document.node(at: pointer) }

    mutating func drop(_ pointer: JSONPointer, _ node: JSONNode) {
        report.dropped.append(.init(place: pointer, value: document.value(node)))
    }
}

extension MigrationStep {
    /// The name of the step for people, with the versions it leads from and to.
    func name(from: String?, to: String) -> String {
        "the step \"\(word) \(path)\" (\(from.map { "\($0) to \(to)" } ?? "legacy to \(to)"))"
    }
}
