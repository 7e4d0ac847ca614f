import HearthKit
import LosslessJSON
import MergeCore
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A profile is written as text and read back.
struct RoundTripTests {
    static var filled: Player {
        var player = Player()
        player.level = 12
        player.lastPlayed = date(0.123_456_7)
        player.bestScores = [.story: 500, .arcade: 20]
        player.bestLap = 61
        player.fewestMoves = 9
        player.bestTime = 12.5
        player.firstWin = date(-86_400 * 365 * 30 + 0.5)
        player.unlockedAt = ["first": date(1), "second": date(2)]
        player.coins = -3
        player.kills = ["orc": 4, "bat/1~": 2]
        player.themes = [.neon, .desert]
        player.hints = [.arcade: ["jump", "run"]]
        player.friends = [UUID(), UUID(), UUID()]
        player.tutorialDone = true
        player.chests = [7: true, 10: false]
        player.badges = [.first, .third]
        player.achievementBits = .max
        player.displayName = "Zoë \u{1F3AE} \"quoted\" \\ /\n"
        player.colours = ["hat": Position(x: 1, y: 2)]
        player.keys = ["jump": "space"]
        player.ending = .hermit
        player.campaign = Campaign(chapter: 3, xp: 100, party: ["a", "b"])
        player.grid = Grid(cells: [1, 2, 3])
        player.volume = 0.1
        player.history = [Game(playedAt: date(5), score: 3), Game(playedAt: date(4), score: 9)]
        player.inventory = [Item(id: "sword", count: 1, name: "Sting"), Item(id: "shield", count: 2)]
        player.equipment = [Equipment(slot: .hand, power: 4)]
        player.theme = .desert
        player.position = Position(x: -0.25, y: 1e300)
        player.outcome = .finished(score: 5)
        player.note = nil
        player.pet = Pet(name: "Bo", treats: 3)
        player.stats = Statistics(games: 9, streak: 2, quickest: 3.25)
        player.levels = ["1": LevelResult(stars: 3, moves: 20), "2": LevelResult()]
        player.tags = ["b", "a"]
        player.route = [Position(x: 1, y: 1), Position()]
        player.options = ["music": true]
        return player
    }

    @Test("every kind of field comes back as it was written") func everything() throws {
        let filled = Self.filled
        #expect(try read(Player.self, fresh(filled)) == filled)
        #expect(try read(Player.self, fresh(Player())) == Player())
    }

