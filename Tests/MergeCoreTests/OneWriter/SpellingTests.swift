import LosslessJSON
import MergeCore
import Testing

/// How a game spells a counter reaches the other files.
@Suite struct SpellingTests {
    private static let ruleSet = rules(["/n": .init(.counter), "/t": .init(.counter, as: .number)])

    @Test(arguments: ["100.0", "74.20", "1e2", "12345678901234567890.50", "-7.0"]) func oneWritersSpelling(
        _ number: String
    ) {
        var devices = Device.household(3, Self.ruleSet, sharing: #"{"n":3,"t":"4"}"#)
        devices[0].save("{\"n\":\(number),\"t\":\"\(number)\"}")
        devices[2].file = nil
        settle(&devices)
        #expect(devices.map(\.shown) == Array(repeating: "{\"n\":\(number),\"t\":\"\(number)\"}", count: 3))
        // Counting goes on: a sum that nobody wrote has the plain spelling.
        devices[0].save("{\"n\":\(number),\"t\":\"5\"}")
        devices[1].save("{\"n\":1,\"t\":\"\(number)\"}")
        settle(&devices)
        #expect(devices[0].value["n"] == 1 && devices[0].shown == devices[1].shown)
        #expect(Projection(of: devices[0].state, onto: document(devices[0].shown)).edits.isEmpty)
    }

    /// An element that comes back is new, and so is how its game spells what is in it.
    @Test func anElementThatComesBackIsSpelledAsItsGameDoes() {
        let rules = rules(["/list[id]/n": .init(.counter)])
        let full = #"{"list":[{"id":1,"n":1e2},{"id":2,"n":5}]}"#
        var devices = Device.household(2, rules, sharing: full)
        for save in [#"{"list":[{"id":2,"n":5}]}"#, full] {
            devices[0].save(save)
            settle(&devices)
        }
        #expect(devices.map(\.shown) == [full, full])
    }

    @Test func aMergeKeepsTheSpellingOfTheSideThatCounted() throws {
        for (a, b) in [(#"{"n":74.20}"#, #"{"n":3}"#), (#"{"n":3}"#, #"{"n":74.20}"#)] {
            #expect(try merge(a, b, base: #"{"n":3}"#, rules: Self.ruleSet) == #"{"n":74.20}"#)
        }
        #expect(try merge(#"{"n":3.50}"#, #"{"n":4.0}"#, base: #"{"n":3}"#, rules: Self.ruleSet) == #"{"n":4.5}"#)
    }
}
