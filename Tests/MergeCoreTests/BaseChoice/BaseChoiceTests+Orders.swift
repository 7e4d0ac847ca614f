import LosslessJSON
import MergeCore
import Testing

/// What the order of a list tells.
extension BaseChoiceTests {
    /// Not where the save would take away something that came in: two amounts are as in the older snapshot, and a game
    /// that moves what was used last to the front may come by the new order without having read it.
    @Test func anOrderTakesNothingAwayThatCameIn() {
        let (two, one) = (#""inv":[{"id":2},{"id":1}]"#, #""inv":[{"id":1},{"id":2}]"#)
        let choice = BaseChoice(
            among: [document(#"{"coins":10,"gems":5,\#(two)}"#), document(#"{"coins":60,"gems":9,\#(one)}"#)],
            for: document(#"{"coins":10,"gems":5,\#(one)}"#),
            rules: rules(["/coins": .init(.counter), "/gems": .init(.counter), "/inv[id]": .init(.latest)]))
        #expect(choice.base == 0 && choice.evidence == .setBack, "\(choice.evidence)")
    }

    /// The same where something else came in beside the order, and the save has come to hold that as well.
    @Test func anOrderIsNotReadWithAValueThatTheGameCameBy() throws {
        let snapshots = try [#"{"bag":[1,2,3],"won":false}"#, #"{"bag":[3,2,1],"won":true}"#].map {
            try JSONDocument(parsing: Array($0.utf8))
        }
        let save = try JSONDocument(parsing: Array(#"{"bag":[1,2,3],"won":true}"#.utf8))
        let choice = BaseChoice(
            among: snapshots, for: save, rules: MergeCoreTests.rules(["/bag": .init(.union)]))
        #expect(choice.base == 1 && choice.isOrderUnread && choice.diff.orders.isEmpty)
        #expect(choice.evidence.certainty == .guess)
    }

    /// The game moved something in another list itself: that counts, and the list that was sorted elsewhere stays so.
    @Test func anOrderIsNotReadBesideOneThatTheGameChanged() throws {
        let snapshots = try [#"{"bag":[1,2,3],"team":[5,6],"n":1}"#, #"{"bag":[3,2,1],"team":[5,6],"n":1}"#].map {
            try JSONDocument(parsing: Array($0.utf8))
        }
        for n in [1, 2] {
            let save = try JSONDocument(parsing: Array(#"{"bag":[1,2,3],"team":[6,5],"n":\#(n)}"#.utf8))
            let choice = BaseChoice(
                among: snapshots, for: save,
                rules: MergeCoreTests.rules(["/bag": .init(.union), "/team": .init(.union)]))
            #expect(choice.base == 1 && choice.isOrderUnread && choice.evidence == .olderOrder)
            #expect(choice.diff.orders.map(\.path) == [DocumentPath([.member("team")])])
        }
    }

    /// Both moved something in one list: the save comes from the order of which it is the smaller change. Where both
    /// changes are as large, the newest order was read.
    @Test(arguments: [("[1,4,2,3]", true), ("[4,3,1,2]", false), ("[3,1,4,2]", false)])
    func anOrderIsNotReadInAListThatTheGameChangedLess(save: String, isUnread: Bool) {
        let choice = BaseChoice(
            among: [document(#"{"bag":[1,2,3,4],"n":1}"#), document(#"{"bag":[2,4,3,1],"n":1}"#)],
            for: document("{\"bag\":\(save),\"n\":2}"), rules: rules(["/bag": .init(.union)]))
        #expect(choice.base == 1 && choice.isOrderUnread == isUnread)
        #expect((choice.evidence == .olderOrder) == isUnread)
    }

    /// The list was sorted elsewhere, and the save has it as the game's own last save had it.
    @Test(arguments: [nil, 0, 1], [false, true])
    func anOrderThatWasNotReadIsNotPutBack(startedAfter: Int?, isOpened: Bool) throws {
        let snapshots = try [#"{"bag":[1,2,3],"n":1}"#, #"{"bag":[3,2,1],"n":1}"#].map {
            try JSONDocument(parsing: Array($0.utf8))
        }
        let save = try JSONDocument(parsing: Array(#"{"bag":[1,2,3],"n":2}"#.utf8))
        let choice = BaseChoice(
            among: snapshots, for: save, rules: MergeCoreTests.rules(["/bag": .init(.union)]),
            sightings: .init(startedAfter: startedAfter, openedAfterSwap: isOpened ? [1] : []))
        let isRead = startedAfter == 1 || isOpened
        #expect(choice.base == 1)
        #expect(choice.isOrderUnread == !isRead)
        #expect(choice.diff.orders.isEmpty == !isRead)
        #expect(choice.diff.changes.count == 1)
        #expect((choice.evidence == .olderOrder) == !isRead)
    }

    /// The same, and the save adds to the list: what is new stands where the save has it, the rest as it was sorted.
    @Test(arguments: [
        ("[4,1,2,3]", "[3,1,2]", "[4,3,1,2]"), ("[1,2,3,4]", "[3,1,2]", "[3,1,2,4]"),
        ("[1,2,3,9,8]", "[3,1,2]", "[3,1,2,9,8]"), ("[9,1,2,3]", "[2,3,1]", "[9,2,3,1]"),
        ("[1,9,2,3]", "[3,1,2]", "[3,1,9,2]"),
    ])
    func whatIsAddedToAListThatWasNotReadStandsInItsPlace(_ saved: String, _ sorted: String, _ shown: String) throws {
        let bag = MergeCoreTests.rules(["/bag": .init(.union)])
        var devices = Device.household(2, bag, sharing: #"{"bag":[1,2,3],"n":1}"#)
        devices[1].save(#"{"bag":\#(sorted),"n":1}"#)
        devices[0].pull(devices[1])
        devices[0].project()
        let guess = devices[0].saveGuessed(#"{"bag":\#(saved),"n":2}"#)
        #expect(guess.choice.isOrderUnread && guess.evidence == .olderOrder)
        settle(&devices)
        let expected = #"{"bag":\#(shown),"n":2}"#
        #expect(devices.map(\.shown) == [expected, expected])
    }
}
