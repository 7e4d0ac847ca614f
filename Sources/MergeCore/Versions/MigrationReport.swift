public import LosslessJSON

/// What a migration did, or would do, and what became of the values it touched.
public struct MigrationReport: Hashable, Sendable {
    /// What became of one step.
    public enum Outcome: Hashable, Sendable {
        /// It changed this many places; 0 where there was nothing to do.
        case done(Int)
        /// It could not be done, and why, in one sentence.
        case failed(String)
    }

    /// One step and its outcome.
    public struct Step: Hashable, Sendable {
        /// The version the step begins with; `nil` for the legacy steps.
        public let from: String?
        /// The version it leads to.
        public let to: String
        /// What was to do.
        public let step: MigrationStep
        /// What became of it.
        public let outcome: Outcome
    }

    /// A place and what was put or found there.
    public struct Value: Hashable, Sendable {
        /// The place, as it is called at that step.
        public let place: JSONPointer
        /// The value.
        public let value: JSONValue
    }

    /// The version the save says it has; `nil` where it says none.
    public let from: String?
    /// The version it was to have.
    public let to: String
    /// The steps in the order they were taken, up to the first that failed.
    public internal(set) var steps: [Step] = []
    /// Members of the outermost object that are the same, byte for byte, as before. Empty after an error.
    public internal(set) var kept: [JSONPointer] = []
    /// What was missing and was filled in.
    public internal(set) var defaulted: [Value] = []
    /// What the save held and holds no more.
    public internal(set) var dropped: [Value] = []
    /// Values that a `map` step does not list; they stay as they are.
    public internal(set) var unmapped: [Value] = []
    /// Values that their rule could not read before either; they stay as they are.
    public internal(set) var unreadable: [Value] = []
    /// Why there is no new document: one sentence each. Empty where all went well.
    public internal(set) var errors: [String] = []
    /// Bytes of the save before.
    public let sizeBefore: Int
    /// Bytes of the save after; the same as before where there is no new document.
    public internal(set) var sizeAfter: Int
    /// How long it took; whoever has a clock fills it in.
    public var duration: Duration?

    init(from: String?, to: String, size: Int) {
        self.from = from
        self.to = to
        (sizeBefore, sizeAfter) = (size, size)
    }
}

/// The outcome of a migration.
public struct MigrationResult: Hashable, Sendable {
    /// The new document, byte for byte; `nil` after an error and in a dry run.
    public let text: [UInt8]?
    /// What was done.
    public var report: MigrationReport
}
