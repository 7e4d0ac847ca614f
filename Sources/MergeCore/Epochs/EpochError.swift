/// The error for an epoch that cannot begin.
public struct EpochError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence: what is wrong and what to do.
    public let description: String

    /// An error with such a sentence.
    public init(_ description: String) { self.description = description }
}
