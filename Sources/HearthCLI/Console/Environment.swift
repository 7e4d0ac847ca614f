import Libc

/// The environment variables of this process.
enum Environment {
    /// All variables. Where a name occurs twice the first one counts, as for `getenv`.
    static var all: [String: String] {
        var result: [String: String] = [:]
        for entry in entries {
            guard let equals = entry.firstIndex(of: "=") else { continue }
            let name = String(entry[..<equals])
            if result[name] == nil { result[name] = String(entry[entry.index(after: equals)...]) }
        }
        return result
    }

    static subscript(name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// The variables as `NAME=value`, in the form in which a new process takes them.
    static var entries: [String] {
        #if canImport(Darwin)
            let start = _NSGetEnviron().pointee
        #else
            let start = environ
        #endif
        var result: [String] = []
        var next = start
        while let entry = next.pointee {
            result.append(String(cString: entry))
            next += 1
        }
        return result
    }
}
