import HearthKit
import LosslessJSON
import MergeCore
import Testing

struct PlayerV1: Codable {
    var hp: Int
    var purse: Int
}

/// A profile with two migrations: 1.0 → 1.1 by a closure, 1.1 → 1.2 by steps.
struct Versioned: Profile, Equatable {
    enum Difficulty: String, Codable { case normal, hard }
    @Highest var health = 0
    @Counter var coins = 0
    var difficulty = Difficulty.normal

    static let migrations = [
        Migration.legacy(to: "1.1", .rename("/oldHealth", to: "vigour")),
        Migration("1.0", to: "1.1") { (old: PlayerV1) in PlayerV11(vigour: old.hp, coins: old.purse, hard: false) },
        Migration(
            "1.1",
            to: "1.2",
            .rename("/vigour", to: "health"),
            .rename("/hard", to: "difficulty"),
            .map("/difficulty", [true: "hard", false: "normal"])
        ),
    ]
}

struct PlayerV11: Codable {
    var vigour: Int
    var coins: Int
    var hard: Bool
}

/// Migrating saves of earlier versions.
struct VersionTests {
    private func migrated(_ save: String) throws -> MigratedSave {
        try ProfileCodec<Versioned>().migrated(document(save))
    }

    @Test("every version in the list is migrated to the last, and what no version knows stays") func chain() throws {
        let old = try migrated(#"{"version": "1.0", "hp": 7, "extra" : 1.0, "purse": 20}"#)
        #expect(old.from == "1.0" && old.reports.count == 2)
        #expect(try read(Versioned.self, text(old.document.bytes)) == Versioned(health: 7, coins: 20))
        #expect(text(old.document.bytes).hasPrefix(#"{"version": "1.2", "extra" : 1.0,"#))
        let newer = try migrated(#"{"version": "1.1", "vigour": 3, "hard": true, "coins": 1}"#)
        #expect(text(newer.document.bytes) == #"{"version": "1.2", "health": 3, "difficulty": "hard", "coins": 1}"#)
    }

    @Test("a save of the version itself comes back as it is") func same() throws {
        let save = #"{ "coins": 1.0, "version": "1.2" }"#
        let same = try migrated(save)
        #expect(text(same.document.bytes) == save && same.reports.isEmpty && same.from == "1.2")
    }

    @Test("a save without a version goes the legacy way") func legacy() throws {
        let old = try migrated(#"{"oldHealth": 9, "coins": 4, "hard": true}"#)
        #expect(try read(Versioned.self, text(old.document.bytes)) == Versioned(health: 9, coins: 4, difficulty: .hard))
        #expect(old.from == nil)
    }

    @Test("a later save is refused, and so is one whose migration fails") func refused() throws {
        #expect(
            refusal { _ = try migrated(#"{"version": "3.0"}"#) }
                == "Versioned: the save is of version \"3.0\", and this game knows \"1.2\"; update the game"
        )
        #expect(
            refusal { _ = try migrated(#"{"version": "1.0", "hp": 7}"#) } == """
                Versioned: the migration to "1.1" failed, and the save stays as it is: PlayerV1.purse: is missing in \
                the save; give the field a value to begin with, or make it optional
                """
        )
        do {
            _ = try migrated(#"{"version": "3.0"}"#)
        } catch let error as ProfileError {
            #expect(error.code == .newer)
        }
    }

    @Test("rules list the versions behind the last closure, which every device can take") func rules() throws {
        let rules = try Versioned.rules
        #expect(rules.version == "1.2" && rules.migrations.map(\.from) == ["1.1"])
        #expect(rules.migrations[0].steps.map(\.word) == ["rename", "rename", "map"])
        #expect(rules.legacy?.to == "1.1")
    }

    @Test("a save from before the game knew Hearth gets the version, and nothing else") func unversioned() throws {
        let codec = try ProfileCodec<Player>()
        let save = try codec.migrated(document(#"{"coins": 3}"#))
        #expect(text(save.document.bytes) == #"{"coins": 3, "version": "1"}"#)
    }

    @Test("a version deeper in the save, and one among the members of a part") func place() throws {
        struct Deep: Profile {
            var coins = 1
            static let versionAt = "/meta/version"
        }
        struct Shared: Profile {
            var meta = Meta()
            static let versionAt = "/meta/version"
            struct Meta: ProfilePart { var author = "me" }
        }
        #expect(try fresh(Deep(coins: 2)) == "{\n  \"meta\": {\n    \"version\": \"1\"\n  },\n  \"coins\": 2\n}\n")
        #expect(try fresh(Shared(meta: .init(author: "you"))).contains("\"author\": \"you\",\n    \"version\": \"1\""))
        #expect(try ProfileCodec<Shared>().migrated(document(fresh(Shared()))).reports.isEmpty)
    }

    struct WrongEnd: Profile {
        static let migrations = [
            Migration("1", to: "2") { (old: PlayerV1) in PlayerV11(vigour: 1, coins: 1, hard: true) }
        ]
    }
    struct Broken: Profile { static let migrations = [Migration("1", to: "2", .rename("hp", to: "x"))] }
    struct Gap: Profile { static let migrations = [Migration("1", to: "2"), Migration("3", to: "4")] }
    struct OtherVersion: Profile {
        static let version = "3"
        static let migrations = [Migration("1", to: "2")]
    }

    struct RenamedWrong: Profile {
        @Highest var health = 0
        static let migrations = [Migration("1", to: "2", .rename("/hp", to: "helth"))]
    }
    struct MovedBeside: Profile {
        var stats = Statistics()
        static let migrations = [
            Migration("1", to: "2", .rename("/hp", to: "games")),
            Migration("2", to: "3", .move("/games", to: "/stats/gmaes")),
        ]
    }
    struct FilledWrong: Profile {
        @Keyed var inventory: [Item] = []
        static let migrations = [Migration("1", to: "2", .fill("/inventory[id]/cuont", with: 1))]
    }
    struct LegacyWrong: Profile {
        var level = 1
        static let migrations = [Migration.legacy(to: "1", .rename("/lvl", to: "levle"))]
        static let version = "1"
    }
    struct AllMade: Profile {
        struct Place: Codable { var x = 0, y = 0 }
        var level = 1
        var place = Place()
        var levels: [String: LevelResult] = [:]
        @Counter var coins = 0
        static let migrations = [
            Migration.legacy(to: "1", .rename("/lvl", to: "stage")),
            Migration("0", to: "1") { (old: PlayerV1) in PlayerV11(vigour: old.hp, coins: old.purse, hard: false) },
            Migration("1", to: "2", .rename("/stage", to: "level"), .wrap("/at", as: "text")),
            Migration(
                "2", to: "3", .rename("/at", to: "place"), .split("/place/text", by: ",", into: "x", "y"),
                .fill("/levels/*/stars", with: 0), .remove("/amulet"), .compensate("/coins", add: 5, for: "/amulet"),
                .copy("/level", to: "/levels/first/stars")),
        ]
    }

    @Test(
        "a step that makes what the type does not have is refused, and named",
        arguments: [
            (RenamedWrong.self, "to \"2\" has a step rename that makes \"/helth\""),
            (MovedBeside.self, "to \"3\" has a step move that makes \"/stats/gmaes\""),
            (FilledWrong.self, "to \"2\" has a step default that makes \"/inventory[id]/cuont\""),
            (LegacyWrong.self, "to \"1\" has a step rename that makes \"/levle\""),
        ] as [(any Profile.Type, String)]
    ) func stepsToNowhere(type: any Profile.Type, sentence: String) {
        #expect(
            refusal(of: type)
                == "\(type): the migration \(sentence), and \(type) has no such field, nor does a later step take it "
                + "up; correct the name")
    }

    @Test("steps that make fields, and what later steps take up, are fine") func stepsToFields() {
        #expect(refusal(of: AllMade.self) == "nothing was refused")
    }

    @Test(
        "migrations that cannot be are refused when the profile is opened",
        arguments: [
            (WrongEnd.self, "the last migration must give a WrongEnd, which is what version 2 is"),
            (Broken.self, "the migrations cannot be used: the path \"hp\" must begin with \"/\""),
            (Gap.self, "the migrations cannot be used: "), (OtherVersion.self, "the migrations cannot be used: "),
        ] as [(any Profile.Type, String)]
    ) func wrong(type: any Profile.Type, sentence: String) {
        #expect(refusal(of: type).hasPrefix("\(type): \(sentence)"), "\(refusal(of: type))")
    }
}
