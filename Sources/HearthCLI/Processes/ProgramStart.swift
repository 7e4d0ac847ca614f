import Libc

/// How another program is started: its words, its environment, its standard files, its signals and its process group.
/// Everything that is left out, such as the folder and the environment, is taken over from this process.
struct ProgramStart {
    /// Where one of the program's standard files leads.
    enum StandardFile {
        /// To the file that this process has there.
        case inherited
        /// Nothing to read, and nowhere to write to: `/dev/null`.
        case nothing
        /// An open file of this process.
        case descriptor(Int32)
    }

    /// The signals as a program finds them.
    struct Signals {
        /// The signals that are blocked.
        var mask: sigset_t
        /// The signals that have their usual effect. Any other that this process ignores is ignored there as well.
        var defaults: sigset_t
    }

    /// The reason why a program was not started.
    struct Fault: Error, CustomStringConvertible {
        /// The `errno` value.
        var code: Int32

        var description: String { String(cString: strerror(code)) }
    }

    /// The program; looked for in PATH where its name has no slash.
    var program: String
    /// The name by which the program is called, and its arguments.
    var words: [String]
    var environment = Environment.entries
    var input = StandardFile.inherited
    var output = StandardFile.inherited
    var errors = StandardFile.inherited
    var signals: Signals?
    /// Whether the program begins a process group of its own, so that Ctrl-C in this terminal does not reach it.
    var hasOwnGroup = false

    /// - Parameters:
    ///   - words: The program and its arguments.
    ///   - path: The program, where it is called by another name.
    init(_ words: [String], at path: String? = nil) {
        program = path ?? words[0]
        self.words = words
    }

    /// Starts the program and waits for nothing.
    func start() throws(Fault) -> pid_t {
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
        for (number, file) in zip([STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO], [input, output, errors]) {
            switch file {
            case .inherited: break
            case .nothing:
                let mode = number == STDIN_FILENO ? O_RDONLY : O_WRONLY
                posix_spawn_file_actions_addopen(&actions, number, "/dev/null", mode, 0)
            case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, number)
            }
        }
        var flags: Int32 = 0
        if var signals {
            posix_spawnattr_setsigmask(&attributes, &signals.mask)
            posix_spawnattr_setsigdefault(&attributes, &signals.defaults)
            flags |= Int32(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
        }
        if hasOwnGroup {
            posix_spawnattr_setpgroup(&attributes, 0)
            flags |= Int32(POSIX_SPAWN_SETPGROUP)
        }
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var argv = words.map { strdup($0) } + [nil]
        var entries = environment.map { strdup($0) } + [nil]
        defer { for pointer in argv + entries { free(pointer) } }
        var child = pid_t()
        let status = posix_spawnp(&child, program, &actions, &attributes, &argv, &entries)
        guard status == 0 else { throw Fault(code: status) }
        return child
    }

    /// The exit code for what `waitpid` says of a program that has ended: its own, or 128 plus the number of the signal
    /// that ended it.
    static func exitCode(_ status: Int32) -> Int32 {
        status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }
}
