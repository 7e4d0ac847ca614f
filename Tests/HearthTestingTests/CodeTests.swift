import HearthKit
import LosslessJSON
import MergeCore
import TestSupport
import Testing

@testable import HearthTesting

/// A scenario that is printed as code. The code stands here once, as lines that are compiled and run: they must come to the
/// scenario, and the scenario must be printed as these lines.
@Suite struct CodeTests {
    private static let scenario = Scenario(
        devices: ["laptop", "deck"], seed: 17,
        steps: [
            .plays("laptop", [.add("/coins", 30), .insert("/themes", #""dark""#)]),
            .silencesOneWay("laptop", toward: "deck"),
            .partition("laptop", "deck"),
            .plays("deck", [.add("/coins", -8), .set("/tutorialDone", "true"), .set("/displayName", #""Bo""#)]),
            .plays("deck", [.set("/medals/streak", "4")]),
            .crashes("deck", beforeDiskStep: nil),
            .overwrites("laptop", []),
            .overwritesAmid("laptop", [.add("/coins", 5)], diskStep: 3),
            .setsClock("laptop", ahead: 3_600_000),
            .wait(1_500),
            .starts("deck"),
            .losesRecord("deck"),
            .joinsAgain("deck"),
            .sleeps("deck"),
            .wakes("deck"),
            .makesDiskReadOnly("deck"),
            .makesDiskWritable("deck"),
            .heal,
            .resets("laptop", scope: "progress"),
            .settle,
        ])

    /// The lines of this file that are compiled in ``theCodeIsTheScenario()``, without their indentation.
    private static func lines() throws -> [String] {
        let file = Disk.text(#filePath).split(separator: "\n").map { String($0.drop { $0 == " " }) }
        let begin = try #require(file.firstIndex(of: "// The code begins."))
        let end = try #require(file.firstIndex(of: "// The code ends."))
        return Array(file[(begin + 1)..<end])
    }

    @Test func theScenarioIsPrintedAsTheCode() throws {
        let printed = ScenarioCode(Self.scenario, .typed("Hero")).test(named: "seed17")
        let lines = try Self.lines()
        let test = ["@Test func seed17() throws {"] + lines.map { "    " + $0 } + ["}", ""]
        #expect(printed == test.joined(separator: "\n"))
    }

    @Test func theCodeIsTheScenario() throws {
        // The code begins.
        let home = Household<Hero>(["laptop", "deck"], seed: 17)
        home.laptop.plays(.add("/coins", 30), .insert("/themes", #""dark""#))
        home.silence("laptop", toward: "deck")
        home.partition("laptop", "deck")
        home.deck.plays(.add("/coins", -8), .set("/tutorialDone", "true"), .set("/displayName", #""Bo""#))
        home.deck.plays(.set("/medals/streak", "4"))
        home.deck.crashes()
        home.laptop.overwritesFromMemory()
        home.laptop.overwritesFromMemory(.add("/coins", 5), beforeDiskStep: 3)
        home.laptop.setsClock(ahead: .milliseconds(3600000))
        home.wait(.milliseconds(1500))
        home.deck.starts()
        home.deck.losesRecord()
        home.deck.joinsAgain()
        home.deck.sleeps()
        home.deck.wakes()
        home.deck.makesDiskReadOnly()
        home.deck.makesDiskWritable()
        home.heal()
        home.laptop.resets("progress")
        home.settle()
        #expect(home.findings.isEmpty)
        // The code ends.
        #expect(home.scenario == Self.scenario)
        // And it prints itself as it was written, but for the test's last line.
        #expect(home.code.split(separator: "\n").map(String.init) == Array(try Self.lines().dropLast()))
    }

    /// What a closure did is told by its places: whether a test may set a member is not known.
    @Test func whatAClosureDidIsToldByItsPlaces() {
        let home = Household<Purse>(["laptop"], seed: 1)
        home.laptop.plays { $0.earns(30) }
        #expect(
            home.code == """
                let home = Household<CodeTests.Purse>(["laptop"], seed: 1)
                home.laptop.plays(.add("/coins", 30))
                """)
        home.laptop.plays(.add("/coins", 30))
        #expect(home.laptop.profile.coins == 60)
    }

    /// A profile whose coins only the game itself changes.
    struct Purse: Profile {
        @Counter private(set) var coins = 0

        mutating func earns(_ amount: Int) { coins += amount }
    }

    /// What the developer handed over is handed over again.
    @Test func whatWasHandedOver() throws {
        var rich = Hero()
        rich.coins = 100
        let moves = [Move<Hero>("finds coins") { hero, _ in hero.coins += 1 }]
        let invariants = [Invariant<Hero>("coins are never below zero") { $0.coins >= 0 }]
        let home = Household<Hero>(["deck"], seed: 2, beginning: rich, moves: moves, invariants: invariants)
        let arguments = "seed: 2, beginning: beginning, moves: moves, invariants: invariants"
        #expect(home.code == #"let home = Household<Hero>(["deck"], \#(arguments))"#)
        let plain = try PlainHousehold(
            ["deck"], rules: "rules: {/coins: counter}", save: #"{"coins": 5}"#, seed: 3,
            invariants: [(name: "it is JSON", holds: { $0.hasPrefix("{") })])
        let other = "rules: rules, save: save, seed: 3, invariants: invariants"
        #expect(plain.code == #"let home = try PlainHousehold(["deck"], \#(other))"#)
    }

    @Test func namesAndTextsThatNeedCare() {
        let scenario = Scenario(
            devices: ["steam deck", "settle", "devices"], seed: 1,
            steps: [
                .plays("steam deck", [.set(#"/crew/[id="oak"]/mood"#, #""a\"b""#), .add("/x", "0.25")]),
                .crashes("settle", beforeDiskStep: 3), .heal, .undoes("devices"),
            ])
        let lines = ScenarioCode(scenario, .plain(save: "saves[0]")).lines
        #expect(
            lines == [
                #"let home = try PlainHousehold(["steam deck", "settle", "devices"], rules: rules, save: saves[0], seed: 1)"#,
                ##"home["steam deck"].plays(.set(#"/crew/[id="oak"]/mood"#, #""a\"b""#), .add("/x", "0.25"))"##,
                #"home["settle"].crashes(beforeDiskStep: 3)"#,
                "home.heal()",
                #"home["devices"].undoes()"#,
            ])
    }
}
