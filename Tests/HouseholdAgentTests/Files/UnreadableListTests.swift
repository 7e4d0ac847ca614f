import HouseholdAgent
import HouseholdSimulation
import MergeCore
import Testing

/// A list under `[id]` that cannot be told apart by its ids for a while, since two elements share one or one has none.
/// While it is so, other machines keep theirs. Once it can be read again, what the game did counts from the list that
/// could be read last: what it removed is gone, and what others did meanwhile, which its file never showed, stays.
@Suite struct UnreadableListTests {
    private let path = "/saves/player.json"
    private let start =
        #"{"bag":[{"id":"x","n":5,"name":"rope"},{"id":"y","n":1,"name":"bow"}],"day":1,\#(Self.rest)}"#
    /// So much else that it is never over half of a save that goes.
    private static let rest = #""a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8"#

    private func household() throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let rules = [("/bag[id]/n", MergeRule(.counter))]
        let (home, a, b) = try Home.sharing(start, at: path, rules: rules, seed: 51)
        home.play(start, at: path, on: b)
        return (home, a, b)
    }

    private func save(_ bag: String, day: Int) -> String { "{\"bag\":\(bag),\"day\":\(day),\(Self.rest)}" }

    private func expect(
        _ text: String, _ home: Home, _ devices: [SimulatedDevice], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        home.expect(text, at: path, on: devices, sourceLocation: sourceLocation)
        // And there is nothing that a later look would change.
        home.household.run(milliseconds: 10_000)
        home.expect(text, at: path, on: devices, within: 1, sourceLocation: sourceLocation)
        for device in devices {
            let profile = try home.profile(on: device)
            #expect(profile.unreadable == [] && profile.behind == nil, sourceLocation: sourceLocation)
            #expect(profile.remark == nil && profile.decisions == nil, sourceLocation: sourceLocation)
        }
    }

    private static let x = #"{"id":"x","n":5,"name":"rope"}"#
    private static let y = #"{"id":"y","n":1,"name":"bow"}"#
    /// Lists that nobody can take apart by `id`.
    static let unreadable = [
        "[\(x),\(y),\(y)]", "[\(x),{\"n\":1,\"name\":\"bow\"}]", #"[{"n":5,"name":"rope"},{"n":1,"name":"bow"}]"#,
        #"[{"id":[1],"n":5}]"#, #"["rope","bow"]"#, #"[{"id":"y","n":1},{"id":"y","n":5}]"#,
    ]

    // MARK: One writer

    @Test(arguments: unreadable) func anElementThatTheGameRemovedMeanwhileIsGone(_ odd: String) throws {
        let (home, a, b) = try household()
        home.play(save(odd, day: 2), at: path, on: a)
        #expect(home.household.text(of: path, on: a) == save(odd, day: 2))
        #expect(home.household.text(of: path, on: b) == start.replacing("\"day\":1", with: "\"day\":2"))
        #expect(try home.profile(on: a).unreadable.count == 1)
        home.play(save("[\(Self.y)]", day: 3), at: path, on: a)
        try expect(save("[\(Self.y)]", day: 3), home, [a, b])
    }

    @Test func whatIsRemovedAfterSeveralUnreadableSavesIsGone() throws {
        let (home, a, b) = try household()
        for (day, odd) in Self.unreadable.enumerated() { home.play(save(odd, day: day + 2), at: path, on: a) }
        // What comes in from elsewhere meanwhile makes new snapshots of the file.
        home.play(save("[\(Self.x),\(Self.y)]", day: 20), at: path, on: b)
        home.household.kill(a)
        try home.household.start(a)
        home.household.run(milliseconds: 5_000)
        home.play(save(Self.unreadable[0], day: 21), at: path, on: a)
        home.play(save("[\(Self.y)]", day: 22), at: path, on: a)
        try expect(save("[\(Self.y)]", day: 22), home, [a, b])
    }

    @Test(arguments: ["[]", #""none""#, #"{"rope":5}"#]) func aListThatTheGameReplacesIsReplaced(_ other: String) throws
    {
        let (home, a, b) = try household()
        home.play(save(Self.unreadable[0], day: 2), at: path, on: a)
        home.play(save(other, day: 3), at: path, on: a)
        try expect(save(other, day: 3), home, [a, b])
    }

    @Test func aListThatTheGameRemovesIsGone() throws {
        let (home, a, b) = try household()
        home.play(save(Self.unreadable[0], day: 2), at: path, on: a)
        home.play("{\"day\":3,\(Self.rest)}", at: path, on: a)
        try expect("{\"day\":3,\(Self.rest)}", home, [a, b])
    }

    /// New elements, changed ones, and another order: all of it is the game's.
    @Test func whatTheGameWritesThenIsOnEveryMachine() throws {
        let (home, a, b) = try household()
        home.play(save(Self.unreadable[1], day: 2), at: path, on: a)
        let bag = #"[{"id":"z","n":3,"name":"key"},{"id":"y","n":4,"name":"long bow"},{"id":"x","n":2,"name":"rope"}]"#
        home.play(save(bag, day: 3), at: path, on: a)
        try expect(save(bag, day: 3), home, [a, b])
    }

    // MARK: Two writers

    /// Ids that are lost on one machine remove nothing on another one, whatever is played there, for however long.
    @Test func lostIdsRemoveNothingElsewhere() throws {
        let (home, a, b) = try household()
        let lost = Self.unreadable[2]
        for day in 2...4 {
            home.play(save(lost, day: 10 * day), at: path, on: a)
            let bag = "[\(Self.x),{\"id\":\"y\",\"n\":\(day),\"name\":\"bow\"}]"
            home.play(save(bag, day: 10 * day + 1), at: path, on: b)
            #expect(home.household.text(of: path, on: b) == save(bag, day: 10 * day + 1))
            #expect(home.household.text(of: path, on: a) == save(lost, day: 10 * day + 1))
        }
        // The ids are back, each where it was.
        home.play(save("[\(Self.x),\(Self.y)]", day: 50), at: path, on: a)
        try expect(save(#"[\#(Self.x),{"id":"y","n":4,"name":"bow"}]"#, day: 50), home, [a, b])
    }

    @Test func whatAnotherMachineChangedMeanwhileOutlivesTheRemoval() throws {
        let (home, a, b) = try household()
        home.play(save(Self.unreadable[0], day: 2), at: path, on: a)
        let changed = #"{"id":"x","n":5,"name":"long rope"}"#
        home.play(save("[\(changed),\(Self.y)]", day: 3), at: path, on: b)
        home.play(save("[\(Self.y)]", day: 4), at: path, on: a)
        try expect(save("[\(changed),\(Self.y)]", day: 4), home, [a, b])
    }

    @Test func whatAnotherMachineAddedOrRemovedMeanwhileStaysSo() throws {
        let (home, a, b) = try household()
        home.play(save(Self.unreadable[0], day: 2), at: path, on: a)
        let key = #"{"id":"z","n":3,"name":"key"}"#
        home.play(save("[\(Self.y),\(key)]", day: 3), at: path, on: b)
        home.play(save("[\(Self.x),\(Self.y)]", day: 4), at: path, on: a)
        try expect(save("[\(Self.y),\(key)]", day: 4), home, [a, b])
    }

    /// Each value by its rule: amounts of both count, and a name that one of the two changed is the one it gave.
    @Test func valuesOfBothCountByTheirRules() throws {
        let (home, a, b) = try household()
        home.play(save(Self.unreadable[0], day: 2), at: path, on: a)
        home.play(save(#"[{"id":"x","n":8,"name":"long rope"},\#(Self.y)]"#, day: 3), at: path, on: b)
        home.play(save(#"[{"id":"x","n":4,"name":"rope"},{"id":"y","n":1,"name":"elm bow"}]"#, day: 4), at: path, on: a)
        try expect(
            save(#"[{"id":"x","n":7,"name":"long rope"},{"id":"y","n":1,"name":"elm bow"}]"#, day: 4), home, [a, b])
    }

    /// Both lists cannot be read for a while, and both games have removed something when they can.
    @Test func bothMachinesMayHaveSuchAList() throws {
        let (home, a, b) = try household()
        home.play(save(Self.unreadable[0], day: 2), at: path, on: a)
        home.play(save(Self.unreadable[2], day: 3), at: path, on: b)
        home.play(save("[\(Self.y)]", day: 4), at: path, on: a)
        #expect(home.household.text(of: path, on: a) == save("[\(Self.y)]", day: 4))
        home.play(save("[\(Self.x)]", day: 5), at: path, on: b)
        try expect(save("[]", day: 5), home, [a, b])
    }

    /// A reset that the list of the file never showed: what was played before it does not come back.
    @Test func whatWasThereBeforeAResetDoesNotComeBack() throws {
        let (home, a, b) = try household()
        home.play(save(Self.unreadable[0], day: 2), at: path, on: a)
        _ = try home.reply(to: ResetRequest(profile: "game"), on: b)
        home.household.run(milliseconds: 5_000)
        home.play(save("[\(Self.x),\(Self.y)]", day: 3), at: path, on: a)
        home.household.run(milliseconds: 5_000)
        #expect(home.household.text(of: path, on: a)?.contains("rope") == false)
        #expect(home.household.text(of: path, on: b)?.contains("rope") == false)
        #expect(try home.profile(on: a).remark?.contains("was put aside") == true)
    }
}
