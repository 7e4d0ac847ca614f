import HouseholdAgent
import HouseholdSimulation
import MergeCore
import Synchronization
import Testing

/// What a player is promised, asked of whole devices.
@Suite struct PromiseTests {
    private let path = "/saves/player.json"

    private func household(
        _ text: String, _ lines: [(String, MergeRule)], seed: UInt64 = 1
    ) throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let home = Home(seed: seed)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        try home.add(path, text, rules: try home.rules(lines), on: a)
        try home.restore(path, on: b)
        return (home, a, b)
    }

    // MARK: No loss

    /// The save that hits the moment between the last look at the file and the swap.
    @Test func aSaveThatIsSwappedAwayUnseenIsTakenUp() throws {
        let (home, a, b) = try household(#"{"coins":100}"#, [("/coins", MergeRule(.counter))])
        home.expect(#"{"coins":100}"#, at: path, on: [b])
        let files = b.files
        let path = path
        let isSaved = Mutex(false)
        b.files.power.setHook { operation in
            guard case .exchange(_, path) = operation,
                isSaved.withLock({ wasSaved in
                    defer { wasSaved = true }
                    return !wasSaved
                })
            else { return }
            files.saveByRename(Array(#"{"coins":107}"#.utf8), at: path)
        }
        home.household.save(#"{"coins":130}"#, to: path, on: a)
        home.expect(#"{"coins":137}"#, at: path, on: [a])
        home.expect(#"{"coins":137}"#, at: path, on: [b])
        #expect(isSaved.withLock { $0 })
    }

    @Test func whatBothDidWhileApartIsAllThere() throws {
        let rules = [
            ("/coins", MergeRule(.counter)), ("/level", MergeRule(.max)), ("/skins", MergeRule(.union)),
            ("/won", MergeRule(.flag)),
        ]
        let text = #"{"coins":10,"level":1,"skins":["red"],"won":false,"name":"Ada"}"#
        let (home, a, b) = try household(text, rules)
        home.household.run(milliseconds: 10_000)
        home.household.part(a, b)
        home.household.run(milliseconds: 1_000)
        home.household.save(
            #"{"coins":15,"level":7,"skins":["red","blue"],"won":false,"name":"Ada"}"#, to: path, on: a)
        home.household.save(
            #"{"coins":12,"level":3,"skins":["red","gold"],"won":true,"name":"Ada"}"#, to: path, on: b)
        home.household.run(milliseconds: 10_000)
        for device in [a, b] {
            home.household.kill(device)
            try home.household.start(device)
        }
        home.household.part(a, b, false)
        home.household.run(milliseconds: 120_000)
        for device in [a, b] {
            let shown = home.household.text(of: path, on: device) ?? ""
            for expected in [#""coins":17"#, #""level":7"#, #""blue""#, #""gold""#, #""red""#, #""won":true"#] {
                #expect(shown.contains(expected), "\(expected) on \(device.name): \(shown)")
            }
        }
    }

    // MARK: No double count

    @Test func whatHearthWroteItselfIsNeverASave() throws {
        let (home, a, b) = try household(#"{"coins":100}"#, [("/coins", MergeRule(.counter))])
        home.expect(#"{"coins":100}"#, at: path, on: [b])
        home.household.save(#"{"coins":500}"#, to: path, on: a)
        home.expect(#"{"coins":500}"#, at: path, on: [b])
        for device in [b, a] {
            home.household.run(milliseconds: 60_000)
            home.household.kill(device)
            try home.household.start(device)
        }
        home.household.run(milliseconds: 120_000)
        home.expect(#"{"coins":500}"#, at: path, on: [a])
        home.expect(#"{"coins":500}"#, at: path, on: [b])
    }

    // MARK: Nothing empty beats data

    @Test(arguments: [
        "", " ", "{}", "[]", "null", "{\"coins\":", #"{"coins":0,"gems":0,"items":[],"level":0,"name":""}"#,
    ])
    func anEmptyFileNeverChangesTheOtherDevice(empty: String) throws {
        let full = #"{"coins":100,"gems":7,"items":["sword"],"level":4,"name":"Ada"}"#
        for rules in [[], [("/coins", MergeRule(.counter)), ("/level", MergeRule(.max))]] {
            let (home, a, b) = try household(full, rules)
            home.expect(full, at: path, on: [b])
            // Both ways: emptied where it was adopted, and where it was restored.
            for (emptied, other) in [(b, a), (a, b)] {
                let before = home.household.text(of: path, on: other)
                home.household.save(empty, to: path, on: emptied)
                let changed = home.household.run(
                    until: { home.household.text(of: path, on: other) != before }, within: 90_000)
                let after = home.household.text(of: path, on: other) ?? "nothing"
                #expect(!changed, "\(empty) on \(emptied.name): \(after)")
                home.household.save(full, to: path, on: emptied)
                home.household.run(milliseconds: 10_000)
            }
        }
    }

    /// A fresh installation's defaults are newer than the progress they are joined with.
    @Test func defaultsThatStandAtThePathYieldToProgress() throws {
        let home = Home()
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        let full = #"{"coins":100,"name":"Ada","level":4}"#
        let rules = [("/coins", MergeRule(.counter)), ("/level", MergeRule(.max))]
        try home.add(path, #"{"coins":0,"name":"Nobody","level":0}"#, rules: try home.rules(rules), on: a)
        home.household.run(milliseconds: 2_000)
        home.household.save(full, to: path, on: a)
        home.household.run(milliseconds: 600_000)
        home.household.save(#"{"coins":0,"name":"","level":0}"#, to: path, on: b)
        try home.restore(path, on: b)
        home.expect(full, at: path, on: [a, b])
        home.household.run(milliseconds: 60_000)
        home.expect(full, at: path, on: [a, b])
    }

    // MARK: Delta only

    /// Bytes that a device has sent since the trace had so many lines.
    private func sent(by device: SimulatedDevice, _ home: Home, since mark: Int) -> Int {
        home.household.trace[mark...].reduce(0) { sum, line in
            let words = line.split(separator: " ")
            guard words.count >= 5, words[1] == "\(device.name):", words[2] == "send" else { return sum }
            return sum + (Int(words[4]) ?? 0)
        }
    }

    @Test func oneChangedLeafOfALargeSaveCostsLittle() throws {
        func text(_ first: Int) -> String {
            "{" + (1_000..<3_000).map { #""leaf-\#($0)":\#($0 == 1_000 ? first : $0)"# }.joined(separator: ",") + "}"
        }
        let (home, a, b) = try household(text(0), [])
        home.expect(text(0), at: path, on: [b])
        let whole = sent(by: a, home, since: 0)
        // The whole of it is compressed, and still far more than one leaf.
        #expect(whole > 4_000)
        // Over the link that stands.
        var mark = home.household.trace.count
        home.household.save(text(1_234), to: path, on: a)
        home.expect(text(1_234), at: path, on: [b])
        let warm = sent(by: a, home, since: mark)
        #expect(warm > 0 && warm < 200, "\(warm) bytes of \(whole)")
        // Over a new link.
        home.household.part(a, b)
        home.household.run(milliseconds: 2_000)
        home.household.save(text(5_678), to: path, on: a)
        home.household.run(milliseconds: 2_000)
        mark = home.household.trace.count
        home.household.part(a, b, false)
        home.expect(text(5_678), at: path, on: [b], within: 120_000)
        let cold = sent(by: a, home, since: mark)
        #expect(cold > 0 && cold < 3_000, "\(cold) bytes of \(whole)")
    }
}
