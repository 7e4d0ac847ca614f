import MergeCore
import ProfileKeeping

/// The record's note of a running game. Because of it, the file is left alone even if the agent or `hearth play` was
/// killed meanwhile.
struct GameNote {
    let profile: ProfileID
    /// The name of the game.
    let game: String
    /// The game has read the content that was in the file at this time, or a later content. A note from before the
    /// agent started has ``MonotonicTime/min``, because monotonic times of an earlier run cannot be compared with ours.
    let readAfter: MonotonicTime
    let mark: PlayMark

    static let notes = NoteSpace("game")
    /// The time between two checks whether such a game still runs.
    static let interval = Duration.seconds(2)

    /// The note's key in the record.
    var key: String { Self.key(profile, mark) }

    static func key(_ profile: ProfileID, _ mark: PlayMark) -> String { notes.key(profile, mark.token) }

    /// The note's value in the record. It gives ``readAfter`` as a date, for agents of earlier versions.
    func bytes(now: Moment) -> [UInt8] {
        let date = now.wall(at: readAfter).milliseconds
        return Array("\(date)\n\(mark.client)\n\(mark.clientStart)\n\(game)".utf8)
    }

    init(profile: ProfileID, game: String, readAfter: MonotonicTime, mark: PlayMark) {
        (self.profile, self.game, self.readAfter, self.mark) = (profile, game, readAfter, mark)
    }

    /// Reads a note; `nil` where the bytes are not those of a game's note.
    init?(key: String, bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self)
            .split(separator: "\n", maxSplits: 3, omittingEmptySubsequences: false)
        guard lines.count == 4, let (profile, token) = Self.notes.parts(key),
            Int64(lines[0]) != nil, let client = Int32(lines[1]), let start = Int64(lines[2]),
            let mark = PlayMark(token: token, client: client, clientStart: start)
        else { return nil }
        self.init(profile: profile, game: String(lines[3]), readAfter: .min, mark: mark)
    }
}
