import HouseholdAgent
import Libc

/// A line on the terminal while something takes long; nothing where standard error is no terminal.
enum Waiting {
    /// Runs `work`. After one second, a line shows what the command waits for, and for how long already.
    static func show<Result: Sendable>(
        _ what: String, _ shared: SharedOptions, _ work: @Sendable () async throws -> Result
    ) async throws -> Result {
        guard isatty(STDERR_FILENO) == 1, !shared.json else { return try await work() }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await count(what, shared) }
            defer { group.cancelAll() }
            return try await work()
        }
    }

    private static func count(_ what: String, _ shared: SharedOptions) async {
        var seconds = 0
        defer { if seconds > 0 { Console.prompt("\r\u{1B}[K") } }
        while !Task.isCancelled {
            guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
            seconds += 1
            Console.prompt("\r\u{1B}[K\(await line(what, shared, seconds))")
        }
    }

    /// The line; it names the devices that are away, if the agent knows them.
    private static func line(_ what: String, _ shared: SharedOptions, _ seconds: Int) async -> String {
        var text = PlainText.line(what)
        if let devices = try? await shared.ask(DevicesRequest()).devices {
            let away = devices.filter { !$0.isThisDevice && !$0.connected }.map(DeviceText.name)
            if !away.isEmpty { text = "waiting for \(away.joined(separator: ", "))" }
        }
        return "\(text) … \(seconds) s"
    }
}
