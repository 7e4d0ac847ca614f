import MergeCore

/// Games that run, or may run, while nobody holds their file for them, by their notes in the record; and the notes of
/// those that have ended, until their last save is taken up.
struct LeftGames {
    private var notes: [String: GameNote] = [:]
    private var ended: [ProfileID: Set<String>] = [:]
    /// When to look whether they still run.
    private(set) var next: Int64?

    /// Reads the notes of the record.
    init(_ stored: [String: [UInt8]]) {
        for (key, bytes) in stored { notes[key] = GameNote(key: key, bytes: bytes) }
    }

    /// All of them, in a fixed order.
    var all: [GameNote] { notes.sorted { $0.key < $1.key }.map(\.value) }

    /// What is known of a game by its mark.
    func note(of profile: ProfileID, _ mark: PlayMark) -> GameNote? { notes[GameNote.key(profile, mark)] }

    /// Somebody holds the file for a game from here on.
    mutating func held(_ note: GameNote) { notes[note.key] = nil }

    /// Whoever held the file is gone, and the game runs.
    mutating func left(_ note: GameNote, now: Int64) {
        notes[note.key] = note
        next = now + GameNote.interval
    }

    /// Finds out which of them still run, and returns those that have ended.
    mutating func look(_ table: any ProcessTable, now: Int64) -> [GameNote] {
        var gone: [GameNote] = []
        if !notes.isEmpty {
            let running = table.running(Set(notes.values.map(\.mark)))
            gone = all.filter { !running.contains($0.mark) }
            for note in gone { notes[note.key] = nil }
        }
        next = notes.isEmpty ? nil : now + GameNote.interval
        return gone
    }

    /// A game has ended. Its note is needed until its last save is taken up: what the game had read stands in it.
    mutating func ended(_ key: String, of profile: ProfileID) { ended[profile, default: []].insert(key) }

    /// The last save of every game of a profile that has ended is taken up: the notes to be dropped.
    mutating func takeEnded(_ profile: ProfileID) -> [String: [UInt8]?] {
        var dropped: [String: [UInt8]?] = [:]
        for key in ended.removeValue(forKey: profile) ?? [] { dropped.updateValue(nil, forKey: key) }
        return dropped
    }
}
