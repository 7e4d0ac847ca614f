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

    /// The program, beside the tests.
    static let hearth: String? = {
        #if canImport(Darwin)
            guard let bundle = CommandLine.arguments.first(where: { $0.contains(".xctest") }),
                let end = bundle.range(of: ".xctest")?.lowerBound
            else { return nil }
            let folder = bundle[..<end].split(separator: "/").dropLast()
        #else
            var buffer = [CChar](repeating: 0, count: 4_096)
            let count = readlink("/proc/self/exe", &buffer, buffer.count)
            guard count > 0 else { return nil }
            let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let folder = path.split(separator: "/").dropLast()
        #endif
        let program = "/" + folder.joined(separator: "/") + "/hearth"
        return access(program, X_OK) == 0 ? program : nil
    }()
}
