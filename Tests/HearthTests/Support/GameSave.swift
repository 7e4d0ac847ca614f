import LosslessJSON

/// What the game of these tests saves.
struct GameSave: Hashable {
    var coins = 100
    var level = 1
    /// Every save unlocks one more, under a name of its own.
    var themes: Set<String> = ["start"]
    /// The game's history: one entry for every save.
    var log: Set<String> = ["new"]
    var note = "-"
    var volume = 5

    /// Two lists that only grow and get an entry of their own at every save let the base of each save be told for
    /// sure: a writer that has not read a merge lacks entries of it, and one that has stands nearest to it in both.
    static let rules = """
        profile: RPG
        rules:
          /coins: counter
          /level: max
          /themes: union
          /log: union
          /note: latest
          /settings/**: local

        """

    init() {}

    /// `nil` where this is no whole save.
    init?(_ bytes: [UInt8]) {
        guard let value = try? JSONValue(parsing: bytes), let coins = value["coins"]?.int,
            let level = value["level"]?.int, let themes = value["themes"], let log = value["log"],
            let note = value["note"]?.text
        else { return nil }
        (self.coins, self.level, self.note) = (coins, level, note)
        self.themes = Set(themes.elements.compactMap(\.text))
        self.log = Set(log.elements.compactMap(\.text))
        volume = value["settings"]?["volume"]?.int ?? 0
    }

    init?(at path: String) {
        guard let bytes = Disk.read(path) else { return nil }
        self.init(bytes)
    }

    var bytes: [UInt8] {
        func list(_ names: Set<String>) -> String { names.sorted().map { "\"\($0)\"" }.joined(separator: ", ") }
        return Array(
            """
            {
              "coins": \(coins),
              "level": \(level),
              "themes": [\(list(themes))],
              "log": [\(list(log))],
              "note": "\(note)",
              "settings": {"volume": \(volume)}
            }

            """.utf8)
    }

    /// The save without what stays on its device.
    var shared: GameSave {
        var copy = self
        copy.volume = 0
        return copy
    }
}
