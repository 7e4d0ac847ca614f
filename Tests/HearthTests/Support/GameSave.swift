import LosslessJSON
import TestSupport

/// The save of the game in these tests.
struct GameSave: Hashable {
    var coins = 100
    var level = 1
    /// Every save adds a theme with a new name.
    var themes: Set<String> = ["start"]
    /// The game's history: every save adds an entry.
    var log: Set<String> = ["new"]
    var note = "-"
    var volume = 5

    /// Two lists that only grow, with a new entry in every save, make the base of each save certain: a writer that has
    /// not read a merge lacks its entries, and one that has read it is nearest to it in both lists.
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

    /// Reads a save; `nil` where it is not complete.
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

    /// The save without local fields.
    var shared: GameSave {
        var copy = self
        copy.volume = 0
        return copy
    }
}
