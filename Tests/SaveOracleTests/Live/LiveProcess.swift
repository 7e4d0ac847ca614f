import Libc

/// A running `hearth`. It is gone when this object is.
final class LiveProcess {
    let id: pid_t
    /// What it came to, once it has ended: its exit code, or minus the number of the signal that ended it.
    private(set) var code: Int32?

    /// What its standard input ends with.
    private var input: Int32 = -1

    /// - Parameter isTied: Whether its standard input lasts as long as this process does, whatever ends that.
    init(_ arguments: [String], home: String, output: String, errors: String, isTied: Bool = false) throws {
        guard let program = OracleRun.hearth else { throw LiveTrouble("the built hearth is not beside the tests") }
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        // Threads of the tests may block signals; what they start does not.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var ends: [Int32] = [-1, -1]
        if isTied, pipe(&ends) == 0 {
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        defer { if ends[0] >= 0 { close(ends[0]) } }
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        var argv = (["hearth"] + arguments).map { strdup($0) } + [nil]
        let variables = ["HEARTH_HOME=\(home)", "HOME=\(home)", "PATH=/usr/bin:/bin"]
        var environment = variables.map { strdup($0) } + [nil]
        defer { for pointer in argv + environment { free(pointer) } }
        var child = pid_t()
        let failure = posix_spawn(&child, program, &actions, &attributes, &argv, &environment)
        guard failure == 0 else {
            if ends[1] >= 0 { close(ends[1]) }
            throw LiveTrouble("\(program) cannot be started: \(failure)")
        }
        id = child
        input = ends[1]
    }

    deinit {
        end(SIGKILL)
        if input >= 0 { close(input) }
    }

    /// Whether it still runs. Does not wait.
    var isRunning: Bool {
        var status: Int32 = 0
        if code == nil, waitpid(id, &status, WNOHANG) == id { code = Self.code(status) }
        return code == nil
    }

    func signal(_ number: Int32) { if isRunning { kill(id, number) } }

    /// Sends a signal, where it still runs, and waits until it is gone.
    @discardableResult
    func end(_ number: Int32? = nil) -> Int32 {
        if let number { signal(number) }
        var status: Int32 = 0
        while code == nil {
            if waitpid(id, &status, 0) == id { code = Self.code(status) } else if errno != EINTR { code = -1 }
        }
        return code ?? -1
    }

    private static func code(_ status: Int32) -> Int32 { status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F) }
}

/// Why a live household cannot go on.
struct LiveTrouble: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Looks every few milliseconds, for a bounded time.
func waitFor<Found>(seconds: Double, _ look: () throws -> Found?) rethrows -> Found? {
    let end = ContinuousClock.now + .seconds(seconds)
    while true {
        if let found = try look() { return found }
        guard ContinuousClock.now < end else { return nil }
        usleep(3_000)
    }
}

/// Files as a game and a person handle them.
enum LiveFile {
    static func text(_ path: String) -> String? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        var (bytes, part): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 1 << 16))
        while true {
            let count = fread(&part, 1, part.count, file)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += part[..<count]
        }
    }

    /// Truncates the file and writes it in a few pieces, as a careless game does.
    static func write(_ text: String, to path: String, pieces: Int = 1) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        precondition(file >= 0, "\(path) cannot be written")
        defer { close(file) }
        let bytes = Array(text.utf8)
        let size = max(1, (bytes.count + pieces - 1) / pieces)
        for start in stride(from: 0, to: bytes.count, by: size) {
            let piece = Array(bytes[start..<min(start + size, bytes.count)])
            precondition(Self.systemWrite(file, piece) == piece.count, "a short write")
            if pieces > 1 { usleep(2_000) }
        }
    }

    /// Writes a temporary and renames it to `path`, as a careful game does.
    static func replace(_ path: String, with text: String) {
        write(text, to: path + ".new")
        precondition(rename(path + ".new", path) == 0, "\(path) cannot be replaced")
    }

    /// When a file was changed last, in milliseconds.
    static func time(_ path: String) -> Int {
        var status = stat()
        guard stat(path, &status) == 0 else { return 0 }
        #if canImport(Darwin)
            return status.st_mtimespec.tv_sec * 1_000 + status.st_mtimespec.tv_nsec / 1_000_000
        #else
            return status.st_mtim.tv_sec * 1_000 + status.st_mtim.tv_nsec / 1_000_000
        #endif
    }

    static func remove(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            unlink(path)
            return
        }
        if let folder = opendir(path) {
            var names: [String] = []
            while let entry = readdir(folder) {
                names.append(
                    withUnsafePointer(to: &entry.pointee.d_name) {
                        $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
                    })
            }
            closedir(folder)
            for name in names where name != "." && name != ".." { remove(path + "/" + name) }
        }
        rmdir(path)
    }

    static func temporaryFolder() -> String {
        var template = Array("/tmp/hearth-live-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { preconditionFailure("no folder can be made in /tmp") }
        return String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func systemWrite(_ file: Int32, _ bytes: [UInt8]) -> Int {
        #if canImport(Darwin)
            Darwin.write(file, bytes, bytes.count)
        #else
            Glibc.write(file, bytes, bytes.count)
        #endif
    }
}
