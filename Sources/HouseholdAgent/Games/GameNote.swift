import MergeCore

/// The record's note of a running game. By it the file is left alone even if the agent or `hearth play` was killed
/// meanwhile.
struct GameNote {
    let profile: ProfileID
    /// The name of the game.
    let game: String
    /// The game has read what stood in the file at this time, or a later content. Milliseconds since 1970.
    let readAfter: Int64
    let mark: PlayMark

    static let prefix = "game/"
    /// Milliseconds between two checks whether such a game still runs.
    static let interval: Int64 = 2_000

    /// The note's key in the record.
    var key: String { Self.key(profile, mark) }

    static func key(_ profile: ProfileID, _ mark: PlayMark) -> String { "\(prefix)\(profile.hex)/\(mark.token)" }

    var bytes: [UInt8] { Array("\(readAfter)\n\(mark.client)\n\(mark.clientStart)\n\(game)".utf8) }

    init(profile: ProfileID, game: String, readAfter: Int64, mark: PlayMark) {
        (self.profile, self.game, self.readAfter, self.mark) = (profile, game, readAfter, mark)
    }

    /// Reads a note; `nil` where the bytes are not those of a game's note.
    init?(key: String, bytes: [UInt8]) {
        let names = key.dropFirst(Self.prefix.count).split(separator: "/", omittingEmptySubsequences: false)
        let lines = String(decoding: bytes, as: UTF8.self)
            .split(separator: "\n", maxSplits: 3, omittingEmptySubsequences: false)
        guard names.count == 2, lines.count == 4, let profile = ProfileID(hex: String(names[0])),
            let readAfter = Int64(lines[0]), let client = Int32(lines[1]), let start = Int64(lines[2]),
            let mark = PlayMark(token: String(names[1]), client: client, clientStart: start)
        else { return nil }
        self.init(profile: profile, game: String(lines[3]), readAfter: readAfter, mark: mark)
    }
}
