import LosslessJSON
import MergeCore

/// One of an article's two machines: the file, what is known of the profile, and the snapshots the file went through.
///
/// A game reads the file when it starts, and every save of an article is one of a game started after the machines last
/// met.
struct ArticleMachine {
    private struct Snapshot {
        let document: JSONDocument
        let vector: VersionVector
    }

    private(set) var state = ProfileState()
    /// What the last save held that its rule could not read.
    private(set) var unreadable: [UnreadableLeaf] = []
    /// Whether the last save counted as a lost one.
    private(set) var isRegressed = false
    /// Progress that a reset put aside when the machines last met.
    private(set) var putAside: [DocumentPath] = []
    /// The last snapshot that the game wrote, then every later projection.
    private var snapshots: [Snapshot] = []
    private let replica: ReplicaID

    init(_ number: UInt64) { replica = ReplicaID(high: 0, low: number) }

    private func context(_ time: WallTime, _ base: VersionVector) -> WriteContext {
        WriteContext(replica: replica, now: time, fileTime: time, base: base)
    }

    var file: JSONValue? { snapshots.last.map { $0.document.value($0.document.root) } }

    // MARK: What happens on a machine

    mutating func takeRules(_ rules: RuleSet, at time: WallTime) {
        _ = state.changeRules(to: rules, document: nil, context(time, state.vector))
    }

    /// Hearth gets to know the save.
    mutating func adopt(_ document: JSONDocument, at time: WallTime) {
        let result = state.adopt(document, context(time, state.vector))
        unreadable = result.unreadable
        snapshots = [Snapshot(document: document, vector: state.vector)]
    }

    /// The machine has the same save as the one it has joined.
    mutating func have(_ document: JSONDocument) { snapshots = [Snapshot(document: document, vector: state.vector)] }

    /// The game writes its file, as an engine takes it up.
    mutating func save(_ document: JSONDocument, at time: WallTime) throws {
        let choice = BaseChoice(
            among: snapshots.map(\.document), for: document, rules: state.rules,
            sightings: .init(startedAfter: snapshots.count - 1))
        let context = context(time, snapshots[choice.base].vector)
        isRegressed =
            SaveMeaning(
                choice.diff, of: snapshots[choice.base].document, rules: state.rules, wasSpent: state.wasSpent
            ).isQuestion
        unreadable = choice.diff.unreadable
        if let last = snapshots.last, let asked = state.rules.resetAsked(by: document, since: last.document) {
            isRegressed = false
            _ = state.write(choice.diff.writes.filter { !asked.selector.covers($0.path) }, context)
            _ = try state.reset(asked.selector, scope: asked.scope, to: document, context)
        } else {
            let changes = isRegressed ? state.safeGains(of: choice.diff) : choice.settledChanges
            unreadable += state.write(changes, context).unreadable
            if let older = choice.purse?.older, !isRegressed {
                var olderContext = context
                olderContext.base = snapshots[older].vector
                _ = state.write(choice.choicesOfOlder, olderContext)
            }
        }
        var stands = snapshots[choice.base].vector
        if let own = state.vector.entries[replica] { stands.advance(replica, to: own) }
        snapshots = [Snapshot(document: document, vector: stands)]
    }

    mutating func reset(_ name: String, at time: WallTime) throws {
        guard let scope = state.rules.resets.first(where: { $0.name == name }) else {
            throw Article.Fault(description: "the rules have no reset \"\(name)\"")
        }
        _ = try state.reset(PathSelector(patterns: scope.patterns), scope: name, context(time, state.vector))
    }

    mutating func decide(_ path: DocumentPath, _ value: JSONValue, at time: WallTime) {
        _ = state.decide(path, value, context(time, state.vector))
    }

    // MARK: When machines meet

    /// Takes what the other one has and this one has not.
    mutating func hear(from other: ArticleMachine, at time: WallTime) {
        let joined = state.join(other.state.delta(beyond: state.vector), vector: other.state.vector)
        let (_, left) = state.carryOverBelowSteps(joined.overridden, context(time, state.vector))
        putAside += left.map(\.key.path)
    }

    mutating func forgetPutAside() { putAside = [] }

    /// Writes what is known into the file. Returns how many edits that took.
    @discardableResult
    mutating func project() throws -> Int {
        guard let last = snapshots.last else { return 0 }
        let edits = Projection(of: state, onto: last.document).edits
        guard !edits.isEmpty else { return 0 }
        let document = try JSONDocument(parsing: last.document.patched(edits))
        snapshots.append(Snapshot(document: document, vector: state.vector))
        return edits.count
    }
}
