import HearthKit
import LosslessJSON
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A change of the profile edits only the text of what changed.
struct PatchTests {
    static let save = """
        {"unknown": [1.0, 2e3],
          "coins"  : 1.0e2 , "level":5,
         "stats": {"streak": 3, "mystery": {"deep": 1.50}, "games": 7.0},
         "levels": {"2": {"stars": 1, "ghost": true}, "1": {"stars": 3.0}},
         "position": {"z": 0.10000000000000000555, "x": 1.000, "y": 0.30},
         "themes": ["neon", "lava", "forest"],
         "inventory": [{"id": "sword", "count": 1.0, "rune": "x"}, {"id": "shield", "count": 2}],
         "history": [{"score": 1, "playedAt": "2026-01-31 10:20:30"}],
         "bestTime": 123456789012345678901234567890.0, "displayName": "Zo\\u00eb", "café": 1}
        """

    static func changed(_ from: String, _ to: String) -> String {
        let ranges = save.ranges(of: from)
        #expect(ranges.count == 1, "\(from) stands \(ranges.count) times")
        return save.replacing(from, with: to)
    }

    @Test("no change is no change, byte for byte") func nothing() throws {
        #expect(try edit(Player.self, Self.save) { _ in } == Self.save)
        #expect(
            try edit(Player.self, Self.save) {
                $0.coins += 0; $0.themes.insert(.neon)
            } == Self.save
        )
    }

    static let edits: [(String, String, @Sendable (inout Player) -> Void)] = [
        ("1.0e2", "105", { $0.coins += 5 }),
        ("\"games\": 7.0", "\"games\": 8", { $0.stats.games += 1 }),
        ("\"stars\": 3.0", "\"stars\": 2", { $0.levels["1"]?.stars = 2 }),
        ("\"x\": 1.000", "\"x\": 2.5", { $0.position.x = 2.5 }),
        ("\"count\": 1.0", "\"count\": 4", { $0.inventory[0].count += 3 }),
        ("\"Zo\\u00eb\"", "\"Zoe\"", { $0.displayName = "Zoe" }),
        ("\"lava\", \"forest\"", "\"lava\", \"forest\", \"desert\"", { $0.themes.insert(.desert) }),
        ("[\"neon\", \"lava\"", "[\"lava\"", { $0.themes.remove(.neon) }),
        (", {\"id\": \"shield\", \"count\": 2}", "", { $0.inventory.removeLast() }),
        ("123456789012345678901234567890.0", "3.5", { $0.bestTime = 3.5 }),
        (
            "\"count\": 2}]", "\"count\": 2}, {\"id\": \"cap\", \"count\": 1}]",
            { $0.inventory.append(Item(id: "cap", count: 1)) }
        ),
        ("\"ghost\": true}", "\"ghost\": true, \"moves\": 4}", { $0.levels["2"]?.moves = 4 }),
        ("\"café\": 1}", "\"café\": 1, \"tutorialDone\": true}", { $0.tutorialDone = true }),
        ("\"2\": {\"stars\": 1, \"ghost\": true}, ", "", { $0.levels["2"] = nil }),
        ("[{\"score\": 1, \"playedAt\": \"2026-01-31 10:20:30\"}]", "[]", { $0.history = [] }),
    ]

    @Test("one change is one edit", arguments: edits.indices) func one(index: Int) throws {
        let (from, to, change) = Self.edits[index]
        #expect(try edit(Player.self, Self.save, change) == Self.changed(from, to))
    }

    @Test("all changes at once are all edits") func all() throws {
        let picked = [0, 1, 2, 3, 4, 5, 6, 9, 12]
        let expected = picked.reduce(Self.save) { $0.replacing(Self.edits[$1].0, with: Self.edits[$1].1) }
        #expect(try edit(Player.self, Self.save) { for index in picked { Self.edits[index].2(&$0) } } == expected)
    }

    @Test("what a later version put into a set stays, and so does what it is called there") func later() throws {
        #expect(try read(Player.self, Self.save).themes == [.neon, .forest])
        let cleared = try edit(Player.self, Self.save) { $0.themes = [] }
        #expect(cleared == Self.changed("[\"neon\", \"lava\", \"forest\"]", "[\"lava\"]"))
    }

    @Test("entries whose keys this version does not know stay as well") func laterKeys() throws {
        let save = #"{"bestScores": {"story": 5, "coop": {"of": "later"}}}"#
        #expect(try read(Player.self, save).bestScores == [.story: 5])
        #expect(try edit(Player.self, save) { $0.bestScores[.story] = 6 } == save.replacing("5", with: "6"))
        #expect(try edit(Player.self, save) { $0.bestScores = [:] } == #"{"bestScores": {"coop": {"of": "later"}}}"#)
    }

    @Test("a member that the save spells in another way is found when it goes") func respelled() throws {
        let id = "abcdef01-0000-0000-0000-000000000000"
        let save = "{\"friends\": [\"\(id)\", \"00000000-0000-0000-0000-000000000001\"]}"
        let changed = try edit(Player.self, save) { $0.friends.remove(UUID(uuidString: id)!) }
        #expect(changed == "{\"friends\": [\"00000000-0000-0000-0000-000000000001\"]}")
    }

    @Test("a set built anew in another order is no change, wherever it lies") func setsInside() throws {
        struct Muted: Codable, Equatable {
            var names: Set<String> = []
            var byMode: [Mode: Set<Int>] = [:]
        }
        struct Settings: Profile { var muted = Muted() }
        let names = (0..<50).map { "name \($0)" }
        var settings = Settings()
        settings.muted = Muted(names: Set(names), byMode: [.story: Set(0..<50), .arcade: [1]])
        let save = try fresh(settings)
        let same = try edit(Settings.self, save) { changed in
            var (rebuilt, numbers) = (Set<String>(minimumCapacity: 500), Set<Int>(minimumCapacity: 900))
            for name in names.reversed() { rebuilt.insert(name) }
            for number in (0..<50).reversed() { numbers.insert(number) }
            changed.muted = Muted(names: rebuilt, byMode: [.arcade: [1], .story: numbers])
        }
        #expect(same == save)
    }

    @Test("keyed elements are found by their id when the game orders them anew, with all the type does not know")
    func reordered() throws {
        let changed = try edit(Player.self, Self.save) {
            $0.inventory = [Item(id: "bow", count: 1), $0.inventory[1], $0.inventory[0]]
            $0.inventory[2].count = 9
        }
        let value = try JSONValue(parsing: Array(changed.utf8))
        #expect(
            value["inventory"] == [
                ["id": "bow", "count": 1], ["id": "shield", "count": 2], ["id": "sword", "count": 9, "rune": "x"],
            ]
        )
    }

    @Test("a list changes where it changed") func lists() throws {
        let save = #"{"route": [{"x": 1.0, "y": 1, "name": "a"}, {"x": 2.0, "y": 2, "name": "b"}, {"x": 3.0, "y": 3}]}"#
        func after(_ change: (inout [Position]) -> Void) throws -> String {
            try edit(Player.self, save) { change(&$0.route) }
        }
        #expect(try after { $0[1].y = 5 } == save.replacing("\"y\": 2", with: "\"y\": 5"))
        #expect(try after { $0.remove(at: 1) } == save.replacing(#"{"x": 2.0, "y": 2, "name": "b"}, "#, with: ""))
        #expect(try after { $0.append(Position(x: 4, y: 4)) }.hasSuffix(#"{"x": 3.0, "y": 3}, {"x": 4, "y": 4}]}"#))
        let inserted = try after { $0.insert(Position(x: 9, y: 9), at: 1) }
        #expect(inserted.contains(#""name":"a""#) || inserted.contains(#""name": "a""#))
        #expect(try read(Player.self, inserted).route.map(\.x) == [1, 9, 2, 3])
    }

    @Test("a new save has the version first, then the fields in the order of the type, sets and entries sorted")
    func order() throws {
        struct Ordered: Profile {
            var zebra = 1
            @Highest var apple = 2
            var numbers: Set<Int> = []
            var names: [String: Int] = [:]
            var missing: Int?
            @Latest var empty: [Int] = [1]
            var untouched = 5
            var part = Statistics()
            var other = Statistics()
        }
        var ordered = Ordered()
        (ordered.zebra, ordered.apple, ordered.empty) = (0, 3, [])
        (ordered.numbers, ordered.names) = ([10, 9, 1], ["b": 1, "a": 2])
        ordered.part.streak = 4
        #expect(
            try fresh(ordered) == """
                {
                  "version": "1",
                  "zebra": 0,
                  "apple": 3,
                  "numbers": [
                    1,
                    9,
                    10
                  ],
                  "names": {
                    "a": 2,
                    "b": 1
                  },
                  "empty": [],
                  "part": {
                    "streak": 4
                  }
                }

                """
        )
    }

    @Test("a key that the save spells in another way is not written twice") func keySpelling() throws {
        struct Code: Codable, Hashable, CodingKeyRepresentable {
            var text: String
            init(_ text: String) { self.text = text.uppercased() }
            var codingKey: any CodingKey { text.codingKey }
            init?<Key: CodingKey>(codingKey: Key) { self.init(codingKey.stringValue) }
        }
        struct Coded: Profile { @Counter var kills: [Code: Int] = [:] }
        #expect(
            refusal { _ = try edit(Coded.self, #"{"kills": {"orc": 1}}"#) { $0.kills[Code("ORC")] = 2 } }
                .contains("\"ORC\" is spelled otherwise in the save")
        )
    }

    @Test("whatever the game does, the save reads back as what it has, and unknown members stay", arguments: 0..<8)
    func anything(seed: UInt64) throws {
        struct Bag: Profile, Equatable {
            @Keyed var items: [Item] = []
            @Log(sortedBy: \.x) var log: [Position] = []
            @Members var friends: Set<Int> = []
            @Union var themes: Set<Theme> = []
            @Latest var route: [Position] = []
            var levels: [String: LevelResult] = [:]
            @Whole var whole: [String: [Int]] = [:]
            var pet: Pet? = Pet()
        }
        var random = SeededRandom(seed: seed)
        let codec = try ProfileCodec<Bag>()
        var save = try JSONDocument(
            parsing: Array(
                #"""
                {"other": 1.0, "items": [{"id": "0", "count": 1.0, "rune": 7e0}], "themes": ["lava", "neon"],
                 "pet": {"name": "Bo", "collar": "red"}, "levels": {"0": {"ghost": 1.50}}}
                """#.utf8
            )
        )
        // Snapshots that follow one another, and reuse nodes, must give the same as a fresh reading of each save.
        var following = try codec.snapshot(save)
        var bag = following.profile
        for _ in 0..<150 {
            let snapshot = try codec.snapshot(save)
            #expect(snapshot.profile == bag)
            for _ in 0..<random.below(3) + 1 {
                let number = random.below(4)
                switch random.below(11) {
                case 0:
                    if !bag.items.contains(where: { $0.id == "\(number)" }) {
                        bag.items.insert(Item(id: "\(number)", count: number), at: random.below(bag.items.count + 1))
                    }
                case 1: bag.items.removeAll { $0.id == "\(number)" && number > 0 }
                case 2: if let index = bag.items.indices.last { bag.items[index].count += 1 }
                case 3: bag.items.shuffle(using: &random)
                case 4: bag.log.insert(Position(x: Double(number), y: 0.5), at: random.below(bag.log.count + 1))
                case 5: if !bag.log.isEmpty { bag.log.remove(at: random.below(bag.log.count)) }
                case 6: bag.friends.formSymmetricDifference([number])
                case 7: bag.themes.formSymmetricDifference([[.forest, .desert, .neon][number % 3]])
                case 8: bag.route = (0..<number).map { Position(x: Double($0), y: Double(random.below(2))) }
                case 9:
                    bag.levels["\(number)"] =
                        number > 0 && bag.levels["\(number)"] != nil ? nil : LevelResult(stars: number)
                default:
                    bag.whole["\(number)"] = number == 0 ? nil : Array(repeating: number, count: random.below(3))
                    bag.pet = number == 0 ? nil : bag.pet.map { Pet(name: $0.name, treats: number) }
                }
            }
            save = try JSONDocument(parsing: try snapshot.edited(bag).text)
            let edited = try following.edited(bag)
            #expect(edited.text == save.bytes)
            following = try following.following(edited, save)
            #expect(try codec.snapshot(save).profile == bag)
            let value = save.value(save.root)
            #expect(value["other"]?.spelled == "1.0")
            guard case .array(let items)? = value["items"], case .array(let themes)? = value["themes"] else {
                Issue.record("a list is gone")
                return
            }
            #expect(items.first { $0["id"] == "0" }?["rune"]?.spelled == "7e0")
            #expect(themes.contains("lava"))
            if bag.levels["0"] != nil { #expect(value["levels"]?["0"]?["ghost"]?.spelled == "1.50") }
            if bag.pet != nil { #expect(value["pet"]?["collar"] == "red") }
            if bag == snapshot.profile { #expect(save.bytes == snapshot.document.bytes) }
        }
    }
}
