/// The result of a join.
public struct JoinResult: Sendable {
    /// The new atoms, to be stored.
    public var atoms: [KeyedAtom] = []
    /// The keys that may show something else now. After rules of another version came in, any key may.
    public var changed: [AtomKey] = []
    /// Progress that a reset, a restore or an undo hides, although its writer had not known of the progress.
    public var overridden: [KeyedAtom] = []
    /// The elements of a set that one device added, while another one concurrently added and removed them. They are
    /// gone, because the causal length of the removal is larger.
    var outrun: [AtomKey] = []
    /// Rules that are not in force after the join, although they were before it or came with it.
    var lostRules: Atom?
    /// Whether the caller needs ``changed``; without it the list stays empty.
    var isKept = true

    /// Makes a result for a join that has not begun.
    public init() {}

    init(isKept: Bool) { self.isKept = isKept }

    mutating func reserve(_ count: Int) {
        atoms.reserveCapacity(count)
        changed.reserveCapacity(count)
    }
}
