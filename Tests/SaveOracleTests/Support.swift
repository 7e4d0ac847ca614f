import Libc

/// The built `hearth`, and how much of the oracle runs.
enum OracleRun {
    /// A number from the environment.
    static func number(_ name: String, default value: Int) -> Int {
        getenv(name).flatMap { Int(String(cString: $0)) } ?? value
    }

    static func text(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Where random cases begin: with another number other saves are tried.
    static let seed = UInt64(number("HEARTH_ORACLE_SEED", default: 1))
}
