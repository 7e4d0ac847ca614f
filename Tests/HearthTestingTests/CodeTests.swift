import HearthKit
import LosslessJSON
import MergeCore
import Testing

@testable import HearthTesting

/// A scenario that is printed as code. The code is kept here twice: as the text that is printed, and as code that is
/// compiled and run; both must come to the same scenario.
@Suite struct CodeTests {
    private static let scenario = Scenario(
        devices: ["laptop", "deck"], seed: 17,
        steps: [
            .plays("laptop", [.add("/coins", 30), .insert("/themes", #""dark""#)]),
            .partition("laptop", "deck"),
            .plays("deck", [.add("/coins", -8), .set("/tutorialDone", "true"), .set("/displayName", #""Bo""#)]),
            .plays("deck", [.set("/medals/streak", "4")]),
            .crashes("deck", beforeDiskStep: nil),
            .overwrites("laptop", []),
            .setsClock("laptop", ahead: 3_600_000),
            .wait(1_500),
            .starts("deck"),
            .heal,
            .resets("laptop", scope: "progress"),
            .settle,
        ])

    private static let code = """
        @Test func seed17() throws {
            let home = Household<Hero>(["laptop", "deck"], seed: 17)
            home.laptop.plays { $0.coins += 30; $0.themes.insert("dark") }
            home.partition("laptop", "deck")
            home.deck.plays { $0.coins -= 8; $0.tutorialDone = true; $0.displayName = "Bo" }
            home.deck.plays(.set("/medals/streak", "4"))
            home.deck.crashes()
            home.laptop.overwritesFromMemory()
            home.laptop.setsClock(ahead: .milliseconds(3600000))
            home.wait(.milliseconds(1500))
            home.deck.starts()
            home.heal()
            home.laptop.resets("progress")
            home.settle()
            #expect(home.findings.isEmpty)
        }

        """

    private func language() throws -> CodeLanguage {
        .typed(fields: SwiftField.all(of: Hero.self, try ProfileCodec<Hero>().fields), type: "Hero")
    }

    @Test func theTextIsAsItIsKept() throws {
        let printed = ScenarioCode(Self.scenario, try language()).test(named: "seed17", hasMoves: false)
        #expect(printed == Self.code)
    }

    /// The lines of the text above, compiled.
    @Test func theCodeIsTheScenario() throws {
        let home = Household<Hero>(["laptop", "deck"], seed: 17)
        home.laptop.plays {
            $0.coins += 30; $0.themes.insert("dark")
        }
        home.partition("laptop", "deck")
        home.deck.plays {
            $0.coins -= 8; $0.tutorialDone = true; $0.displayName = "Bo"
        }
        home.deck.plays(.set("/medals/streak", "4"))
        home.deck.crashes()
        home.laptop.overwritesFromMemory()
        home.laptop.setsClock(ahead: .milliseconds(3600000))
        home.wait(.milliseconds(1500))
        home.deck.starts()
        home.heal()
        home.laptop.resets("progress")
        home.settle()
        #expect(home.findings.isEmpty)
        #expect(home.scenario.devices == Self.scenario.devices)
        #expect(home.scenario.seed == Self.scenario.seed)
        for (told, step) in zip(home.scenario.steps, Self.scenario.steps) {
            #expect(Self.sorted(told) == Self.sorted(step))
        }
        #expect(home.scenario.steps.count == Self.scenario.steps.count)
        // And it prints itself as it was printed.
        let lines = Self.code.split(separator: "\n").dropFirst().dropLast(2).map { $0.drop { $0 == " " } }
        #expect(home.code.split(separator: "\n").count == lines.count)
    }

    /// A game writes its fields in the order of its type, and not in that of the edits.
    private static func sorted(_ step: HouseholdStep) -> HouseholdStep {
        guard case .plays(let device, let edits) = step else { return step }
        return .plays(device, edits.sorted { $0.description < $1.description })
    }

    @Test func namesAndTextsThatNeedCare() {
        let scenario = Scenario(
            devices: ["steam deck", "settle"], seed: 1,
            steps: [
                .plays("steam deck", [.set(#"/crew/[id="oak"]/mood"#, #""a\"b""#), .add("/x", "0.25")]),
                .crashes("settle", beforeDiskStep: 3), .heal,
            ])
        let lines = ScenarioCode(scenario, .plain).lines(hasMoves: false)
        #expect(
            lines == [
                #"let home = try PlainHousehold(["steam deck", "settle"], rules: rules, save: save, seed: 1)"#,
                ##"home["steam deck"].plays(.set(#"/crew/[id="oak"]/mood"#, #""a\"b""#), .add("/x", "0.25"))"##,
                #"home["settle"].crashes(beforeDiskStep: 3)"#,
                "home.heal()",
            ])
    }
}
