import HouseholdAgent
import Libc

enum ExitCodes {
    static let failed = Int32(FailureCode.failed.rawValue)
    static let usage = Int32(FailureCode.usage.rawValue)

    /// Ends this process at once with the exit code of another program.
    static func end(with code: Int32) -> Never { exit(code) }
}

/// Why the command failed.
struct CommandFailure: Error {
    var code: FailureCode
    /// One line: what is wrong, and where.
    var what: String
    /// One line: what to do.
    var remedy: String?
    /// The place in a file, where the message begins with `FILE:LINE:COL`. Then nothing is printed before it, because
    /// editors look for it at the start of the line.
    var place: (line: Int, column: Int)?

    init(_ what: String, _ remedy: String? = nil, code: FailureCode = .failed) {
        self.code = code
        self.what = what
        self.remedy = remedy
    }

    /// A failure at a place in a file: `FILE:LINE:COL: message`.
    init(file: String, line: Int, column: Int, _ message: String, _ remedy: String? = nil) {
        self.init("\(PlainText.line(file)):\(line):\(column): \(message)", remedy)
        place = (line, column)
    }

    var exitCode: Int32 { Int32(code.rawValue) }

    func print() {
        let what = PlainText.line(what)
        Console.note(place != nil ? what : "hearth: \(what)")
        if let remedy { Console.note("  \(PlainText.line(remedy))") }
    }
}
