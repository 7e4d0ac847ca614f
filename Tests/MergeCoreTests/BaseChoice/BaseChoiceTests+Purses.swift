import LosslessJSON
import MergeCore
import Testing

/// What a purse counts from, and how its amount is asked about.
extension BaseChoiceTests {
    /// An answer that gives the amount which the game had saved gives its spelling, too.
    @Test func anAnswerSpellsTheAmountAsTheGameDid() throws {
        var devices = Device.household(
            2, rules(["/coins": MergeRule(.counter)]), sharing: #"{"coins":100}"#)
        let context = devices[0].context(devices[0].snapshots[0].vector)
        let place = (path: DocumentPath([.member("coins")]), rule: MergeRule(.counter), amount: ExactDecimal(-30))
        _ = devices[0].state.settle([place], of: document(#"{"coins":70.00}"#), context)
        settle(&devices)
        #expect(devices.map(\.shown) == [#"{"coins":70.00}"#, #"{"coins":70.00}"#])
        // Another amount than the saved one is spelled plainly.
        _ = devices[0].state.settle(
            [place], of: document(#"{"coins":50.0}"#), devices[0].context(devices[0].state.vector))
        settle(&devices)
        #expect(devices.map(\.shown) == [#"{"coins":40}"#, #"{"coins":40}"#])
    }

    /// What a person said was spent is no number below zero that a game wrote: what is overspent apart later shows 0, also
    /// while the answer comes.
    @Test func anAnswerAboutAPurseIsNoNumberOfTheGame() throws {
        var devices = running()
        let context = devices[0].context(devices[0].snapshots[0].vector)
        func answer(_ amount: Int) {
            let place = (
                path: DocumentPath([.member("coins")]), rule: MergeRule(.counter), amount: ExactDecimal(amount)
            )
            _ = devices[0].state.settle([place], of: nil, context)
            settle(&devices)
        }
        answer(-300)
        #expect(devices.map(\.shown) == [#"{"coins":200}"#, #"{"coins":200}"#])
        for device in devices.indices { devices[device].set("coins", 0) }
        settle(&devices)
        #expect(devices.map(\.shown) == [#"{"coins":0}"#, #"{"coins":0}"#])
        // 200 are owed, and 19 more.
        answer(-19)
        devices[1].set("coins", 250)
        settle(&devices)
        #expect(devices.map(\.shown) == [#"{"coins":31}"#, #"{"coins":31}"#])
    }

    /// The newest snapshot holds more of `level` than the save, and the purse is nearest to it: to ask whether 6 or 41
    /// was earned since one of the older snapshots would offer two amounts of which neither is in the save.
    @Test func aPurseThatIsNearestToTheNewestSnapshotIsMeasuredAgainstIt() throws {
        func choice(_ save: String, _ snapshots: [String]) throws -> BaseChoice {
            BaseChoice(
                among: try snapshots.map { try JSONDocument(parsing: Array($0.utf8)) },
                for: try JSONDocument(parsing: Array(save.utf8)), rules: Self.purse)
        }
        let snapshots = [#"{"coins":63,"level":1}"#, #"{"coins":9,"level":1}"#, #"{"coins":44,"level":3}"#]
        let nearest = try choice(#"{"coins":50,"level":1}"#, snapshots)
        #expect(nearest.base == 2)
        #expect(nearest.evidence == .contested)
        #expect(nearest.openAmounts.isEmpty)
        // The purse is nearer to an older snapshot: the newest one was not read.
        let older = try choice(#"{"coins":30,"level":1}"#, snapshots.dropLast() + [#"{"coins":70,"level":3}"#])
        #expect(older.base == 1)
        #expect(older.purse?.older == 0)
    }

    /// Two of three snapshots differ in the purse alone, and by one coin: which of the two was read is not guessed, though
    /// something else rules the third one out.
    @Test func aPurseDecidesNothingBetweenTwoOfSeveralSnapshots() throws {
        let snapshots = [
            #"{"coins":120,"seen":["a"]}"#, #"{"coins":120,"seen":["a","b"]}"#, #"{"coins":121,"seen":["a","b"]}"#,
        ]
        let choice = BaseChoice(
            among: try snapshots.map { try JSONDocument(parsing: Array($0.utf8)) },
            for: try JSONDocument(parsing: Array(#"{"coins":80,"seen":["a","b"]}"#.utf8)), rules: Self.purse)
        #expect(choice.base == 2)
        #expect(choice.purse?.older == 1)
        #expect(choice.openAmounts.map(\.ifRead) == [ExactDecimal(-41)])
        #expect(choice.openAmounts.map(\.ifUnread) == [ExactDecimal(-40)])
    }
}
