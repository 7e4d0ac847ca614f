import LosslessJSON

/// What the commands of `hearth service` print.
enum ServiceText {
    /// Prints what was done, one line each.
    static func print(_ lines: [String], _ event: String, _ shared: SharedOptions) throws(CommandFailure) {
        if shared.json {
            return try Console.result(ReplyJSON.line(event: event, ["done": .array(lines.map(JSONValue.text))]))
        }
        try Console.result(lines.map { PlainText.line($0) + "\n" }.joined())
    }

    static func text(_ status: ServiceStatus) -> String {
        guard status.isInstalled else {
            return "The agent is no service here; 'hearth service install' makes it one.\n"
        }
        let process = status.process.map { ", pid \($0)" } ?? ""
        var text = "The service is \(PlainText.line(status.words))\(process).\n"
        text += status.startsAtLogin ? "It starts at every login.\n" : "It does not start at a login.\n"
        if status.lingers == true { text += "It starts with the machine, and goes on after a logout.\n" }
        if status.lingers == false { text += "It ends with your last logout.\n" }
        if let restarts = status.restarts, restarts > 0 { text += "It was started again \(restarts) times.\n" }
        if let file = status.file { text += "File: \(PlainText.line(file))\n" }
        return text
    }

    static func json(_ status: ServiceStatus) -> [UInt8] {
        ReplyJSON.line(
            event: "service",
            [
                "installed": .bool(status.isInstalled), "running": .bool(status.isRunning),
                "startsAtLogin": .bool(status.startsAtLogin), "state": .text(status.words),
                "pid": status.process.map { JSONValue.number(JSONNumber($0)) },
                "restarts": status.restarts.map { JSONValue.number(JSONNumber($0)) },
                "lingers": status.lingers.map { .bool($0) }, "file": status.file.map { .text($0) },
            ]
        )
    }
}
