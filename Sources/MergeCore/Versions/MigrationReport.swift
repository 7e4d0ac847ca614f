public import LosslessJSON

/// A report on what a migration did, or would do, and on the values it touched.
public struct MigrationReport: Hashable, Sendable {
    /// The outcome of one step.
    public enum Outcome: Hashable, Sendable {
        /// The step changed this many places; 0 where there was nothing to do.
        case done(Int)
        /// The step could not be done, and why, in one sentence.
        case failed(String)
    }

    /// One step and its outcome.
    public struct Step: Hashable, Sendable {
        /// The version the step begins with; `nil` for the legacy steps.
        public let from: String?
        /// The version it leads to.
        public let to: String
        /// The step itself.
        public let step: MigrationStep
        /// How many places the step changed, or why it could not be done.
        public let outcome: Outcome
    }

    /// A place, and the value that was put there or found there.
    public struct Value: Hashable, Sendable {
        /// The place, under its name at the time of that step.
        public let place: JSONPointer
        /// The value as JSON, with all that is in it.
        public let value: JSONValue
    }

    /// The version that the save states; `nil` where it states none.
    public let from: String?
    /// The wanted version.
    public let to: String
    /// The steps in the order they were taken, up to the first that failed.
    public internal(set) var steps: [Step] = []
    /// Members of the outermost object that are the same, byte for byte, as before. Empty after an error.
    public internal(set) var kept: [JSONPointer] = []
    /// Values that were missing and were filled in.
    public internal(set) var defaulted: [Value] = []
    /// Values that the save held before and does not hold any more.
    public internal(set) var dropped: [Value] = []
    /// Values that a `map` step does not list; they stay as they are.
    public internal(set) var unmapped: [Value] = []
    /// Values that their rule could not read before either; they stay as they are.
    public internal(set) var unreadable: [Value] = []
    /// The reasons why there is no new document, one sentence each. Empty where all went well.
    public internal(set) var errors: [String] = []
    /// The size of the save before, in bytes.
    public let sizeBefore: Int
    /// The size of the save after, in bytes; the same as before where there is no new document.
    public internal(set) var sizeAfter: Int
    /// The time that the migration took. It is filled in by the caller, since this module has no clock.
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
    /// The report on what was done.
    public var report: MigrationReport
}
