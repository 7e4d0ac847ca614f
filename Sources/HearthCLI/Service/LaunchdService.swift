#if os(macOS)
    import Libc

    /// The service under launchd, for one user of a Mac. Nobody has run it yet.
    struct LaunchdService: LoginService {
        private let file: ServiceFile
        private let log: String
        private let domain: String

        init(home: String, user: uid_t) {
            file = ServiceFile(path: "\(home)/Library/LaunchAgents/\(LaunchAgentFile.label).plist")
            log = "\(home)/Library/Logs/Hearth.log"
            domain = "gui/\(user)"
        }

        private var target: String { "\(domain)/\(LaunchAgentFile.label)" }

        func install(_ program: ServiceProgram) throws(CommandFailure) -> [String] {
            try file.write(LaunchAgentFile.text(program, log: log))
            // One that is loaded already goes on with what it was loaded with.
            _ = try SystemTool.run(["launchctl", "bootout", target])
            try control("bootstrap", domain, file.path)
            return [
                "wrote \(file.path)", "the agent runs now, and starts at every login of yours and after a crash",
                "its log: \(log)",
            ]
        }

        func uninstall() throws(CommandFailure) -> [String] {
            guard file.exists else { return ["there is no service of Hearth here"] }
            _ = try SystemTool.run(["launchctl", "bootout", target])
            try file.remove()
            return ["the agent has stopped, and does not start at a login", "removed \(file.path)"]
        }

        func status() throws(CommandFailure) -> ServiceStatus {
            guard file.exists else { return ServiceStatus() }
            let shown = try SystemTool.run(["launchctl", "print", target])
            var status = ServiceStatus()
            status.isInstalled = true
            status.file = file.path
            status.startsAtLogin = true
            let lines = shown.text.split(separator: "\n").map { $0.drop { $0 == " " || $0 == "\t" } }
            status.process = lines.first { $0.hasPrefix("pid = ") }.flatMap { Int($0.dropFirst(6)) }
            status.isRunning = shown.code == 0 && status.process != nil
            status.words = status.isRunning ? "running" : "not running"
            return status
        }

        private func control(_ words: String...) throws(CommandFailure) {
            let outcome = try SystemTool.run(["launchctl"] + words)
            guard outcome.code != 0 else { return }
            let said = outcome.text.split(separator: "\n").first.map(String.init) ?? "it failed"
            throw CommandFailure("'launchctl \(words.joined(separator: " "))': \(said)")
        }
    }
#endif
