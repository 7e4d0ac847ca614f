import Libc

/// Programs of the package that were built with the tests, and stand beside them.
package enum BuiltProgram {
    /// `hearth`; `nil` where it was not built.
    package static let hearth = path("hearth")

    /// The path of a program; `nil` where it was not built.
    package static func path(_ name: String) -> String? {
        guard let tests else { return nil }
        let path = tests.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/" + name
        return access(path, X_OK) == 0 ? path : nil
    }

    /// The path of the tests themselves: the bundle on macOS, the program elsewhere.
    private static var tests: String? {
        #if canImport(Darwin)
            return CommandLine.arguments.first { $0.contains(".xctest") }.map { path in
                let parts = path.split(separator: "/")
                let bundle = parts.firstIndex { $0.hasSuffix(".xctest") } ?? parts.endIndex - 1
                return parts[...bundle].map { "/" + $0 }.joined()
            }
        #else
            var buffer = [CChar](repeating: 0, count: 4_096)
            let count = readlink("/proc/self/exe", &buffer, buffer.count)
            guard count > 0 else { return nil }
            return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        #endif
    }
}
