/// The file with which launchd runs the agent for one user of a Mac. `Packaging/launchd/hearth.agent.plist` is the same
/// text, for a program in `/usr/local/bin`; a test compares the two. Nobody has run it yet.
enum LaunchAgentFile {
    static let label = "hearth.agent"

    /// - Parameter log: The file for the log: launchd has no journal.
    static func text(_ program: ServiceProgram, log: String) -> String {
        let words = ([program.path] + program.arguments).map { "        <string>\(escaped($0))</string>" }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <!-- \(ServiceFile.mark). Not run on a Mac yet. -->
            <plist version="1.0">
            <dict>
                <key>Label</key>
                <string>\(label)</string>
                <key>ProgramArguments</key>
                <array>
            \(words.joined(separator: "\n"))
                </array>
                <!-- Started at every login, and again after a crash; not after 'hearth service uninstall'. -->
                <key>RunAtLoad</key>
                <true/>
                <key>KeepAlive</key>
                <dict>
                    <key>SuccessfulExit</key>
                    <false/>
                </dict>
                <key>ThrottleInterval</key>
                <integer>10</integer>
                <!-- The agent stops within five seconds; after these it is killed. -->
                <key>ExitTimeOut</key>
                <integer>20</integer>
                <!-- No core file: it would hold the key of this machine. -->
                <key>HardResourceLimits</key>
                <dict>
                    <key>Core</key>
                    <integer>0</integer>
                </dict>
                <key>StandardOutPath</key>
                <string>\(escaped(log))</string>
                <key>StandardErrorPath</key>
                <string>\(escaped(log))</string>
            </dict>
            </plist>

            """
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
