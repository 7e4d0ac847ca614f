/// The newest changes, each with its number, so that a client that was away for a moment goes on where it was.
///
/// It is bounded: who was away for longer, or reads too slowly, is told to begin again from the newest state, which every
/// change has with it.
struct EventLog: Sendable {
    /// The most changes, and the most bytes of them. The newest one is always kept.
    static let countLimit = 256
    static let byteLimit = 4 << 20

    /// Where a client is.
    struct Cursor: Hashable, Sendable {
        /// The number of the change that it has seen last.
        fileprivate(set) var number: UInt64
        /// Whether it has to begin again, because it has missed something.
        fileprivate(set) var isLost: Bool
    }

    private struct Entry {
        var number: UInt64
        var json: [UInt8]
    }

    /// Tells this log from those of other times, whose numbers mean nothing here.
    private let tag: String
    private var entries: [Entry] = []
    private var bytes = 0
    private var newest: UInt64 = 0

    init(tag: String) { self.tag = tag }

    mutating func append(_ json: [UInt8]) {
        newest += 1
        entries.append(Entry(number: newest, json: json))
        bytes += json.count
        while entries.count > Self.countLimit || (bytes > Self.byteLimit && entries.count > 1) {
            bytes -= entries.removeFirst().json.count
        }
    }

    /// Where a client begins.
    ///
    /// - Parameter last: The id of the event that it has seen last, as it says; `nil` where it has seen none, and begins
    ///   with the newest change.
    func cursor(after last: String?) -> Cursor {
        guard let last else { return Cursor(number: newest - (entries.isEmpty ? 0 : 1), isLost: false) }
        let parts = last.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == tag, let number = UInt64(parts[1]), number <= newest else {
            return Cursor(number: newest - (entries.isEmpty ? 0 : 1), isLost: true)
        }
        return Cursor(number: number, isLost: false)
    }

    /// What a client has not seen yet, as the lines of server-sent events (HTML standard, section 9.2), and notes that it
    /// has.
    func news(_ cursor: inout Cursor) -> [UInt8] {
        guard let first = entries.first, let last = entries.last, cursor.number < newest || cursor.isLost else {
            return []
        }
        if cursor.isLost || cursor.number + 1 < first.number {
            cursor = Cursor(number: newest, isLost: false)
            return text(last, "reset")
        }
        let start = Int(cursor.number + 1 - first.number)
        cursor.number = newest
        return entries[start...].flatMap { text($0, "changed") }
    }

    private func text(_ entry: Entry, _ name: String) -> [UInt8] {
        Array("id: \(tag)-\(entry.number)\nevent: \(name)\ndata: ".utf8) + entry.json + Array("\n\n".utf8)
    }
}
