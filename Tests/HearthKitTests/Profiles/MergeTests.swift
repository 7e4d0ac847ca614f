import HearthKit
import LosslessJSON
import MergeCore
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Two devices change the same save; the rules of the type decide the result.
struct MergeTests {
    /// The result of the merge, which must be the same in either order.
    private func merged(
        _ start: Player,
        _ first: (inout Player) -> Void,
        _ second: (inout Player) -> Void
    ) throws -> Player {
        let base = try document(fresh(start))
        let snapshot = try ProfileCodec<Player>().snapshot(base)
        func side(_ change: (inout Player) -> Void, _ time: WallTime) throws -> ThreeWayMerge.Side {
            var profile = snapshot.profile
            change(&profile)
            return .init(try JSONDocument(parsing: try snapshot.edited(profile).text), time: time)
        }
        let (a, b, rules) = (try side(first, 1_000), try side(second, 2_000), try Player.rules)
        let there = try ThreeWayMerge(a: a, b: b, base: .init(base, time: 0), rules: rules)
        let back = try ThreeWayMerge(a: b, b: a, base: .init(base, time: 0), rules: rules)
        #expect(there.unreadable.isEmpty && back.unreadable.isEmpty)
        let result = try read(Player.self, text(there.bytes))
        var other = try read(Player.self, text(back.bytes))
        // Local fields and the order of lists may differ between the two results.
        (other.grid, other.volume) = (result.grid, result.volume)
        other.inventory.sort { $0.id < $1.id }
        var sorted = result
        sorted.inventory.sort { $0.id < $1.id }
        #expect(other == sorted)
        return result
    }

    @Test("five coins here and seven there are twelve") func counters() throws {
        let player = try merged(Player()) {
            $0.coins += 5
            $0.kills["orc", default: 0] += 1
            $0.stats.games += 2
        } _: {
            $0.coins += 7
            $0.kills["orc", default: 0] += 4
            $0.stats.games += 1
        }
        #expect(player.coins == 12 && player.kills == ["orc": 5] && player.stats.games == 3)
    }

    @Test("of a set without a wrapper both additions stay, and a removal counts") func bareSet() throws {
        let player = try merged(Player(tags: ["old", "dull"])) {
            $0.tags = ["old", "here"]
        } _: {
            $0.tags.insert("there")
        }
        #expect(player.tags == ["old", "here", "there"])
    }

    @Test("the best of each, and what was unlocked anywhere") func best() throws {
        let player = try merged(Player()) {
            ($0.level, $0.bestLap, $0.bestTime) = (7, 61, 12)
            $0.bestScores = [.story: 10]
            $0.themes.insert(.neon)
            $0.badges.insert(.first)
            $0.firstWin = date(10)
            $0.hints = [.story: ["run"]]
            $0.levels["1"] = LevelResult(stars: 3, moves: 30)
        } _: {
            ($0.level, $0.bestLap, $0.bestTime) = (5, 63, 11)
            $0.bestScores = [.story: 8, .arcade: 2]
            $0.themes.insert(.desert)
            $0.badges.insert(.third)
            $0.firstWin = date(9.5)
            $0.hints = [.story: ["jump"]]
            $0.tutorialDone = true
            $0.levels["1"] = LevelResult(stars: 1, moves: 25)
            $0.levels["2"] = LevelResult(stars: 2)
        }
        #expect(player.level == 7 && player.bestLap == 61 && player.bestTime == 11)
        #expect(player.bestScores == [.story: 10, .arcade: 2])
        #expect(player.themes == [.neon, .desert] && player.badges == [.first, .third])
        #expect(player.firstWin == date(9.5) && player.tutorialDone)
        #expect(player.hints == [.story: ["run", "jump"]])
        #expect(player.levels["1"] == LevelResult(stars: 3, moves: 25, skin: "plain"))
        #expect(player.levels["2"]?.stars == 2)
    }

    @Test("a fresh start on one device beats nothing on the other") func freshStart() throws {
        var played = Player()
        (played.level, played.coins, played.bestLap, played.bestTime) = (9, 40, 61, 5)
        (played.themes, played.tutorialDone, played.firstWin) = ([.neon], true, date(0))
        played.inventory = [Item(id: "sword", count: 2)]
        played.levels = ["1": LevelResult(stars: 3, moves: 9)]
        (played.displayName, played.theme, played.position) = ("Zoë", .neon, Position(x: 1, y: 2))
        (played.ending, played.note, played.outcome) = (.king, nil, .finished(score: 1))
        played.campaign = Campaign(chapter: 2)
        played.stats = Statistics(games: 3, streak: 1)
        played.friends = [UUID()]
        let (old, new) = (try document(fresh(played)), try document(fresh(Player())))
        for (a, b) in [(old, new), (new, old)] {
            let merge = try ThreeWayMerge(
                a: .init(a, time: 1),
                b: .init(b, time: 2),
                base: nil,
                rules: try Player.rules
            )
            let player = try read(Player.self, text(merge.bytes))
            #expect(player == played)
        }
    }

    @Test("members come and go, and keyed elements merge inside") func sets() throws {
        let friends = (0..<3).map { _ in UUID() }
        var start = Player()
        start.friends = [friends[0], friends[1]]
        start.inventory = [Item(id: "sword", count: 1), Item(id: "shield", count: 1)]
        let player = try merged(start) {
            $0.friends.remove(friends[0])
            $0.inventory[0].count += 2
            $0.inventory.append(Item(id: "bow", count: 1))
        } _: {
            $0.friends.insert(friends[2])
            $0.inventory[0].count += 3
            $0.inventory.remove(at: 1)
        }
        #expect(player.friends == [friends[1], friends[2]])
        #expect(player.inventory.sorted { $0.id < $1.id } == [Item(id: "bow", count: 1), Item(id: "sword", count: 6)])
    }

    @Test("one value is never half from one side") func whole() throws {
        let player = try merged(Player()) {
            $0.position = Position(x: 1, y: 1)
            $0.campaign = Campaign(chapter: 2, xp: 1, party: ["a"])
            $0.displayName = "first"
            $0.outcome = .finished(score: 3)
            $0.grid = Grid(cells: [1])
            $0.colours["hat"] = Position(x: 1, y: 0)
        } _: {
            $0.position.y = 9
            $0.campaign = Campaign(chapter: 1, xp: 900, party: ["b"])
            $0.displayName = "second"
            $0.grid = Grid(cells: [2])
            $0.colours["coat"] = Position(x: 0, y: 2)
        }
        #expect(player.position == Position(x: 0, y: 9))
        #expect(player.campaign == Campaign(chapter: 2, xp: 1, party: ["a"]))
        #expect(player.displayName == "second" && player.outcome == .finished(score: 3))
        #expect(player.grid == Grid(cells: [1]))
        #expect(player.colours == ["hat": Position(x: 1, y: 0), "coat": Position(x: 0, y: 2)])
    }

    @Test("logs are put together, the latest first") func logs() throws {
        let games = (0..<4).map { Game(playedAt: date(Double($0)), score: $0) }
        var start = Player()
        start.history = [games[1]]
        let player = try merged(start) {
            $0.history += [games[0], games[3]]
        } _: {
            $0.history.insert(games[2], at: 0)
        }
        #expect(player.history == games.reversed())
    }
}
