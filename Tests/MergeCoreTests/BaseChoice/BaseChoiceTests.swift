import LosslessJSON
import MergeCore
import Testing

@Suite struct BaseChoiceTests {
    static let purse = rules([
        "/coins": .init(.counter), "/level": .init(.max), "/seen": .init(.union), "/won": .init(.flag),
    ])

    /// File 100, another device earned 400, which was projected while the game ran.
    func running(_ save: String = #"{"coins":100}"#, plus: String = #"{"coins":500}"#) -> [Device] {
        var devices = Device.household(2, Self.purse, sharing: save)
        devices[1].save(plus)
        devices[0].pull(devices[1])
        devices[0].project()
        return devices
    }

    @Test func aGameStillRunningDoesNotSpendWhatCameIn() {
        var devices = running()
        #expect(devices[0].shown == #"{"coins":500}"#)
        let choice = devices[0].saveGuessed(#"{"coins":110}"#)
        #expect(choice.base == 0)
        #expect(choice.evidence == .nearer(votes: 1, against: 0))
        settle(&devices)
        #expect(devices.map(\.shown) == [#"{"coins":510}"#, #"{"coins":510}"#])
    }

    @Test func aGameThatReloadedCountsFromTheProjection() {
        var devices = running()
        let choice = devices[0].saveGuessed(#"{"coins":510}"#)
        #expect(choice.base == 1)
        settle(&devices)
        #expect(devices.map(\.shown) == [#"{"coins":510}"#, #"{"coins":510}"#])
    }

    /// A game that had not read what came in holds half of its decision and its flag by chance. That is said to be a
    /// guess: the other machine's decision is replaced by it.
    @Test func aChoiceThatAgreesOnlyInPartIsNoVote() {
        var devices = Device.household(
            2, rules(["/best": .init(.choice), "/won": .init(.flag)]),
            sharing: #"{"best":{"run":1,"map":1},"won":false}"#)
        devices[1].save(#"{"best":{"run":24,"map":33},"won":true}"#)
        devices[0].pull(devices[1])
        devices[0].project()
        let choice = devices[0].saveGuessed(#"{"best":{"run":24,"map":2},"won":true}"#)
        #expect(choice.base == 1)
        #expect(choice.evidence == .nearer(votes: 2, against: 0))
        #expect(choice.evidence.certainty == .guess)
    }

    @Test func equallyNearIsUndecidedAndTakesTheNewestSnapshot() {
        var devices = running()
        let choice = devices[0].saveGuessed(#"{"coins":300}"#)
        #expect(choice.base == 1)
        #expect(choice.isUndecided)
        settle(&devices)
        #expect(devices.map(\.shown) == [#"{"coins":300}"#, #"{"coins":300}"#])
    }

    /// One purse that is near to both snapshots: nobody can tell, so nothing moves until somebody says.
    @Test(arguments: [(200, -300, 100), (150, -350, 50), (350, -150, 250)])
    func aPurseAloneDecidesNothing(save: Int, ifRead: Int, ifUnread: Int) {
        for answer in [ifRead, ifUnread] {
            var devices = running()
            let choice = devices[0].saveGuessed("{\"coins\":\(save)}")
            #expect(choice.base == 1)
            #expect(choice.purse?.older == 0)
            let open = choice.choice.openAmounts
            #expect(open.map(\.ifRead) == [ExactDecimal(ifRead)])
            #expect(open.map(\.ifUnread) == [ExactDecimal(ifUnread)])
            let context = devices[0].context(devices[0].snapshots[0].vector)
            settle(&devices)
            #expect(devices.map(\.shown) == [#"{"coins":500}"#, #"{"coins":500}"#])
            let amounts = open.map { (path: $0.path, rule: $0.rule, amount: ExactDecimal(answer)) }
            _ = devices[0].state.settle(amounts, of: nil, context)
            settle(&devices)
            #expect(devices[1].value["coins"] == .number(JSONNumber(500 + answer)))
        }
    }
}
