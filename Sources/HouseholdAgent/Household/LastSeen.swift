import MergeCore
import ProfileKeeping

/// The times at which something came from each other device of the household last, over a link of its own.
struct LastSeen {
    static let notes = NoteSpace("last-seen")
    /// A time is stored when a link ends, and at this interval while the link lasts, since an agent may be killed.
    static let interval = Duration.seconds(3_600)

    private var times: [DeviceID: WallTime] = [:]
    private var stored: [DeviceID: WallTime] = [:]
    /// The devices whose time is to be stored.
    private var due: Set<DeviceID> = []
    /// The keys of notes that are to be deleted: of devices that left the household.
    private var needless: Set<String> = []

    /// Reads the times of a household's members from the record's notes in ``notes``. The notes of devices that
    /// left are deleted, and so are those that cannot be read.
    init(_ notes: [String: [UInt8]], members: some Sequence<DeviceID>) {
        let members = Set(members)
        for (key, value) in notes {
            guard let device = Self.notes.name(key).flatMap({ DeviceID(hex: $0) }), members.contains(device),
                let time = Int64(String(decoding: value, as: UTF8.self))
            else {
                needless.insert(key)
                continue
            }
            times[device] = WallTime(milliseconds: time)
        }
        stored = times
    }

    subscript(device: DeviceID) -> WallTime? { times[device] }

    mutating func heard(_ device: DeviceID, at time: WallTime) {
        times[device] = time
        // A clock that was set back counts as well.
        let isFresh = stored[device].map { time - $0 < Self.interval && $0 - time < Self.interval } ?? false
        if !isFresh { due.insert(device) }
    }

    mutating func ended(_ device: DeviceID) {
        if times[device] != stored[device] { due.insert(device) }
    }

    /// The notes that store times for which it is time.
    mutating func takeUnstored() -> NoteChange {
        var notes = NoteChange()
        for key in needless { notes.delete(key) }
        for device in due.sorted() {
            guard let time = times[device] else { continue }
            notes.set(Self.notes.key(device.hex), Array("\(time.milliseconds)".utf8))
            stored[device] = time
        }
        (due, needless) = ([], [])
        return notes
    }
}
