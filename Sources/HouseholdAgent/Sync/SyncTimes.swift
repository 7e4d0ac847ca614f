import MergeCore
import ProfileKeeping

/// The times at which each profile was last in step with another device.
struct SyncTimes {
    static let notes = NoteSpace("in-step")

    /// Times that are stored together. Others wait for the next call meanwhile.
    static let storedAtOnce = 512

    private var times: [ProfileID: WallTime] = [:]
    /// The profiles whose time the record does not have.
    private var unstored: Set<ProfileID> = []
    private var isToBeStored = false
    private var isEnd = false
    /// When a profile was in step for the first time, the last one of which the time was stored at once.
    private var first: WallTime?
    /// Of many profiles that come at once, the first in this time is stored at once, and others with it.
    private static let firstInterval = Duration.seconds(1)

    /// Reads the times from the record's notes in ``notes``.
    init(_ notes: [String: [UInt8]]) {
        for (key, value) in notes {
            guard let id = Self.notes.profile(key) else { continue }
            times[id] = Int64(String(decoding: value, as: UTF8.self)).map(WallTime.init)
        }
    }

    subscript(id: ProfileID) -> WallTime? { times[id] }

    /// Notes that a profile is in step now. The first time is stored at once: after a crash its player would read that it is on
    /// no other device yet.
    mutating func inStep(_ id: ProfileID, at date: WallTime) {
        let former = times.updateValue(date, forKey: id)
        if former != date { unstored.insert(id) }
        guard former == nil, first.map({ date < $0 || date - $0 >= Self.firstInterval }) ?? true else { return }
        (first, isToBeStored) = (date, true)
    }

    /// Lets changed times be stored. Called from time to time, so that not every save writes a note.
    ///
    /// - Parameter isEnd: Whether there is no next time.
    mutating func storeSoon(isEnd: Bool = false) { (isToBeStored, self.isEnd) = (true, isEnd) }

    /// The notes that store changed times, if it is time for that.
    mutating func takeUnstored() -> NoteChange {
        var notes = NoteChange()
        guard isToBeStored else { return notes }
        isToBeStored = false
        for id in unstored.sorted().prefix(isEnd ? .max : Self.storedAtOnce) {
            guard let time = times[id] else { continue }
            notes.set(Self.notes.key(id), Array("\(time.milliseconds)".utf8))
            unstored.remove(id)
        }
        return notes
    }
}
