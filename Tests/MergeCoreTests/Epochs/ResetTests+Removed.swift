import LosslessJSON
import MergeCore
import TestSupport
import Testing

/// What was removed, or taken back, before or beside a reset.
extension ResetTests {
    /// What an undo or a restore took away is not there when a reset comes: no counter begins at 0 where no file holds
    /// one, and an array by position is no longer than it was.
    @Test(arguments: [false, true], [1, 2]) func aResetBringsNothingBackThatWasTakenBack(isUndo: Bool, resets: Int)
        throws
    {
        let start = #"{"n":[{"xp":1}],"kinds":{"a":1},"done":{},"bag":{}}"#
        let ruleSet = MergeCoreTests.rules([
            "/n/*/xp": .init(.counter), "/kinds/*": .init(.counter), "/done/*": .init(.flag), "/bag/*": .init(.union),
        ])
        var devices = Device.household(2, ruleSet, sharing: start)
        let before = devices[0].state
        devices[0].save(#"{"n":[{"xp":2},{"xp":5}],"kinds":{"a":1,"b":7},"done":{"x":true},"bag":{"y":["z"]}}"#)
        if isUndo {
            try devices[0].undo(since: before)
        } else {
            try devices[0].restore(start)
        }
        settle(&devices)
        for device in devices { #expect(device.value["kinds"] == ["a": 1], "\(device.shown)") }
        for _ in 1...resets { try devices[1].reset("/**") }
        settle(&devices)
        for device in devices {
            #expect(device.value["n"] == [["xp": 0]] && device.value["kinds"] == ["a": 0], "\(device.shown)")
            #expect(device.value["done"]?["x"] == nil && device.value["bag"]?["y"] == nil, "\(device.shown)")
        }
    }

    /// What a game had removed is not there when a reset comes.
    @Test(arguments: [MergeRule(.counter), .init(.set), .init(.set, sort: "at"), .init(.choice)], [true, false])
    func aResetBringsNothingBackThatWasRemoved(_ rule: MergeRule, isInside: Bool) throws {
        let value = rule.merge == .set ? #"[{"at":2},{"at":1}]"# : "5"
        let place = isInside ? "/map/*/here" : "/here"
        func save(_ member: String, _ xp: Int) -> String {
            isInside ? #"{"map":{"a":{\#(member)"day":1}},"xp":\#(xp)}"# : #"{\#(member)"xp":\#(xp)}"#
        }
        var devices = Device.household(
            2, MergeCoreTests.rules([place: rule]), sharing: save("", 1))
        devices[0].save(save("\"here\":\(value),", 2))
        settle(&devices)
        devices[1].save(save("", 3))
        settle(&devices)
        for device in devices { #expect(device.value == json(save("", 3)), "\(device.shown)") }
        try devices[0].reset("/**")
        settle(&devices)
        for device in devices { #expect(!device.shown.contains("here"), "\(device.shown)") }
        devices[1].save(save("\"here\":\(value),", 4))
        settle(&devices)
        for device in devices { #expect(device.value == json(save("\"here\":\(value),", 4)), "\(device.shown)") }
        // What a reset leaves of it can be removed as well, by a game that plays on or starts with something else.
        for xp in [5, 6] {
            try devices[0].reset("/**")
            settle(&devices)
            devices[1].save(save("", xp))
            settle(&devices)
            for device in devices { #expect(device.value == json(save("", xp)), "\(device.shown)") }
        }
        try devices[1].reset("/**")
        settle(&devices)
        for device in devices { #expect(!device.shown.contains("here"), "\(device.shown)") }
    }

    /// A list that two devices emptied together, each of another element, is there and empty, and so it is after a reset.
    @Test(arguments: [MergeRule(.set), .init(.set, sort: "at")]) func aListThatWasEmptiedApartIsStillThere(
        _ rule: MergeRule
    ) throws {
        var devices = Device.household(
            2, MergeCoreTests.rules(["/here": rule]), sharing: #"{"here":[{"at":2},{"at":1}],"xp":1}"#)
        devices[0].save(#"{"here":[{"at":2}],"xp":1}"#)
        devices[1].save(#"{"here":[{"at":1}],"xp":1}"#)
        settle(&devices)
        for device in devices { #expect(device.value == json(#"{"here":[],"xp":1}"#), "\(device.shown)") }
        try devices[0].reset("/**")
        settle(&devices)
        for device in devices { #expect(device.value == json(#"{"here":[]}"#), "\(device.shown)") }
    }

    /// A game removes what a reset left at 0, while what was played apart from the reset comes in. That was put aside,
    /// and brings nothing back; what is played there later is new.
    @Test(arguments: [0, 1, 2]) func whatWasPlayedApartFromAResetBringsNothingRemovedBack(resetsAfter: Int) throws {
        var devices = Device.household(
            2, MergeCoreTests.rules(["/herd/*/count": .init(.counter)]),
            sharing: #"{"herd":{"oak":{"count":24},"fox":{"count":23}},"xp":1}"#)
        devices[1].save(#"{"herd":{"oak":{"count":24},"fox":{"count":44},"gate":{"count":26}},"xp":1}"#)
        try devices[0].reset("/**")
        devices[0].project()
        devices[0].save(#"{"xp":2}"#)
        settle(&devices)
        for device in devices { #expect(device.value == json(#"{"xp":2}"#), "\(device.shown)") }
        for _ in 0..<resetsAfter {
            try devices[1].reset("/**")
            settle(&devices)
            for device in devices { #expect(device.value == [:], "\(device.shown)") }
            devices[1].save(#"{"xp":2}"#)
        }
        devices[0].pull(devices[1])
        devices[0].project()
        devices[0].save(#"{"herd":{"gate":{"count":19}},"xp":2}"#)
        settle(&devices)
        for device in devices {
            #expect(device.value == json(#"{"herd":{"gate":{"count":19}},"xp":2}"#), "\(device.shown)")
        }
    }

    /// What shows as nothing unlocked after a reset goes where a game removes it.
    @Test(arguments: [MergeRule(.set), MergeRule(.set, sort: "at"), MergeRule(.union)], [1, 2])
    func aListThatWasResetAndThenRemovedIsGoneEverywhere(_ rule: MergeRule, resets: Int) throws {
        let ruleSet = MergeCoreTests.rules(["/best": rule])
        let save = #"{"best":[{"at":1},{"at":2}],"xp":1}"#
        var devices = Device.household(2, ruleSet, sharing: save)
        for number in 1...resets {
            // Another reset comes after what took the former back.
            if number > 1 { try devices[0].restore(save) }
            try devices[0].reset("/best")
            settle(&devices)
        }
        devices[1].edit { $0.setting("xp", to: 2) }
        settle(&devices)
        devices[1].edit { $0.setting("best", to: nil).setting("xp", to: 3) }
        settle(&devices)
        #expect(devices.map(\.value) == [#"{"xp":3}"#, #"{"xp":3}"#].map { json($0) })
        devices[0].edit { $0.setting("best", to: [3]) }
        settle(&devices)
        #expect(devices.map { $0.value["best"] } == [[3], [3]])
    }

    /// An empty list that a game removes while another device starts everything over, and then with all around it.
    @Test(arguments: [MergeRule(.set), MergeRule(.union)])
    func anEmptyListThatWasRemovedApartFromAResetIsGoneEverywhere(_ rule: MergeRule) throws {
        let ruleSet = MergeCoreTests.rules(["/map/*/flags": rule])
        var devices = Device.household(2, ruleSet, sharing: #"{"map":{"fern":{"flags":[],"day":1}},"xp":1}"#)
        devices[1].edit { $0.setting("map", to: json(#"{"fern":{"day":1}}"#)) }
        try devices[0].reset("/map", "/xp")
        settle(&devices)
        #expect(devices[0].value == devices[1].value)
        devices[1].edit { $0.setting("map", to: nil).setting("xp", to: 2) }
        settle(&devices)
        #expect(devices.map(\.value) == [json(#"{"xp":2}"#), json(#"{"xp":2}"#)])
        devices[0].edit { $0.setting("map", to: json(#"{"fern":{"flags":["a"]}}"#)) }
        settle(&devices)
        #expect(devices.map { $0.value["map"] } == Array(repeating: json(#"{"fern":{"flags":["a"]}}"#), count: 2))
    }

    /// An empty object where the rule counts, and what else the rule cannot read, that one device alone ever had in its
    /// file: a 0 in all others, beside files that keep what they hold, would be two saves under one state.
    @Test(arguments: [
        ("{}", MergeRule(.counter)), ("[]", MergeRule(.counter)), (#""many""#, MergeRule(.counter)),
        ("{}", MergeRule(.flag)), (#""many""#, MergeRule(.flag)), ("null", MergeRule(.counter)),
        ("{}", MergeRule(.union, as: .bits)), (#""many""#, MergeRule(.union, as: .bits)),
        ("0", MergeRule(.union, as: .bits)), ("{}", MergeRule(.union)), ("[]", MergeRule(.set)),
    ])
    func whatItsRuleCannotReadIsOneEverywhereAfterAReset(_ value: String, _ rule: MergeRule) throws {
        let ruleSet = MergeCoreTests.rules(["/level/*/gems": rule])
        var devices = Device.household(3, ruleSet, sharing: #"{"level":{"oak":{"day":1}},"xp":1}"#)
        devices[1].edit { $0.setting("level", to: json(#"{"oak":{"day":1,"gems":\#(value)}}"#)) }
        devices[0].pull(devices[1])
        try devices[0].reset("/level")
        settle(&devices)
        devices[2].file = nil
        settle(&devices)
        for device in devices { #expect(device.value == devices[0].value) }
        let shown = devices[0].value[at: "level", "oak", "gems"]
        switch (value, rule.merge) {
        case (#""many""#, .flag): #expect(shown == false)
        case ("null", _), ("0", _): #expect(shown == 0)
        case ("[]", .set): #expect(shown == [])
        default: #expect(shown == nil)
        }
    }

    /// Bits that a reset left at 0, which a game leaves out of its save: one writer's file is everybody's.
    @Test func bitsThatWereResetAndThenRemovedAreGoneEverywhere() throws {
        let ruleSet = MergeCoreTests.rules(["/shop/since": MergeRule(.union, as: .bits)])
        var devices = Device.household(2, ruleSet, sharing: #"{"shop":{"since":94},"xp":1}"#)
        try devices[0].reset("/shop")
        settle(&devices)
        #expect(devices[1].value == json(#"{"shop":{"since":0},"xp":1}"#))
        for save in [#"{"shop":{"oak":1},"xp":1}"#, #"{"shop":{"oak":1,"since":0},"xp":2}"#, #"{"xp":2}"#] {
            devices[1].save(save)
            settle(&devices)
            for device in devices { #expect(device.value == json(save), "\(device.shown)") }
        }
        devices[0].save(#"{"shop":{"since":2},"xp":2}"#)
        settle(&devices)
        for device in devices { #expect(device.value[at: "shop", "since"] == 2) }
    }
}
