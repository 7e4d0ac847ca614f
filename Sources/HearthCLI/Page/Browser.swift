import Libc

/// The browser of the desktop.
enum Browser {
    /// Has the desktop open an address. Returns false where there is no desktop, or it cannot.
    ///
    /// The address is seen in the list of processes for a moment. That helps nobody: what is served under it is served to
    /// this user alone, and its code works once.
    static func open(_ address: String) -> Bool {
        #if canImport(Darwin)
            let program = "open"
        #else
            let program = "xdg-open"
            guard Environment["DISPLAY"] != nil || Environment["WAYLAND_DISPLAY"] != nil else { return false }
        #endif
        guard Console.isTerminal, let outcome = try? SystemTool.run([program, address]) else { return false }
        return outcome.code == 0
    }
}
