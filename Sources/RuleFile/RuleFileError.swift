/// Why a rule file cannot be used, and where in it.
///
/// Nothing changes while a rule file has an error: the rules that were in force stay.
public struct RuleFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Line, from 1.
    public let line: Int
    /// Column, from 1, counted in Unicode scalars; a byte order mark counts as none.
    public let column: Int
    /// One sentence: what is wrong and what to do.
    public let message: String

    public init(line: Int, column: Int, message: String) {
        self.line = line
        self.column = column
        self.message = message
    }

    /// `LINE:COLUMN: message`, as compilers and editors write places.
    public var description: String { "\(line):\(column): \(message)" }
}
