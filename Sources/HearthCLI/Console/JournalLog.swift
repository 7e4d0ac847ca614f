import Libc
import Logging

/// Writes the log for systemd's journal, which adds the time and the program itself: one line a message, with its level
/// in front, as sd-daemon(3) describes it.
struct JournalLog: LogHandler {
    var logLevel: Logger.Level = .info
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { Console.note(line(event)) }

    /// The journal takes a line for a message, so a message with more than one becomes one.
    func line(_ event: LogEvent) -> String {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
        let details = all.map { " \($0.key)=\($0.value)" }.joined()
        return "<\(Self.priority(event.level))>" + PlainText.line("\(event.message)\(details)")
    }

    /// The numbers of syslog(3).
    private static func priority(_ level: Logger.Level) -> Int {
        switch level {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }

    /// The handler for a log on standard error: this one where the journal reads it.
    static func onStandardError(_ label: String) -> any LogHandler {
        if isRead() { return JournalLog() }
        return StreamLogHandler.standardError(label: label)
    }

    /// Whether standard error goes to the journal: systemd names the file that it opened for it in `JOURNAL_STREAM`.
    static func isRead(_ stream: String? = Environment["JOURNAL_STREAM"]) -> Bool {
        var status = stat()
        guard let stream, fstat(STDERR_FILENO, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }
}
