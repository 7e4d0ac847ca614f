import Libc

/// The browser of the desktop.
enum Browser {
    #if canImport(Darwin)
        private static let program = "open"
    #else
        private static let program = "xdg-open"
    #endif

    /// Whether a person sits before a desktop here. Over ssh without one, there is nothing to open.
    static var isThere: Bool {
        #if canImport(Darwin)
            let hasDesktop = Environment["SSH_CONNECTION"] == nil
        #else
            let hasDesktop = Environment["DISPLAY"] != nil || Environment["WAYLAND_DISPLAY"] != nil
        #endif
        return hasDesktop && Console.isTerminal
    }

    /// Has the desktop open an address, and waits for nothing: a browser may run until the evening.
    ///
    /// The address is seen in the list of processes for a moment. That helps nobody: what is served under it is served to
    /// this user alone, and its code works once.
    static func open(_ address: String) {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
        }
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A process group of its own, so that Ctrl-C in this terminal does not end the browser.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        var child = pid_t()
        let words: [String] = [program, address]
        var argv = words.map { strdup($0) } + [nil]
        var environment = Environment.entries.map { strdup($0) } + [nil]
        defer { for pointer in argv + environment { free(pointer) } }
        _ = posix_spawnp(&child, program, &actions, &attributes, &argv, &environment)
    }
}
