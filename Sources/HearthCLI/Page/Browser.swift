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
        var start = ProgramStart([program, address])
        (start.input, start.output, start.errors) = (.nothing, .nothing, .nothing)
        // Ctrl-C in this terminal does not end the browser.
        start.hasOwnGroup = true
        _ = try? start.start()
    }
}
