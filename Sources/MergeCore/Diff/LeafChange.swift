public import LosslessJSON

/// What a game changed at one place, between an image it had read and the document it wrote.
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
        /// Something inside a keyed element changed, which keeps it alive against a concurrent removal. What its rule
        /// puts back is no such change.
        case elementTouched(key: JSONValue)
        /// A container is gone, with all that the changes after it say of what was in it.
        case containerVanished
        /// The elements of a ``MergeRule/Merge/union`` or ``MergeRule/Merge/set`` array, or the keys of the elements of
        /// a keyed one, stand in another order, or new ones among them. Each comes once in either list.
        case order(before: [JSONValue], after: [JSONValue])
    }

    /// Where.
    public let path: DocumentPath
    /// The rule in force there.
    public let rule: MergeRule
    /// What happened.
    public let change: Change

    /// A change that the caller has worked out.
    ///
    /// - Parameters:
    ///   - path: Where.
    ///   - rule: The rule in force at `path`; see ``RuleSet/rule(for:)``.
    ///   - change: What happened.
    public init(path: DocumentPath, rule: MergeRule, change: Change) {
        self.path = path
        self.rule = rule
        self.change = change
    }
}

/// A value that its rule cannot read. It stays in the file, and is no operation.
public struct UnreadableLeaf: Hashable, Sendable, CustomStringConvertible {
    /// Where the value stands.
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
