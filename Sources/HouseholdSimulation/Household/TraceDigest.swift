import HouseholdAgent
import LosslessJSON
import MergeCore
import ProfileKeeping

/// A hash of a whole run: of every event and action with its time and device, and of every text that a file held.
///
/// The bytes of a link are left out, since another release of zlib packs the same messages into other bytes. So the
/// digest of a seed is the same on every machine.
struct TraceDigest {
    private var sum = FNV1a()

    var value: UInt64 { sum.value }

    mutating func add(_ time: MonotonicTime, _ device: Int, _ event: AgentEvent) {
        let (kind, number, text): (UInt64, UInt64, String) =
            switch event {
            case .started: (1, 0, "")
            case .file(let path, let change): (2, 0, "\(path) \(change)")
            case .saved(let save): (3, FNV1a(save.document.bytes).value, save.path)
            case .writer(let path, let process): (4, UInt64(bitPattern: Int64(process.id)), path)
            case .transport(.opened(let id, let purpose, _, let remote, _, _)): (5, id.rawValue, "\(purpose) \(remote)")
            case .transport(.received(let id, _)): (6, id.rawValue, "")
            case .transport(.closed(let id, let reason)): (7, id.rawValue, reason)
            case .transport(.dialFailed(let id, let reason)): (8, id.rawValue, reason)
            case .transport(.paused(let id)): (9, id.rawValue, "")
            case .transport(.refused(_, let reason, let count)): (10, UInt64(count), reason)
            case .discovery: (11, 0, "")
            case .request(let id, let request): (12, id.rawValue, type(of: request).name)
            case .abandoned(let id): (13, id.rawValue, "")
            case .configured: (14, 0, "")
            case .timer: (15, 0, "")
            case .day(let day): (16, UInt64(day.number), "")
            case .stopping: (17, 0, "")
            }
        add(time, device, kind, number, text)
    }

    mutating func add(_ time: MonotonicTime, _ device: Int, _ action: AgentAction) {
        let (kind, number, text): (UInt64, UInt64, String) =
            switch action {
            case .transport(.dial(let id, let address, let purpose)): (32, id.rawValue, "\(address) \(purpose)")
            case .transport(.admit(let id)): (33, id.rawValue, "")
            case .transport(.resume(let id)): (34, id.rawValue, "")
            case .transport(.send(let id, _)): (35, id.rawValue, "")
            case .transport(.close(let id)): (36, id.rawValue, "")
            case .watch(let paths, let gone):
                (37, UInt64(paths.count), (paths.sorted() + gone.sorted()).joined(separator: " "))
            case .watchAnew: (43, 0, "")
            case .announce: (38, 0, "")
            case .reply(let id, .failure(let code, let message)): (39, id.rawValue, "\(code.rawValue) \(message)")
            case .reply(let id, _): (40, id.rawValue, "")
            case .log(let line): (41, UInt64(line.metadata.count), line.message)
            case .openPage(let id): (42, id.rawValue, "")
            }
        add(time, device, kind, number, text)
    }

    /// Adds a text that a file of a device holds from now on.
    mutating func add(_ time: MonotonicTime, _ device: Int, text: [UInt8]) {
        add(time, device, 64, FNV1a(text).value, "")
    }

    private mutating func add(
        _ time: MonotonicTime, _ device: Int, _ kind: UInt64, _ number: UInt64, _ text: String
    ) {
        for word in [UInt64(bitPattern: time.milliseconds), UInt64(device) << 8 | kind, number] {
            for shift in stride(from: UInt64(0), to: 64, by: 8) { sum.add(UInt8(truncatingIfNeeded: word >> shift)) }
        }
        sum.add(text.utf8)
    }
}
