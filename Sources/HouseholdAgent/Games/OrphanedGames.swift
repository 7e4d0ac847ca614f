import MergeCore
import ProfileKeeping

/// Games that run, or may run, without a command that holds their file for them. They are known by their notes in the
/// record. Also the notes of games that have ended, until their last save is read.
struct OrphanedGames {
    private var notes: [String: GameNote] = [:]
    private var ended: [ProfileID: Set<String>] = [:]
    /// The time of the next check whether they still run.
    private(set) var next: MonotonicTime?

    /// Reads the games from the record's notes.
    init(_ stored: [String: [UInt8]]) {
        for (key, bytes) in stored { notes[key] = GameNote(key: key, bytes: bytes) }
    }

    /// All notes, ascending by their key.
    var all: [GameNote] { notes.sorted { $0.key < $1.key }.map(\.value) }

    func note(of profile: ProfileID, _ mark: PlayMark) -> GameNote? { notes[GameNote.key(profile, mark)] }

    /// Removes the note of a game, because a play holds its file from now on.
    mutating func held(_ note: GameNote) { notes[note.key] = nil }

    /// Adds the note of a game whose command is gone while the game runs on.
    mutating func left(_ note: GameNote, now: MonotonicTime) {
        notes[note.key] = note
        next = now + GameNote.interval
    }

    /// Checks which of the games still run, and returns the notes of those that have ended.
    mutating func look(_ table: any ProcessTable, now: MonotonicTime) -> [GameNote] {
        var gone: [GameNote] = []
        if !notes.isEmpty {
            let running = table.running(Set(notes.values.map(\.mark)))
            gone = all.filter { !running.contains($0.mark) }
            for note in gone { notes[note.key] = nil }
        }
        next = notes.isEmpty ? nil : now + GameNote.interval
        return gone
    }

    /// Notes that a game has ended. Its note is needed until its last save is read, because it says what the game had
    /// read.
    mutating func ended(_ key: String, of profile: ProfileID) { ended[profile, default: []].insert(key) }

    /// Takes the notes of a profile's ended games out, once their last save is read. Returns the notes to be deleted.
    mutating func takeEnded(_ profile: ProfileID) -> NoteChange {
        var dropped = NoteChange()
        for key in ended.removeValue(forKey: profile) ?? [] { dropped.delete(key) }
        return dropped
    }
}
