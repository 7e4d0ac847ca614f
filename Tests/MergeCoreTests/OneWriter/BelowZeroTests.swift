import LosslessJSON
import MergeCore
import Testing

/// A counter below zero is what a game wrote; only what several spent apart is shown as 0.
@Suite struct BelowZeroTests {
    private static let purse = rules(["/n": .init(.counter)])
    private static let text = rules(["/n": .init(.counter, as: .number)])

    @Test(arguments: ["-1", "-7.5"]) func endlessStaysEndless(amount: String) throws {
        let save = "{\"n\":\(amount)}"
        var devices = Device.household(2, Self.purse, sharing: #"{"n":5}"#)
        devices[0].save(save)
        settle(&devices)
        #expect(devices.map(\.shown) == [save, save])
        #expect(Projection.newDocument(of: devices[1].state) == json(save))
        #expect(devices[1].state.shortfalls.isEmpty)
        for start in [save, #"{"n":5}"#] {
            #expect(try merge(start, save, base: start, rules: Self.purse) == save)
            #expect(try merge(save, start, base: start, rules: Self.purse) == save)
        }
        #expect(try merge(save, save, rules: Self.purse) == save)
    }

    @Test func adoptedAndRestoredItStands() throws {
        var devices = Device.household(2, Self.purse, sharing: #"{"n":-1}"#)
        devices[1].file = nil
        settle(&devices)
        #expect(devices[1].shown == #"{"n":-1}"#)
        devices[0].save(#"{"n":3}"#)
        try devices[0].restore(#"{"n":-2}"#)
        settle(&devices)
        #expect(devices.map(\.shown) == Array(repeating: #"{"n":-2}"#, count: 2))
    }

    /// Two spenders, of whom one went below zero knowingly: nothing is floored, in whatever order they meet.
    @Test func whoWroteBelowZeroIsTakenAtHisWord() {
        var devices = Device.household(3, Self.purse, sharing: #"{"n":5}"#)
        devices[0].save(#"{"n":-7}"#)
        devices[1].save(#"{"n":4}"#)
        settle(&devices)
        #expect(devices.map(\.shown) == Array(repeating: #"{"n":-8}"#, count: 3))
        devices[2].save(#"{"n":-1}"#)
        settle(&devices)
        #expect(devices.map(\.shown) == Array(repeating: #"{"n":-1}"#, count: 3))
        #expect(devices[0].state.shortfalls.isEmpty)
    }

    @Test func whatWasSpentApartShowsNothingBelowZero() throws {
        var devices = Device.household(3, Self.purse, sharing: #"{"n":100}"#)
        devices[0].save(#"{"n":20}"#)
        devices[1].save(#"{"n":10}"#)
        settle(&devices)
        #expect(devices.map(\.shown) == Array(repeating: #"{"n":0}"#, count: 3))
        #expect(devices[0].state.shortfalls.map(\.amount.text) == ["-70"])
        // A game that now goes below zero by itself is taken at its word.
        devices[2].save(#"{"n":-1}"#)
        settle(&devices)
        #expect(devices.map(\.shown) == Array(repeating: #"{"n":-1}"#, count: 3))
        for (a, b) in [("20", "10"), ("10", "20")] {
            let merged = try merge("{\"n\":\(a)}", "{\"n\":\(b)}", base: #"{"n":100}"#, rules: Self.purse)
            #expect(merged == #"{"n":0}"#)
        }
    }

    /// A rule that reads strings as numbers leaves a number a number, and a string a string.
    @Test(arguments: [#"{"n":14}"#, #"{"n":"14"}"#, #"{"n":-14}"#, #"{"n":"-14"}"#])
    func theFormStaysTheOneOfTheGame(save: String) throws {
        var devices = Device.household(2, Self.text, sharing: save)
        devices[1].file = nil
        settle(&devices)
        #expect(devices[1].shown == save)
        devices[0].save(save.replacing("14", with: "15"))
        devices[1].file = nil
        settle(&devices)
        #expect(devices[1].shown == save.replacing("14", with: "15"))
    }

    /// The version of a save is spelled as its game spells it, whatever rule stands on its place.
    @Test(arguments: [MergeRule(.max), .init(.latest), .init(.max, as: .number), .init(.counter), .init(.min)])
    func aVersionIsSpelledAsBefore(rule: MergeRule) throws {
        let set = try RuleSet(rules(["/version": rule]).entries, version: "14", versionAt: "/version")
        for save in [#"{"version":14,"x":1}"#, #"{"version":"14","x":1}"#] {
            // A counter reads no text: what it cannot read is told by a register.
            var devices = Device.household(2, set, sharing: save)
            devices[1].file = nil
            settle(&devices)
            #expect(devices[1].value == json(save), "\(rule.merge)")
        }
    }
}
