public import LosslessJSON

/// One change by a game: the difference at one place between a snapshot that the game had read and the document it
/// wrote.
public struct LeafChange: Hashable, Sendable {
    /// The kinds of change.
    public enum Change: Hashable, Sendable {
        /// A value appeared, changed or vanished.
        case value(old: JSONValue?, new: JSONValue?)
        /// Elements of a ``MergeRule/Merge/union`` or ``MergeRule/Merge/set`` array came or went.
        case elements(added: [JSONValue], removed: [JSONValue])
        /// A keyed element appeared.
        case elementAppeared(key: JSONValue)
        /// A keyed element vanished.
        case elementVanished(key: JSONValue)
        /// Something inside a keyed element changed. That keeps the element alive against a concurrent removal. A
        /// change that the rule puts back does not count.
        case elementTouched(key: JSONValue)
        /// A container is gone. Its content follows in the changes after this one; for a set or a union, it is in the
        /// change right before.
        case containerVanished
        /// The elements of a ``MergeRule/Merge/union`` or ``MergeRule/Merge/set`` array, or the keys of the elements of
        /// a keyed array, are in another order, or new ones are among them. Each occurs once in either list.
        case order(before: [JSONValue], after: [JSONValue])
    }

    /// Where the change is.
    public let path: DocumentPath
    /// The rule in force there.
    public let rule: MergeRule
    /// What happened.
    public let change: Change

    /// A change that the caller has worked out.
    ///
    /// - Parameters:
    ///   - path: Where the change is.
    ///   - rule: The rule in force at `path`; see ``RuleSet/rule(for:)``.
    ///   - change: What happened.
    public init(path: DocumentPath, rule: MergeRule, change: Change) {
        self.path = path
        self.rule = rule
        self.change = change
    }
}

/// A value that its rule cannot read. It stays in the file, and nothing is written for it.
public struct UnreadableLeaf: Hashable, Sendable, CustomStringConvertible {
    /// The place of the value.
    public let path: DocumentPath
    /// Why it cannot be read: a few words without a full stop.
    public let reason: String

    /// Names a place and the reason.
    public init(path: DocumentPath, reason: String) {
        self.path = path
        self.reason = reason
    }

    /// `PATH: reason`, for people.
    public var description: String { "\(path): \(reason)" }
}
