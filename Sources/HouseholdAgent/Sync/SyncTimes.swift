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

    /// Reads the times from the record's notes in ``notes``.
    init(_ notes: [String: [UInt8]]) {
        for (key, value) in notes {
            guard let id = Self.notes.profile(key) else { continue }
            times[id] = Int64(String(decoding: value, as: UTF8.self)).map(WallTime.init)
        }
    }

    subscript(id: ProfileID) -> WallTime? { times[id] }

    mutating func inStep(_ id: ProfileID, at date: WallTime) {
        if times.updateValue(date, forKey: id) != date { unstored.insert(id) }
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
