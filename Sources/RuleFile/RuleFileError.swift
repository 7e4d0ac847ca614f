/// Why a rule file cannot be used, and the place in it.
///
/// A rule file with an error changes nothing: the rules in force stay.
public struct RuleFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, counted from 1.
    public let line: Int
    /// The column, counted from 1 in Unicode scalars; a byte order mark does not count.
    public let column: Int
    /// One sentence: what is wrong and what to do.
    public let message: String

    /// - Parameter message: What is wrong. It may quote the file: line ends and control characters become spaces, and
    ///   it is cut after 500 characters.
    public init(line: Int, column: Int, message: String) {
        self.line = line
        self.column = column
        self.message = Self.oneLine(message)
    }

    private static let messageLimit = 500

    private static func oneLine(_ message: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in message.unicodeScalars.prefix(messageLimit) {
            switch scalar.value {
            case ..<0x20, 0x7F...0x9F, 0x2028, 0x2029: result.append(" ")
            default: result.append(scalar)
            }
        }
        if message.unicodeScalars.count > messageLimit { result.append("…") }
        return String(result)
    }

    /// The error as `LINE:COLUMN: message`, the form in which compilers and editors write places.
    public var description: String { "\(line):\(column): \(message)" }
}
