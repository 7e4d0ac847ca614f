import HouseholdAgent
import Libc

enum ExitCodes {
    static let failed = Int32(FailureCode.failed.rawValue)
    static let usage = Int32(FailureCode.usage.rawValue)

    /// Ends this process at once with the exit code of another program.
    static func end(with code: Int32) -> Never { exit(code) }
}
