import LosslessJSON
import MergeCore
import Testing

@Suite struct ExplainTests {
    private func name(_ id: ReplicaID) -> String { id == replica(1) ? "laptop" : id == replica(2) ? "deck" : "other" }

    @Test func aCounterSaysWhoEarnedAndWhoSpent() {
        var devices = Device.household(2, rules(["/coins": MergeRule(.counter)]), sharing: #"{"coins":300}"#)
        devices[0].set("coins", 500)
        devices[1].set("coins", 280)
        settle(&devices)
        let explanation = devices[1].state.explain(DocumentPath([.member("coins")]))
        #expect(explanation.shown == 480)
        #expect(explanation.sentence(naming: name) == "480 = 300 + laptop earned 200 − deck spent 20")
    }

    /// Together they spent more than there was, and the file shows 0.
    @Test func anOverspentCounterSaysWhatIsMissing() {
        var devices = Device.household(2, rules(["/coins": MergeRule(.counter)]), sharing: #"{"coins":300}"#)
        devices[0].set("coins", 100)
        devices[1].set("coins", 180)
        settle(&devices)
        let sentence = devices[1].state.explain(DocumentPath([.member("coins")])).sentence(naming: name)
        let sum = "0 = 300 − laptop spent 200 − deck spent 120"
        #expect(sentence == sum + "; 20 more was spent than there was, so the next 20 that are earned do not show")
        devices[0].set("coins", 50)
        settle(&devices)
        let paid = devices[1].state.explain(DocumentPath([.member("coins")])).sentence(naming: name)
        #expect(paid == "30 = 300 + laptop earned 50 − laptop spent 200 − deck spent 120")
    }

    @Test func aMaximumSaysWhoseItIs() {
        var devices = Device.household(2, rules(["/level": MergeRule(.max)]), sharing: #"{"level":3}"#)
        devices[1].set("level", 9)
        settle(&devices)
        let sentence = devices[0].state.explain(DocumentPath([.member("level")])).sentence(naming: name)
        #expect(sentence == "9, max of all devices, from deck")
    }

    @Test func whatAResetPutAsideIsNamedAsNotCounting() throws {
        var devices = Device.household(2, ResetTests.ruleSet, sharing: ResetTests.save)
        try devices[0].reset("/coins")
        settle(&devices)
        devices[1].set("coins", 7)
        settle(&devices)
        let explanation = devices[0].state.explain(DocumentPath([.member("coins")]))
        #expect(explanation.sentence(naming: name) == "7 = deck earned 7")
        #expect(explanation.contributions.contains { !$0.counts && $0.part == .start(ExactDecimal(500)) })
    }

    /// The values of an element outlast it as atoms. Neither its device nor the one that removed it shows them.
    @Test(arguments: [0, 1]) func whatWasInARemovedElementShowsNothing(remover: Int) {
        var devices = Device.household(
            2, rules(["/town[id]/xp": MergeRule(.min)]), sharing: #"{"town":[{"id":8,"xp":34},{"id":1,"xp":188}]}"#)
        settle(&devices)
        devices[remover].save(#"{"town":[{"id":1,"xp":188}]}"#)
        settle(&devices)
        let path = DocumentPath([.member("town"), .element(Array("8".utf8)), .member("xp")])
        for device in devices {
            #expect(device.state.value(at: path) == nil)
            let explanation = device.state.explain(path)
            #expect(explanation.shown == nil)
            #expect(explanation.sentence(naming: name) == "/town/[8]/xp shows nothing: it was reset or removed")
        }
    }

    @Test func anOpenChoiceNamesBothSides() {
        var devices = Device.household(2, ChoiceTests.ruleSet, sharing: #"{"ending":"open"}"#)
        devices[0].set("ending", "good")
        devices[1].set("ending", "bad")
        settle(&devices)
        let sentence = devices[0].state.explain(ChoiceTests.ending).sentence(naming: name)
        #expect(sentence.contains(#""good" by laptop"#) && sentence.contains(#""bad" by deck"#))
    }

    @Test func unknownPlacesAreNoError() {
        let sentence = ProfileState().explain(DocumentPath([.member("x")])).sentence(naming: name)
        #expect(sentence == "/x is not known")
    }
}