    @Test("an edit from any profile to any other gives the other") func edits() throws {
        let profiles = [Player(), Self.filled]
        for before in profiles {
            for after in profiles {
                let changed = try edit(Player.self, fresh(before)) { $0 = after }
                #expect(try read(Player.self, changed) == after)
                if before == after { #expect(try changed == fresh(before)) }
            }
        }
    }

    @Test("a save that lacks fields gives their beginnings, in parts as well") func beginnings() throws {
        let player = try read(
            Player.self,
            #"{"pet": {"treats": 2}, "levels": {"1": {"stars": 2}}, "position": {"x": 4}, "stats": null}"#
        )
        var expected = Player()
        expected.pet = Pet(name: "Rex", treats: 2)
        expected.levels = ["1": LevelResult(stars: 2, skin: "plain")]
        expected.position = Position(x: 4, y: 0)
        #expect(player == expected)
        #expect(try read(Player.self, "{}") == Player())
    }

    @Test("nil is kept apart from a missing field that does not begin as nil") func null() throws {
        #expect(try read(Player.self, #"{"note": null}"#).note == nil)
        #expect(try read(Player.self, "{}").note == "hello")
        #expect(try edit(Player.self, #"{"note": "x"}"#) { $0.note = nil } == #"{"note": null}"#)
        #expect(try edit(Player.self, #"{"a": 1}"#) { $0.note = nil } == #"{"a": 1, "note": null}"#)
        #expect(try edit(Player.self, #"{"bestTime": 3, "a": 1}"#) { $0.bestTime = nil } == #"{"a": 1}"#)
    }

    @Test("numbers are exact, also beyond what Double holds") func numbers() throws {
        struct Numbers: Profile, Equatable {
            @Counter var signed: Int64 = 0
            @Counter var unsigned: UInt64 = 0
            @Counter var decimal: Decimal = 0
            var wide: Int128 = 0
            var single: Float = 0
            var small: Int8 = 0
        }
        var numbers = Numbers()
        (numbers.signed, numbers.unsigned, numbers.wide) = (.min, .max, .max)
        numbers.decimal = Decimal(string: "12345678901234567890.123456789")!
        (numbers.single, numbers.small) = (0.1, -128)
        let save = try fresh(numbers)
        for digits in [
            "-9223372036854775808", "18446744073709551615", "12345678901234567890.123456789",
            "170141183460469231731687303715884105727", "0.1,",
        ] { #expect(save.contains(digits), "\(digits) in \(save)") }
        #expect(try read(Numbers.self, save) == numbers)
        #expect(try read(Numbers.self, #"{"signed": 9.223372036854775807e18, "small": 12.0}"#).signed == .max)
    }

    @Test(
        "dates keep their fraction, and are read as other programs spell them",
        arguments: [
            ("2026-01-31T10:20:30Z", 1_769_854_830), ("2026-01-31T10:20:30.5Z", 1_769_854_830.5),
            ("2026-01-31T11:20:30+01:00", 1_769_854_830), ("2026-01-31T11:20:30+0100", 1_769_854_830),
            ("2026-01-31T11:20:30.25+01:00", 1_769_854_830.25), ("2026-01-31T10:20:30", 1_769_854_830),
            ("2026-01-31 10:20:30", 1_769_854_830), ("2026-01-31", 1_769_817_600),
            ("1960-01-01T00:00:00.25Z", -315_619_199.75),
        ] as [(String, Double)]
    ) func dates(text: String, seconds: Double) throws {
        let player = try read(Player.self, "{\"firstWin\": \"\(text)\"}")
        #expect(player.firstWin == Date(timeIntervalSince1970: seconds))
        #expect(try read(Player.self, fresh(player)).firstWin == player.firstWin)
    }

    @Test("a date of any moment comes back equal") func anyDate() throws {
        struct Dated: Profile { @Earliest var firstWin = Date(timeIntervalSinceReferenceDate: 0) }
        for number in 0..<1_000 {
            var dated = Dated()
            // Dates from 1906 to 2096, and dates so close to 2001 that a Double has more digits than any clock.
            let seconds = number < 900 ? Double.random(in: -3e9...3e9) : .random(in: -1...1)
            dated.firstWin = Date(timeIntervalSinceReferenceDate: seconds)
            let back = try read(Dated.self, fresh(dated)).firstWin
            let difference = abs(back.timeIntervalSinceReferenceDate - seconds)
            #expect(abs(seconds) > 3e7 ? difference == 0 : difference < 1e-9, "\(seconds)")
        }
    }

    @Test("other plain types, nested optionals and nested containers") func types() throws {
        struct Types: Profile, Equatable {
            var url: URL?
            var data = Data([1])
            var nested: Int??
            @Latest var lists: [[Int]] = []
            @Latest var maybe: [Int?] = []
            var byNumber: [Int: [String: Int]] = [:]
            var character: Ending?
            var empty = Empty()
        }
        var types = Types()
        types.url = URL(string: "https://example.org/a?b=c")
        types.data = Data([0, 255, 3])
        types.nested = 3
        (types.lists, types.maybe) = ([[1], [], [2, 3]], [1, nil, 3])
        types.byNumber = [-1: ["a": 1], 20: [:]]
        #expect(try read(Types.self, fresh(types)) == types)
        #expect(try fresh(types).contains("\"data\": \"AP8D\""))
    }

    @Test("fields that CodingKeys rename and leave out") func codingKeys() throws {
        struct Renamed: Profile, Equatable {
            @Counter var coins = 0
            @Highest var level = 1
            var scratch = 7
            enum CodingKeys: String, CodingKey {
                case level = "player level"
                case coins = "coins/total"
            }
        }
        #expect(try Renamed.rules.entries.map(\.pattern.description) == ["/player level", "/coins~1total"])
        var renamed = Renamed()
        (renamed.coins, renamed.level) = (4, 2)
        #expect(try read(Renamed.self, fresh(renamed)) == renamed)
        #expect(try fresh(renamed) == "{\n  \"version\": \"1\",\n  \"player level\": 2,\n  \"coins/total\": 4\n}\n")
    }

    @Test("wrappers are bare values to Foundation's coders as well") func foundation() throws {
        struct Pair: Codable, Equatable {
            @Counter var coins = 3  // no profile: it is coded by Foundation
            @Lowest(none: 0) var lap = 0
            @Local var grid: Grid?
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let data = try encoder.encode(Pair())
        #expect(String(decoding: data, as: UTF8.self) == #"{"coins":3,"grid":null,"lap":0}"#)
        #expect(try JSONDecoder().decode(Pair.self, from: data) == Pair())
    }

    @Test("a type that contains itself is one value, as deep as the limit") func recursive() throws {
        indirect enum Tree: Codable, Equatable, Sendable {
            case leaf
            case node(Tree)
        }
        struct Forest: Profile { var tree = Tree.leaf }
        func deep(_ levels: Int) -> Tree { (0..<levels).reduce(.leaf) { tree, _ in .node(tree) } }
        let fine = try fresh(Forest(tree: deep(60)))
        #expect(try read(Forest.self, fine).tree == deep(60))
        let sentence = "Forest: a value lies more than 128 levels deep; nest less"
        #expect(refusal { _ = try fresh(Forest(tree: deep(1_000))) } == sentence)
        let text =
            String(repeating: #"{"node":{"_0":"#, count: 200) + "{\"leaf\":{}}" + String(repeating: "}}", count: 200)
        #expect(refusal { _ = try read(Forest.self, "{\"tree\":\(text)}") } == sentence)
    }

    @Test("equal wrappers are equal, whatever their options") func equality() {
        struct A: Hashable { @Lowest(none: 0) var lap = 0 }
        struct B: Hashable { @Lowest var lap = 0 }
        #expect(A() == A() && Set([A(), A(lap: 1), A(lap: 0)]).count == 2)
        #expect(B(lap: 2).lap == 2)
    }
}
