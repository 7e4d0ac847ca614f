import MergeCore
import ProfileKeeping

/// Games that outlive whoever held their file: nothing is written into it until none of their processes runs any more.
extension HouseholdAgent {
    /// A game is about to start, or was found running: from now on a start of the agent finds its note.
    mutating func noteGame(_ play: Play, readAfter: Int64) {
        guard let mark = play.mark else { return }
        let note = GameNote(profile: play.profile, game: play.game, readAfter: readAfter, mark: mark)
        // Whoever plays holds it from here on.
        leftGames[note.key] = nil
        commit(notes: [note.key: note.bytes])
    }

    /// Whoever held the file for a game is gone, and the game may be running.
    mutating func leave(_ play: Play, readAfter: Int64, now: Int64) {
        guard let mark = play.mark, !processTable.running([mark]).isEmpty else {
            return finishGame(play, readAfter: readAfter, now: now)
        }
        let note = GameNote(profile: play.profile, game: play.game, readAfter: readAfter, mark: mark)
        leftGames[note.key] = note
        nextGameLook = now + GameNote.interval
        log(.notice, "a game runs on though the command that played it is gone", ["game": play.game])
    }

    /// A game has ended, and all it had started.
    mutating func finishGame(_ play: Play, readAfter: Int64, now: Int64) {
        gameEnded(play.profile, readAfter, now: now)
        if let mark = play.mark { dropNote(GameNote.key(play.profile, mark), of: play.profile) }
    }

    /// Finds out which of the games that nobody holds still run.
    mutating func lookAtLeftGames(now: Int64) {
        nextGameLook = leftGames.isEmpty ? nil : now + GameNote.interval
        guard !leftGames.isEmpty else { return }
        let running = processTable.running(Set(leftGames.values.map(\.mark)))
        for (key, note) in leftGames.sorted(by: { $0.key < $1.key }) where !running.contains(note.mark) {
            leftGames[key] = nil
            log(.info, "a game has ended", ["game": note.game])
            gameEnded(note.profile, note.readAfter, now: now)
            dropNote(key, of: note.profile)
        }
        if leftGames.isEmpty { nextGameLook = nil }
    }

    /// A note is needed until the game's last save is taken up: what the game had read stands in it.
    private mutating func dropNote(_ key: String, of profile: ProfileID) {
        let id = survivor(profile)
        endedGames[id, default: []].insert(key)
        if lastReads[id] == nil { dropNotes(id) }
    }

    /// The last save of every game that has ended is taken up.
    mutating func dropNotes(_ id: ProfileID) {
        guard let keys = endedGames.removeValue(forKey: id) else { return }
        var notes: [String: [UInt8]?] = [:]
        for key in keys { notes.updateValue(nil, forKey: key) }
        commit(notes: notes)
    }

    static func leftGames(_ notes: [String: [UInt8]]) -> [String: GameNote] {
        var games: [String: GameNote] = [:]
        for (key, bytes) in notes { games[key] = GameNote(key: key, bytes: bytes) }
        return games
    }
}
