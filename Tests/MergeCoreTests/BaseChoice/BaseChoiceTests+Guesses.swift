import LosslessJSON
import MergeCore
import Testing

/// What makes a choice a guess.
extension BaseChoiceTests {
    /// A game that drops a list of five drops it once: that an older snapshot lacks the list as well is no five votes,
    /// and none for each counter in it, against all that else came in.
    @Test func aWholeListThatIsGoneIsOneVote() throws {
        let crew = (1...5).map { #"{"id":\#($0),"count":\#($0)}"# }.joined(separator: ",")
        let snapshots = [#"{"day":1,"path":"a","coins":89}"#, #"{"day":2,"path":"b","coins":42,"crew":[\#(crew)]}"#]
        let choice = BaseChoice(
            among: try snapshots.map { try JSONDocument(parsing: Array($0.utf8)) },
            for: try JSONDocument(parsing: Array(#"{"day":2,"path":"b","coins":42}"#.utf8)),
            rules: rules(["/coins": .init(.counter), "/crew[id]/count": .init(.counter)]))
        #expect(choice.base == 1)
        #expect(choice.evidence == .nearer(votes: 6, against: 3))
    }

    /// The save lacks an element that the newer snapshot holds, and holds three objects that the older one knows
    /// nothing of: its game may well have read the newer snapshot, and removed things.
    @Test func whatHoldsTheSavesObjectsIsNotRuledOutForSure() throws {
        func choice(_ save: String) throws -> BaseChoice {
            let snapshots = [
                #"{"hero":[],"stats":{},"gems":[]}"#,
                #"{"hero":[{"at":7}],"stats":{"lamp":{"shop":[]},"tide":{"shop":["x"]},"fern":{"shop":[]}}}"#,
            ]
            return BaseChoice(
                among: try snapshots.map { try JSONDocument(parsing: Array($0.utf8)) },
                for: try JSONDocument(parsing: Array(save.utf8)),
                rules: rules(["/hero": .init(.union), "/stats/*/shop": .init(.set), "/gems": .init(.set)]))
        }
        let removed = #"{"gems":[],"stats":{"fern":{"shop":["fox","gate"]},"lamp":{"shop":["a b"]},"tide":{}}}"#
        #expect(try choice(removed).evidence == .contested)
        // What neither snapshot knows speaks for none. One element of a list then rules the newer snapshot out by
        // itself.
        let new = #"{"hero":[],"gems":[],"stats":{"oak":{"shop":["fox"]},"moss":{"shop":[]}}}"#
        #expect(try choice(new).evidence == .onePlaceLowered)
    }

    /// The save has the coins of the newest snapshot and lacks its record. Measured against the state before, what was
    /// earned in between counts twice: where that is done, it is said.
    @Test func aRecordThatIsGoneAndTheNewestCoinsMakeAGuess() throws {
        let snapshots = [
            #"{"coins":2,"bag":["d","b"]}"#, #"{"coins":53,"bag":["a","b"]}"#,
            #"{"coins":109,"bag":["a","b"],"record":374}"#,
        ]
        let choice = BaseChoice(
            among: try snapshots.map { try JSONDocument(parsing: Array($0.utf8)) },
            for: try JSONDocument(parsing: Array(#"{"coins":109,"bag":["a","b"]}"#.utf8)),
            rules: rules(["/coins": .init(.counter), "/record": .init(.max), "/bag": .init(.set)]))
        #expect(choice.base == 2 || choice.evidence.certainty == .guess, "\(choice.evidence)")
    }

    /// After a reset a game comes by the same levels again. Where nothing of them is as it was before the reset, and the
    /// save is measured against the state before it all the same, that is a guess.
    @Test func theSameElementsAfterAResetMakeAGuess() throws {
        let snapshots = [#"{"levels":[{"id":"fox","xp":0},{"id":"sky","xp":632}],"coins":10}"#, #"{"coins":0}"#]
        let save = #"{"coins":54,"levels":[{"id":"gate","xp":349},{"id":"fox","xp":101},{"id":"sky","xp":794}]}"#
        let choice = BaseChoice(
            among: try snapshots.map { try JSONDocument(parsing: Array($0.utf8)) },
            for: try JSONDocument(parsing: Array(save.utf8)),
            rules: rules(["/coins": .init(.counter), "/levels[id]/xp": .init(.max)]),
            sightings: BaseChoice.Sightings(outdated: [0]))
        #expect(choice.base == 1 || choice.evidence.certainty == .guess, "\(choice.evidence)")
    }

    /// While nobody can tell which amount the game had read, nobody can tell whether it had read the other device's
    /// choice: neither is lost.
    @Test func aChoiceBesideAnOpenAmountStaysOpen() {
        var devices = Device.household(
            2, rules(["/coins": .init(.counter), "/path": .init(.choice)]), sharing: #"{"coins":2476,"path":"gate"}"#)
        devices[0].save(#"{"coins":2475,"path":"moss"}"#)
        devices[1].pull(devices[0])
        devices[1].project()
        let guess = devices[1].saveGuessed(#"{"coins":2531,"path":"lane"}"#)
        #expect(guess.choice.openAmounts.map(\.ifRead.text) == ["56"])
        settle(&devices)
        #expect(devices.map { $0.value["path"] } == [.string("moss"), .string("lane")])
        #expect(devices.allSatisfy { $0.state.openChoices.count == 1 })
    }

    /// The newest snapshot alone has the save's coins, and is ruled out for a best time that the save worsened. That the
    /// save lacks the list, as no snapshot does, does not speak for older coins: 47 would count as 16 spent again.
    @Test func thePurseOfTheNewestSnapshotIsNotSpentAgain() throws {
        let snapshots = [
            #"{"best":33,"coins":56,"log":[4]}"#, #"{"best":33,"coins":63,"log":[4]}"#,
            #"{"best":1,"coins":47,"log":[4,1,7]}"#,
        ]
        let choice = BaseChoice(
            among: try snapshots.map { try JSONDocument(parsing: Array($0.utf8)) },
            for: try JSONDocument(parsing: Array(#"{"best":2,"coins":47}"#.utf8)),
            rules: rules(["/coins": .init(.counter), "/best": .init(.min), "/log": .init(.set)]))
        #expect(choice.base == 2)
        #expect(choice.evidence == .contested)
        #expect(choice.openAmounts.isEmpty)
    }

    /// The newer snapshot is ruled out for a flag that the save does not have, and yet the save has its number of
    /// coins.
    @Test func asMuchThatSpeaksForARuledOutSnapshotMakesAGuess() throws {
        let snapshots = [#"{"coins":1,"won":false,"bits":20}"#, #"{"coins":36,"won":true,"bits":220}"#]
        func choice(_ save: String) throws -> BaseChoice {
            BaseChoice(
                among: try snapshots.map { try JSONDocument(parsing: Array($0.utf8)) },
                for: try JSONDocument(parsing: Array(save.utf8)),
                rules: rules(["/coins": .init(.counter), "/won": .init(.flag), "/bits": .init(.union, as: .bits)]))
        }
        #expect(try choice(#"{"coins":36,"won":false,"bits":214}"#).evidence == .contested)
        #expect(try choice(#"{"coins":1,"won":false,"bits":214}"#).evidence == .othersRuledOut)
    }

    /// The newer snapshot holds a value that only grows, and neither the save nor the older snapshot has one there.
    /// Where nothing else speaks for the older one, the game may as well have read the newer one and removed the value.
    @Test func aSnapshotThatAloneLacksWhatTheSaveLacksIsAGuess() throws {
        func choice(_ save: String) throws -> BaseChoice {
            let snapshots = [#"{"path":"mill","notes":[],"n":1}"#, #"{"path":"rook","notes":[3],"n":5}"#]
            return BaseChoice(
                among: try snapshots.map { try JSONDocument(parsing: Array($0.utf8)) },
                for: try JSONDocument(parsing: Array(save.utf8)),
                rules: rules(["/path": .init(.choice), "/notes/*": .init(.union, as: .bits), "/n": .init(.counter)]))
        }
        let removed = try choice(#"{"path":"fern","notes":[],"n":3}"#)
        #expect(removed.base == 0)
        #expect(removed.evidence == .lacking)
        // What the save holds of the older snapshot speaks for that one. A purse that is nearer to it does so hardly.
        #expect(try choice(#"{"path":"mill","notes":[],"n":3}"#).evidence == .othersRuledOut)
        #expect(try choice(#"{"path":"fern","notes":[],"n":2}"#).evidence == .onePlaceLowered)
    }

    /// A subtree that is one value speaks for the snapshot in which it stands most like in the save. Here an element
    /// that the save has in common with the newer snapshot speaks for that one, and what was asked about may still be
    /// the base.
    @Test func anObjectThatIsOneValueSpeaksForTheSnapshotItIsMostLike() {
        func choice(_ save: String) -> BaseChoice {
            let snapshots = [
                #"{"quests":{"oak":{"n":17},"lamp":{"n":18},"log":[1,2]},"list":[]}"#,
                #"{"quests":{"oak":{"n":17},"moss":{"n":3},"log":[1,2,3]},"list":[{"id":"a"}]}"#,
            ]
            let set = rules(["/quests": MergeRule(.latest, whole: true), "/list[id]/n": .init(.latest)])
            return BaseChoice(among: snapshots.map(document), for: document(save), rules: set)
        }
        let both = choice(#"{"quests":{"oak":{"n":18},"lamp":{"n":18},"log":[1,2,5]},"list":[{"id":"a"}]}"#)
        #expect(both.base == 1)
        #expect(both.evidence.certainty == .guess, "\(both.evidence)")
        let one = choice(#"{"quests":{"oak":{"n":17},"moss":{"n":4},"log":[1,2,3]},"list":[{"id":"a"}]}"#)
        #expect(one.base == 1 && one.evidence.certainty == .likely)
    }

    /// One word in common with the older snapshot is enough, though games have few words: to call that a guess would
    /// make guesses of twice as many right bases.
    @Test func knownLimit_oneLowerPlaceAndAValueInCommonAreCertain() {
        let snapshots = [#"{"bag":1,"gems":"gate"}"#, #"{"bag":5,"gems":"lamp"}"#].map(document)
        let choice = BaseChoice(
            among: snapshots, for: document(#"{"bag":2,"gems":"gate"}"#), rules: rules(["/bag": .init(.max)]))
        #expect(choice.base == 0 && choice.evidence == .othersRuledOut)
    }

    /// One place that only grows rules the newer snapshots out, and nothing else speaks for the older one: so saves a
    /// game that never read them, and so does one that read them and lowered that place. A second such place, or a
    /// value in common with the older snapshot, makes the first of these certain.
    @Test func onePlaceThatIsLowerIsAGuess() {
        let snapshots = [
            #"{"won":false,"level":1,"coins":907,"name":"Bo"}"#, #"{"won":true,"level":1,"coins":907,"name":"Bo"}"#,
            #"{"won":true,"level":1,"coins":850,"name":"Cy"}"#,
        ]
        func choice(_ save: String, _ snapshots: [String]) -> BaseChoice {
            BaseChoice(
                among: snapshots.map(document), for: document(save),
                rules: rules(["/won": .init(.flag), "/level": .init(.max), "/coins": .init(.counter)]))
        }
        let one = choice(#"{"won":false,"level":1,"coins":868,"name":"Di"}"#, snapshots)
        #expect(one.base == 0)
        #expect(one.evidence == .onePlaceLowered && one.evidence.certainty == .guess)
        let two = choice(
            #"{"won":false,"level":1,"coins":868,"name":"Di"}"#,
            [snapshots[0]] + snapshots.dropFirst().map { $0.replacing("\"level\":1", with: "\"level\":2") })
        #expect(two.base == 0 && two.evidence == .othersRuledOut)
        let named = choice(#"{"won":false,"level":1,"coins":868,"name":"Bo"}"#, snapshots)
        #expect(named.base == 0 && named.evidence == .othersRuledOut)
    }

    /// No game takes an element out of a union, but it can remove the object that the union is in.
    @Test func aSnapshotThatLacksAnObjectWithAUnionInItIsAGuess() throws {
        let snapshots = [#"{"hero":{},"best":true}"#, #"{"hero":{"lamp":{"badges":[7]}},"best":true}"#]
        let choice = BaseChoice(
            among: try snapshots.map { try JSONDocument(parsing: Array($0.utf8)) },
            for: try JSONDocument(parsing: Array(#"{"hero":{},"best":false}"#.utf8)),
            rules: rules(["/hero/*/badges": .init(.union)]))
        #expect(choice.base == 0)
        #expect(choice.evidence == .lacking)
    }

    /// Nor an element out of a union, but it can remove the union itself.
    @Test func aSnapshotThatLacksAUnionIsAGuess() throws {
        let snapshots = [#"{"tags":[],"n":60,"path":"mill"}"#, #"{"tags":[2,9],"n":42,"path":"mill"}"#]
        func evidence(_ save: String) throws -> BaseChoice.Evidence {
            BaseChoice(
                among: try snapshots.map { try JSONDocument(parsing: Array($0.utf8)) },
                for: try JSONDocument(parsing: Array(save.utf8)),
                rules: rules(["/tags": .init(.union), "/n": .init(.counter)])
            ).evidence
        }
        #expect(try evidence(#"{"n":1,"path":"fern"}"#) == .lacking)
        #expect(try evidence(#"{"tags":[],"n":1,"path":"fern"}"#) == .othersRuledOut)
        #expect(try evidence(#"{"n":59,"path":"fern"}"#) == .onePlaceLowered)
        #expect(try evidence(#"{"n":59,"path":"mill"}"#) == .onePlaceLowered)
        #expect(try evidence(#"{"n":60,"path":"fern"}"#) == .othersRuledOut)
    }

    /// A list that is empty in both says no more than that the element is in neither.
    @Test func anEmptyListIsNoValueInCommon() throws {
        let snapshots = [#"{"gems":[],"map":15}"#, #"{"gems":[{"id":1,"n":2}],"map":32}"#]
        let choice = BaseChoice(
            among: try snapshots.map { try JSONDocument(parsing: Array($0.utf8)) },
            for: try JSONDocument(parsing: Array(snapshots[0].utf8)),
            rules: rules(["/gems[id]/n": .init(.counter), "/map": .init(.counter)]))
        #expect(choice.base == 0)
        #expect(choice.evidence == .lacking)
    }

    /// A list without a rule is one value; what it shares with the save's says from which state that came.
    @Test func aListThatSharesMoreSpeaksForItsSnapshot() throws {
        let snapshots = [#"{"bag":["axe","rope","gem"],"n":1}"#, #"{"bag":["axe","rope","key","map"],"n":1}"#]
        func base(_ save: String) throws -> Int {
            BaseChoice(
                among: try snapshots.map { try JSONDocument(parsing: Array($0.utf8)) },
                for: try JSONDocument(parsing: Array(save.utf8)), rules: .empty
            ).base
        }
        #expect(try base(#"{"bag":["axe","rope","key","map","oil"],"n":2}"#) == 1)
        #expect(try base(#"{"bag":["axe","rope","gem","oil"],"n":2}"#) == 0)
    }

    /// Two switches stand in the save as they stood before what came in: its game may have read that, and set them back.
    /// Three of them, or something that only the earlier snapshot held, are no coincidence; nor is what the newest
    /// holds.
    @Test func aValueOrTwoOfAnEarlierSnapshotAreAGuess() throws {
        func evidence(_ save: String, list: String = "[]") throws -> BaseChoice.Evidence {
            let snapshots = [
                "{\"a\":1,\"b\":false,\"c\":true,\"l\":\(list)}", #"{"a":2,"b":true,"c":false,"l":[]}"#,
            ]
            return BaseChoice(
                among: try snapshots.map { try JSONDocument(parsing: Array($0.utf8)) },
                for: try JSONDocument(parsing: Array(save.utf8)), rules: rules(["/l": .init(.set)])
            ).evidence
        }
        #expect(try evidence(#"{"a":1,"b":false,"c":"n","l":["z"]}"#).certainty == .guess)
        #expect(try evidence(#"{"a":1,"b":false,"c":true,"l":["z"]}"#).certainty == .likely)
        #expect(try evidence(#"{"a":1,"b":"n","c":"n","l":["x"]}"#, list: #"["x"]"#).certainty == .likely)
        #expect(try evidence(#"{"a":2,"b":true,"c":"n","l":["z"]}"#).certainty == .likely)
    }
}
