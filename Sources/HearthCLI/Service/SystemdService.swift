import Libc
import LocalFiles

/// The service under systemd, in the user's own manager: it needs no rights of an administrator, and on a system whose
/// own folders cannot be written (SteamOS) everything is in the home folder.
struct SystemdService: LoginService {
    private let file: ServiceFile

    /// - Parameter configuration: The value of XDG_CONFIG_HOME.
    init(home: String, configuration: String?) {
        let folder = configuration.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/.config"
        file = ServiceFile(path: "\(folder)/systemd/user/\(SystemdUnit.name)")
    }

    func install(_ program: ServiceProgram) throws(CommandFailure) -> [String] {
        var lines: [String] = []
        if let unit = Self.packaged(program) {
            // A unit in the home folder would hide that of the package, and would not be upgraded with it.
            if file.exists {
                try file.remove()
                lines.append("removed \(file.path)")
            }
            lines.append("uses \(unit)")
        } else {
            try file.write(SystemdUnit.text(program))
            lines.append("wrote \(file.path)")
        }
        try control("daemon-reload")
        try control("enable", "--quiet", SystemdUnit.name)
        try control("restart", SystemdUnit.name)
        lines.append("the agent runs now, and starts at every login of yours and after a crash")
        if !Self.lingers {
            lines.append("it ends when you log out; where nobody logs in, such as a NAS: loginctl enable-linger")
        }
        lines.append("its log: journalctl --user --unit hearth")
        return lines
    }

    func uninstall() throws(CommandFailure) -> [String] {
        try file.checkMark()
        guard try status().isInstalled || file.exists else { return ["there is no service of Hearth here"] }
        try control("disable", "--quiet", "--now", SystemdUnit.name)
        var lines = ["the agent has stopped, and does not start at a login"]
        if file.exists {
            try file.remove()
            try control("daemon-reload")
            lines.append("removed \(file.path)")
        }
        return lines
    }

    func status() throws(CommandFailure) -> ServiceStatus {
        let names = ["LoadState", "UnitFileState", "ActiveState", "SubState", "Result", "MainPID", "NRestarts"]
        let shown = try control(
            "show", SystemdUnit.name, "--property=\((names + ["FragmentPath"]).joined(separator: ","))")
        var values: [Substring: String] = [:]
        for line in shown.split(separator: "\n") {
            guard let equals = line.firstIndex(of: "=") else { continue }
            values[line[..<equals]] = String(line[line.index(after: equals)...])
        }
        guard values["LoadState"] == "loaded" else { return ServiceStatus() }
        var status = ServiceStatus()
        status.isInstalled = true
        status.file = values["FragmentPath"]
        status.startsAtLogin = values["UnitFileState"] == "enabled"
        status.isRunning = values["ActiveState"] == "active"
        status.process = values["MainPID"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        let result = values["Result"].flatMap { $0 == "success" ? nil : ", \($0)" } ?? ""
        status.words = "\(values["ActiveState"] ?? "unknown") (\(values["SubState"] ?? "unknown")\(result))"
        status.restarts = values["NRestarts"].flatMap { Int($0) }
        status.lingers = Self.lingers
        return status
    }

    /// The unit of the package that the program is of, unless the agent is to have options of its own.
    private static func packaged(_ program: ServiceProgram) -> String? {
        guard program.arguments == ["agent"], program.path.hasSuffix("/bin/hearth") else { return nil }
        let unit = "\(program.path.dropLast("/bin/hearth".count))/lib/systemd/user/\(SystemdUnit.name)"
        return FilePath.exists(unit) ? unit : nil
    }

    /// Whether the user's services go on without a login.
    private static var lingers: Bool {
        guard let user = getpwuid(getuid()) else { return false }
        return FilePath.exists("/var/lib/systemd/linger/" + String(cString: user.pointee.pw_name))
    }

    @discardableResult
    private func control(_ words: String...) throws(CommandFailure) -> String {
        let outcome = try SystemTool.run(["systemctl", "--user"] + words)
        guard outcome.code == 0 else {
            let said = outcome.text.split(separator: "\n").first.map(String.init) ?? "it failed"
            throw CommandFailure("'systemctl --user \(words.joined(separator: " "))': \(said)", Self.remedy(words[0]))
        }
        return outcome.text
    }

    private static func remedy(_ word: String) -> String {
        word == "restart"
            ? "an agent that runs already must end first; 'journalctl --user --unit hearth' says more"
            : "it needs the systemd of your own login: log in as yourself, not with su or sudo"
    }
}
