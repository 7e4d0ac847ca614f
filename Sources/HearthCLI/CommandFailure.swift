import AgentRuntime
import HouseholdAgent

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
    /// Whether the result that was printed says it already. Then `--json` prints no error beside that result.
    var isReported = false

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

    /// Any error as a failure of the command.
    init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case is CancellationError: self.init("interrupted")
        default: self.init("\(error)", code: HomeClient.failureCode(of: error))
        }
    }

    var exitCode: Int32 { Int32(code.rawValue) }

    /// Says on standard error what is wrong and what to do.
    func print() {
        let what = PlainText.line(what)
        Console.note(place != nil ? what : "hearth: \(what)")
        if let remedy { Console.note("  \(PlainText.line(remedy))") }
    }

    /// The failure as one line of JSON; see ``ReplyJSON/error(code:message:hint:)``.
    ///
    /// - Parameter code: The exit code, where it is another one than that of the failure.
    func json(code: Int32? = nil) -> [UInt8] {
        ReplyJSON.error(
            code: code ?? exitCode, message: PlainText.line(what),
            hint: (remedy ?? AgentFailure(self.code, what).hint).map { PlainText.line($0) })
    }
}
