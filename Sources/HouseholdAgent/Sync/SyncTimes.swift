import MergeCore
import ProfileKeeping

/// The times at which each profile was last in step with another device.
struct SyncTimes {
    static let notes = NoteSpace("in-step")

    private var times: [ProfileID: WallTime] = [:]
    /// The times as the record has them.
    private var stored: [ProfileID: WallTime] = [:]
    private var isToBeStored = false

    /// Reads the times from the record's notes in ``notes``.
    init(_ notes: [String: [UInt8]]) {
        for (key, value) in notes {
            guard let id = Self.notes.profile(key) else { continue }
            times[id] = Int64(String(decoding: value, as: UTF8.self)).map(WallTime.init)
        }
        stored = times
    }

    subscript(id: ProfileID) -> WallTime? { times[id] }

    mutating func inStep(_ id: ProfileID, at date: WallTime) { times[id] = date }

    /// Lets the changed times be stored. Called from time to time, so that not every save writes a note.
    mutating func storeSoon() { isToBeStored = true }

    /// The notes that store the changed times, if it is time for that.
    mutating func takeUnstored() -> NoteChange {
        var notes = NoteChange()
        guard isToBeStored else { return notes }
        isToBeStored = false
        for (id, time) in times where stored[id] != time {
            notes.set(Self.notes.key(id), Array("\(time.milliseconds)".utf8))
        }
        stored = times
        return notes
    }
}
