import Libc
import LocalFiles

/// What a service runs: this program, at the path at which it is installed, as an agent.
struct ServiceProgram: Hashable {
    var path: String
    var arguments: [String]

    /// The path of the program that runs now, without symlinks.
    ///
    /// - Throws: ``CommandFailure`` where it is gone, as after an upgrade that this process outlived.
    static func ownPath() throws(CommandFailure) -> String {
        #if os(Linux)
            let path = ProcessFiles.target(of: "/proc/self/exe")
        #else
            var size = UInt32(4_096)
            var buffer = [CChar](repeating: 0, count: Int(size))
            let path =
                _NSGetExecutablePath(&buffer, &size) == 0
                ? String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
        #endif
        guard let path, path.hasPrefix("/"), access(path, X_OK) == 0 else {
            throw CommandFailure(
                "the path of this program is not known, or it is no longer there", "start it by its whole path")
        }
        return path
    }
}

/// A file that says how the system is to run the agent. The first lines name the command that wrote it: a file that
/// somebody else wrote is neither replaced nor removed.
struct ServiceFile {
    let path: String

    /// Part of each text that is written.
    static let mark = "Written by 'hearth service install'"

    var exists: Bool { FilePath.exists(path) }

    /// - Throws: ``CommandFailure`` where the file is there and is not ours.
    func checkMark() throws(CommandFailure) {
        guard exists else { return }
        do throws(BoundedFile.Fault) {
            let bytes = try BoundedFile.read(path, limit: 1 << 16).bytes
            guard !String(decoding: bytes, as: UTF8.self).contains(Self.mark) else { return }
        } catch {
            throw CommandFailure("\(path) \(error.sentence)")
        }
        throw CommandFailure(
            "\(path) was not written by 'hearth service install', so it is left as it is", "move it away first")
    }

    func write(_ text: String) throws(CommandFailure) {
        try checkMark()
        try makeFolder()
        do throws(BoundedFile.Fault) {
            try AtomicFile.write(Array(text.utf8), to: path)
        } catch {
            throw CommandFailure("\(path) \(error.sentence)")
        }
    }

    /// Removes it, if there is one.
    func remove() throws(CommandFailure) {
        guard exists else { return }
        try checkMark()
        guard unlink(path) == 0 || errno == ENOENT else {
            throw CommandFailure("\(path) cannot be removed: \(String(cString: strerror(errno)))")
        }
    }

    private func makeFolder() throws(CommandFailure) {
        var folder = ""
        for step in path.split(separator: "/").dropLast() {
            folder += "/" + step
            if mkdir(folder, 0o755) == 0 || FilePath.exists(folder) { continue }
            throw CommandFailure("the folder \(folder) cannot be made: \(String(cString: strerror(errno)))")
        }
    }
}
