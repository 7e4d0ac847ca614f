import Libc
import Logging
import Synchronization

/// The log of an agent inside another program, whose terminal belongs to that program: the file `agent.log` in the
/// agent's home, one line a message, with the time (UTC) in front. A file that has ``limit`` becomes `agent.log.1`, and
/// the one before it is dropped.
///
/// A log that cannot be written is no reason to stop the agent, so faults are ignored.
final class AgentLogFile: Sendable {
    /// The largest size of the file in bytes.
    static let limit = 1 << 20

    private struct Output {
        /// -1 while the file is not open.
        var descriptor: Int32 = -1
        var size = 0
    }

    private let path: String
    private let output = Mutex(Output())

    init(path: String) { self.path = path }

    deinit { output.withLock { if $0.descriptor >= 0 { close($0.descriptor) } } }

    /// A logger that writes into the log of a home.
    static func logger(home: HearthHome) -> Logger {
        let file = AgentLogFile(path: home.path + "/agent.log")
        return Logger(label: "hearth") { _ in AgentLogHandler(file: file) }
    }

    /// Appends a line. It is in the file when this returns, for whoever reads it then; it is not made durable.
    func append(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        output.withLock { output in
            if output.descriptor >= 0, output.size + bytes.count > Self.limit {
                close(output.descriptor)
                output.descriptor = -1
                rename(path, path + ".1")
            }
            // Opened with the first line: the agent makes its home before it logs.
            if output.descriptor < 0 { output = opened() }
            guard output.descriptor >= 0 else { return }
            // One call for a line: a reader never sees half of one.
            if write(output.descriptor, bytes, bytes.count) > 0 { output.size += bytes.count }
        }
    }

    private func opened() -> Output {
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return Output() }
        let end = lseek(descriptor, 0, SEEK_END)
        return Output(descriptor: descriptor, size: Int(max(0, end)))
    }
}

/// Writes log messages as lines of an ``AgentLogFile``: `2026-11-26T16:20:11Z notice: paired device=deck`.
struct AgentLogHandler: LogHandler {
    let file: AgentLogFile
    var logLevel: Logger.Level = .info
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    init(file: AgentLogFile) { self.file = file }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
        let details = all.map { " \($0.key)=\($0.value)" }.joined()
        let text = "\(event.message)\(details)".unicodeScalars
        // Names come from other devices: nothing in them may look like another line, or move a terminal's cursor.
        let plain = String(String.UnicodeScalarView(text.map { $0.properties.generalCategory == .control ? " " : $0 }))
        file.append("\(Self.date) \(event.level): \(plain)")
    }

    private static var date: String {
        var now = time(nil)
        var parts = tm()
        gmtime_r(&now, &parts)
        var text = [CChar](repeating: 0, count: 32)
        let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
