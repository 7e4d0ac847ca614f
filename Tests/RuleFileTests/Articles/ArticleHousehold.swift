import LosslessJSON
import MergeCore
import RuleFile

/// The two machines of an example, and what an example says of them compared with what they do.
struct ArticleHousehold {
    private var a = ArticleMachine(1)
    private var b = ArticleMachine(2)
    private let example: ArticleExample
    private let rules: RuleSet?
    private let refusal: String?
    /// Wall clock, milliseconds since 1970: a minute a step.
    private var now: WallTime = 1_700_000_000_000
    /// Whether something was written since the machines last met.
    private var isApart = false
    private var lastWriter: ArticleExample.Side?
    /// Whether a result was compared.
    private(set) var hasChecked = false
    /// Where the example and the program differ.
    private(set) var faults: [String] = []

    init(_ example: ArticleExample) throws {
        self.example = example
        guard !example.isRefused else {
            (rules, refusal) = (nil, Self.refusal(of: example.rules))
            return
        }
        let rules = try RuleSet(yaml: example.rules)
        (self.rules, refusal) = (rules, nil)
        a.takeRules(rules, at: now)
        b.hear(from: a, at: now)
    }

    private static func refusal(of yaml: String) -> String? {
        do {
            _ = try RuleSet(yaml: yaml)
            return nil
        } catch {
            return error.description
        }
    }

    mutating func take(_ step: ArticleExample.Step) throws {
        now += .seconds(60)
        switch step {
        case .start(let side, let text): try start(side, text)
        case .save(let side, let text):
            let document = try Self.document(text)
            let time = now
            try change(side) { machine throws in try machine.save(document, at: time) }
        case .reset(let side, let scope):
            let time = now
            try change(side) { machine throws in try machine.reset(scope, at: time) }
        case .decide(let place, let text):
            let path = try Self.path(place)
            let document = try Self.document(text)
            let time = now
            try change(.a) { machine throws in machine.decide(path, document.value(document.root), at: time) }
        case .notRead(let place):
            expect(writer.unreadable.map(\.path.description).contains(place), "\(place) was read, or not looked at")
        case .noEdit: expect(writer.isRegressed, "the save counts as an edit")
        case .show(let side, let text): try show(side, text)
        case .putAside(let place):
            try meet()
            expect((a.putAside + b.putAside).map(\.description).contains(place), "\(place) is not put aside")
        case .open(let place):
            try meet()
            expect(a.state.openChoices.map(\.description) == [place], "\(place) alone is not open on A")
            expect(b.state.openChoices.map(\.description) == [place], "\(place) alone is not open on B")
        case .because(let message): expect(refusal == message, "the error is \(refusal ?? "none")")
        }
    }

    private var writer: ArticleMachine { lastWriter == .a ? a : b }

    private mutating func start(_ side: ArticleExample.Side?, _ text: String) throws {
        let document = try Self.document(text)
        switch side {
        case .a: a.adopt(document, at: now)
        case .b: b.adopt(document, at: now)
        case nil:
            a.adopt(document, at: now)
            b.hear(from: a, at: now)
            b.have(document)
            expect(a.unreadable.isEmpty, "a rule cannot read the start")
        }
        isApart = true
    }

    private mutating func change(
        _ side: ArticleExample.Side, _ body: (inout ArticleMachine) throws -> Void
    ) throws {
        switch side {
        case .a: try body(&a)
        case .b: try body(&b)
        }
        (isApart, lastWriter) = (true, side)
    }

    /// Both hear of everything and write it into their files.
    private mutating func meet() throws {
        guard isApart else { return }
        a.forgetPutAside()
        b.forgetPutAside()
        for _ in 0..<2 {
            b.hear(from: a, at: now)
            a.hear(from: b, at: now)
        }
        try a.project()
        try b.project()
        isApart = false
        expect(a.state.sortedAtoms == b.state.sortedAtoms, "the two do not know the same")
        expect(try a.project() == 0 && b.project() == 0, "a second projection changes something")
    }

    private mutating func show(_ side: ArticleExample.Side?, _ text: String) throws {
        try meet()
        let document = try Self.document(text)
        let value = document.value(document.root)
        func spelled(_ value: JSONValue?) -> String {
            value.map { String(decoding: $0.jsonBytes, as: UTF8.self) } ?? "nothing"
        }
        if side != .b { expect(a.file == value, "A shows \(spelled(a.file))") }
        if side != .a { expect(b.file == value, "B shows \(spelled(b.file))") }
        hasChecked = true
    }

    private mutating func expect(_ isSo: Bool, _ fault: String) {
        if case .because? = example.steps.first { hasChecked = true }
        if !isSo { faults.append(fault) }
    }

    private static func document(_ text: String) throws -> JSONDocument { try JSONDocument(parsing: Array(text.utf8)) }

    private static func path(_ pointer: String) throws -> DocumentPath {
        DocumentPath(try JSONPointer(parsing: pointer).tokens.map(PathStep.member))
    }
}
