import Libc
import ProfileKeeping

/// The processes of this user: which program each runs, since when, and which files it has open.
package enum UserProcesses {
    /// The number of words of a command line that are read.
    package static let wordLimit = 24

    /// The real paths of some folders, each with the names by which it is known here. A folder that is not there is left
    /// out.
    static func byRealPath(_ folders: Set<String>) -> [String: [String]] {
        var names: [String: [String]] = [:]
        for folder in folders.sorted() {
            guard let real = realpath(folder, nil) else { continue }
            names[String(cString: real), default: []].append(folder)
            free(real)
        }
        return names
    }

    /// The program of a process, by its executable and command line; `nil` if an interpreter runs code that has no
    /// name.
    ///
    /// - Parameter folder: The working folder of the process, for relative paths.
    static func program(executable: String, words: [String], folder: @autoclosure () -> String?) -> Program? {
        guard Program.isInterpreter(executable) else { return Program(executable: executable) }
        guard let script = script(of: executable, words) else { return nil }
        if script.hasPrefix("/") || script.contains(":\\") || script.contains(":/") {
            return Program(executable: executable, script: script)
        }
        guard let folder = folder() else { return nil }
        return Program(executable: executable, script: folder + "/" + script)
    }

    /// The names under which people know what a process runs: that of its executable, the one it was called by, and of an
    /// interpreter those of its first arguments as well: which of them is the script depends on its options. No other word
    /// of a command line counts: what `tail -f` reads, and what `grep` looks for, does not run.
    package static func names(executable: String?, words: [String]) -> Set<String> {
        let called = words.first
        var paths = [executable, called]
        if let program = executable ?? called, Program.isInterpreter(program), !isOtherTool(program, words) {
            paths.append(script(of: program, words))
            let arguments = words.dropFirst().prefix(argumentLimit)
            paths += arguments.filter { !$0.hasPrefix("-") && !arguments.contains("-c") }.map(Optional.some)
        }
        return Set(paths.compactMap { $0.map(Program.baseName) })
    }

    /// The number of arguments of an interpreter among which its script is looked for by name.
    private static let argumentLimit = 3

    /// Whether an executable with the names of many tools runs as one of the others: only as a shell does it run a file.
    private static func isOtherTool(_ executable: String, _ words: [String]) -> Bool {
        guard Program.baseName(executable) == "busybox", let called = words.first.map(Program.baseName) else {
            return false
        }
        return !["sh", "ash", "-sh", "-ash", "busybox"].contains(called)
    }

    /// The program that an interpreter was told to run. Wine shows the Windows program in place of its own name; for
    /// Java the main class takes the place of a file.
    private static func script(of executable: String, _ words: [String]) -> String? {
        if isOtherTool(executable, words) { return nil }
        if let windows = words.first(where: { $0.lowercased().hasSuffix(".exe") }) { return windows }
        // Options of Java and Python that take the next word as a value, or that run something other than a file.
        let withValue: Set<String> = [
            "-cp", "-classpath", "--class-path", "-p", "--module-path", "--add-modules", "-W", "-X",
        ]
        let notAFile: Set<String> = ["-c", "-e", "--eval", "-s", "-i"]
        var rest = words.dropFirst()
        while let word = rest.first {
            rest = rest.dropFirst()
            if notAFile.contains(word) { return nil }
            if word == "-m" || word == "-jar" || word == "--" { return rest.first }
            if withValue.contains(word) {
                rest = rest.dropFirst()
            } else if !word.hasPrefix("-"), !word.isEmpty {
                return word
            }
        }
        return nil
    }
}
