import HouseholdAgent
import HouseholdSimulation
import MergeCore
import TestSupport
import Testing

/// Whether a device keeps a state in memory, or reads it from its record each time, makes no difference to anybody.
@Suite struct LettingGoTests {
    private let paths = ["/saves/one.json", "/saves/two.json", "/saves/three.json"]

    private func save(_ dice: inout SeededRandom, _ round: Int) -> String {
        let coins = Int.random(in: 0...500, using: &dice)
        let name = ["Ada", "Bo", "Cy"].randomElement(using: &dice)!
        return #"{"coins": \#(coins), "themes": ["t\#(round % 7)", "dark"], "name": "\#(name)", "lap": \#(round)}"#
    }

    /// Plays at random on two devices, which are parted, killed and started again in between; what all of it came to.
    private func outcome(seed: UInt64, loadedProfiles: Int) throws -> [String] {
        let home = Home(seed: seed, loadedProfiles: loadedProfiles)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        let rules = try home.rules([
            ("/coins", MergeRule(.counter)), ("/themes", MergeRule(.union)), ("/name", MergeRule(.choice)),
        ])
        for (path, name) in zip(paths, ["one", "two", "three"]) {
            try home.add(path, #"{"coins": 100, "themes": ["dark"]}"#, rules: rules, name: name, on: a)
            home.household.run(milliseconds: 3_000)
            let id = home.household.ask(RestoreRequest(profile: name, path: path), on: b)
            #expect(home.household.run(until: { b.replies[id] != nil }))
        }
        var dice = SeededRandom(seed: seed)
        for round in 1...40 {
            let device = Bool.random(using: &dice) ? a : b
            home.household.save(save(&dice, round), to: paths.randomElement(using: &dice)!, on: device)
            switch Int.random(in: 0..<12, using: &dice) {
            case 0: home.household.part(a, b, Bool.random(using: &dice))
            case 1:
                home.household.kill(device)
                try home.household.start(device)
            case 2: _ = home.household.ask(ResetRequest(profile: "two"), on: device)
            case 3: _ = home.household.ask(UndoRequest(profile: "one"), on: device)
            default: break
            }
            home.household.run(milliseconds: Int64.random(in: 1...6_000, using: &dice))
        }
        home.household.part(a, b, false)
        home.household.run(milliseconds: 120_000)
        return try [a, b].flatMap { device in
            let status = try home.status(on: device).profiles.map {
                "\($0.name) \($0.state) \($0.remark ?? "") \($0.decisions ?? [])"
            }
            return paths.map { home.household.text(of: $0, on: device) ?? "nothing" } + status
        }
    }

    @Test(arguments: 1...UInt64(TestDepth.count(quick: 4, usual: 12, all: 200)))
    func aDeviceThatLetsGoAtOnceComesToTheSame(seed: UInt64) throws {
        let kept = try outcome(seed: seed, loadedProfiles: 1_000)
        let letGo = try outcome(seed: seed, loadedProfiles: 0)
        #expect(kept == letGo)
    }
}
