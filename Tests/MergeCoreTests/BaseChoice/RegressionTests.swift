import LosslessJSON
import MergeCore
import Testing

@Suite struct RegressionTests {
    static let game = rules([
        "/level": .init(.max), "/coins": .init(.counter), "/seen": .init(.union), "/won": .init(.flag),
        "/lap": .init(.min, none: [0]), "/friends": .init(.set),
    ])
    static let save = #"{"level":9,"coins":500,"seen":["a","b"],"won":true,"lap":31,"friends":["x"],"name":"Ada"}"#

    /// A save that is no edit changes nothing for the others, and the data comes back by projection.
    @Test(arguments: [
        "{}",
        #"{"level":1,"coins":0,"seen":[],"won":false,"lap":0,"friends":[],"name":""}"#,
        #"{"level":8,"coins":500,"seen":["a","b"],"won":true,"lap":31,"friends":["x"],"name":"Ada"}"#,
        #"{"level":9,"coins":500,"seen":["a"],"won":true,"lap":31,"friends":["x"],"name":"Ada"}"#,
        #"{"level":9,"coins":500,"seen":["a","b"],"won":false,"lap":31,"friends":["x"],"name":"Ada"}"#,
        #"{"level":9,"coins":500,"seen":["a","b"],"won":true,"lap":0,"friends":["x"],"name":"Ada"}"#,
        #"{"level":9,"coins":500,"seen":["a","b"],"won":true,"friends":["x"],"name":"Ada"}"#,
    ])
    func aRegressedSaveIsNoEdit(regressed: String) {
        var devices = Device.household(2, Self.game, sharing: Self.save)
        let choice = devices[0].saveGuessed(regressed)
        #expect(choice.isRegressed)
        settle(&devices)
        #expect(
            devices.map { Agreed($0.value, Self.game) }
                == Array(repeating: Agreed(json(Self.save), Self.game), count: 2))
        #expect(devices[1].shown == Self.save)
    }

    @Test func gainsOfARegressedSaveAreKept() {
        var devices = Device.household(2, Self.game, sharing: Self.save)
        let choice = devices[0].saveGuessed(
            #"{"level":1,"coins":3,"seen":["c"],"won":false,"lap":22,"friends":[],"name":"Bob"}"#)
        #expect(choice.isRegressed)
        settle(&devices)
        let expected = json(
            #"{"level":9,"coins":500,"seen":["a","b","c"],"won":true,"lap":22,"friends":["x"],"name":"Ada"}"#)
        #expect(devices.map { Agreed($0.value, Self.game) } == Array(repeating: Agreed(expected, Self.game), count: 2))
    }

    /// Without any rule that grows, over half of the leaves lost is what counts.
    @Test func overHalfLostIsRegressed() {
        let save = #"{"a":1,"b":2,"c":3,"d":4,"e":{"f":5}}"#
        for (next, isRegressed) in [
            (#"{"a":0,"b":0,"c":0,"d":4,"e":{"f":5}}"#, true), (#"{"a":1,"b":2}"#, true),
            (#"{"a":1,"b":2,"c":3}"#, false),
            (#"{"a":null,"b":"","c":[],"d":4,"e":{"f":5}}"#, true), (#"{"a":1,"b":0,"c":0,"d":4,"e":{"f":5}}"#, false),
            (#"{"a":9,"b":9,"c":9,"d":9,"e":{"f":9}}"#, false), ("[]", true), ("null", true),
        ] {
            #expect(meaning(of: next, after: save, .empty).isQuestion == isRegressed, "\(next)")
        }
    }

    @Test func aPurseEmptiedInASmallSaveIsAnOrdinaryEdit() {
        var devices = Device.household(2, Self.game, sharing: #"{"coins":100}"#)
        let choice = devices[0].saveGuessed(#"{"coins":0}"#)
        #expect(!choice.isRegressed)
        settle(&devices)
        #expect(devices.map(\.shown) == [#"{"coins":0}"#, #"{"coins":0}"#])
        #expect(meaning(of: "{}", after: #"{"coins":100}"#, Self.game).isQuestion)
    }

    /// A save that holds less than the game's own snapshot but is measured against a projection is regressed all the
    /// same.
    @Test func everySnapshotCanBeRuledOut() {
        var devices = Device.household(2, Self.game, sharing: #"{"level":5,"coins":100}"#)
        devices[1].save(#"{"level":7,"coins":100}"#)
        devices[0].pull(devices[1])
        devices[0].project()
        let choice = devices[0].saveGuessed(#"{"level":1,"coins":0}"#)
        #expect(choice.isRegressed)
        settle(&devices)
        #expect(devices.map(\.shown) == Array(repeating: #"{"level":7,"coins":100}"#, count: 2))
    }
}

@Suite struct ShrunkenSetTests {
    /// A friend removed from a save that holds little else is an edit; a set that ends empty is a loss.
    @Test func aSetThatOnlyShrankIsNoLoss() {
        let rules = rules(["/friends": MergeRule(.set)])
        func choice(_ save: String) -> SaveMeaning {
            meaning(of: save, after: #"{"friends":["Ada","Bo","Cy"]}"#, rules)
        }
        #expect(!choice(#"{"friends":["Ada","Cy"]}"#).isQuestion)
        #expect(!choice(#"{"friends":["Cy"]}"#).isQuestion)
        #expect(choice(#"{"friends":[]}"#).isQuestion)
        #expect(choice("{}").isQuestion)
    }
}

/// What a save means to a profile of which nothing else is known.
func meaning(
    of save: String, after snapshot: String, _ rules: RuleSet, wasSpent: Bool = false, isOlderCopy: Bool = false
) -> SaveMeaning {
    let snapshot = document(snapshot)
    return SaveMeaning(
        DocumentDiff(from: snapshot, to: document(save), rules: rules), of: snapshot, rules: rules,
        wasSpent: { _ in wasSpent }, isOlderCopy: { isOlderCopy })
}
