import LosslessJSON
import MergeCore
import Testing

/// After a restore or a reset.
extension BaseChoiceTests {
    /// The save is what stood before a restore, and lacks a flag that stands since: put back from an old memory, or played.
    @Test func whatIsLeftFromBeforeARestoreIsAGuess() throws {
        let snapshots = try [#"{"met":false,"won":false}"#, #"{"won":true}"#].map {
            try JSONDocument(parsing: Array($0.utf8))
        }
        let rules = rules(["/met": .init(.flag), "/won": .init(.flag)])
        let choice = BaseChoice(among: snapshots, for: snapshots[0], rules: rules, sightings: .init(outdated: [0]))
        #expect(choice.base == 0 && choice.evidence == .outdated)
        #expect(BaseChoice(among: snapshots, for: snapshots[0], rules: rules).evidence == .othersRuledOut)
    }

    /// A restore put back a value that only grows, and the game removes it again while it plays on. Measured against the
    /// snapshot from before the restore, which lacks it as well, all that was played would be put aside.
    @Test func playAfterARestoreThatTakesOutWhatCameBackCounts() throws {
        func choice(_ save: String) throws -> BaseChoice {
            let snapshots = [#"{"map":{},"coins":100,"theme":"a"}"#, #"{"map":{"x":4},"coins":100,"theme":"b"}"#]
            return BaseChoice(
                among: try snapshots.map { try JSONDocument(parsing: Array($0.utf8)) },
                for: try JSONDocument(parsing: Array(save.utf8)),
                rules: rules(["/map/*": .init(.max), "/coins": .init(.counter)]),
                sightings: .init(outdated: [0]))
        }
        let played = try choice(#"{"map":{},"coins":141,"theme":"c"}"#)
        #expect(played.base == 1)
        #expect(played.evidence.certainty == .guess)
        // What the save holds of the older snapshot speaks for that one.
        #expect(try choice(#"{"map":{},"coins":141,"theme":"a"}"#).base == 0)
    }

    /// The save is what stood before a restore, all of which the newest snapshot holds, and more. Its game saved from memory,
    /// or took out what it had read: nothing that another machine wrote goes.
    @Test func whatStoodBeforeARestoreRemovesNothingThatCameWithIt() throws {
        func choice(_ save: String) -> BaseChoice {
            BaseChoice(
                among: [#"{"coins":5,"friends":[]}"#, #"{"coins":5,"friends":["Zoe"]}"#].map { document($0) },
                for: document(save), rules: rules(["/coins": .init(.counter), "/friends": .init(.set)]),
                sightings: .init(outdated: [0]))
        }
        let repeated = choice(#"{"coins":5,"friends":[]}"#)
        #expect(repeated.diff.changes.isEmpty && repeated.evidence.certainty == .guess, "\(repeated.evidence)")
        // What was played since would be put aside. The friend stays all the same.
        let played = choice(#"{"coins":6,"friends":[]}"#)
        #expect(played.base == 1 && played.evidence.certainty == .guess, "\(played.evidence)")
        #expect(played.diff.changes.map(\.path.description) == ["/coins"], "\(played.diff.changes)")
        #expect(played.areRemovalsUnread)
    }

    /// Of what the save lacks, that stays which the older snapshot lacks as well; what both snapshots hold, the game removed.
    @Test func whatBothSnapshotsHoldIsRemoved() throws {
        let choice = BaseChoice(
            among: [
                #"{"n":1,"bag":["rope"],"inv":[{"id":1,"of":"oak"}],"old":{"a":1}}"#,
                #"{"n":1,"bag":["rope","lamp"],"inv":[{"id":1,"of":"oak"},{"id":2,"of":"elm"}],"old":{"a":1},"#
                    + #""new":{"b":2}}"#,
            ].map { document($0) }, for: document(#"{"n":3,"bag":[],"inv":[]}"#),
            rules: rules(["/n": .init(.counter), "/bag": .init(.set), "/inv[id]/of": .init(.latest)]),
            sightings: .init(outdated: [0]))
        #expect(choice.base == 1 && choice.areRemovalsUnread, "\(choice.evidence)")
        #expect(choice.diff.changes.map(\.change).contains(.elements(added: [], removed: ["rope"])))
        let paths = Set(choice.diff.changes.map(\.path.description))
        #expect(paths.contains("/old") && !paths.contains("/new") && !paths.contains("/new/b"), "\(paths)")
        #expect(paths.contains("/inv/[1]") && !paths.contains("/inv/[2]"), "\(paths)")
    }

    /// Of several snapshots that came in, the question is about the one that stood last: if that was read, the file
    /// shows the amount that was saved. In the second row the one before it alone leaves open whether anything was
    /// read; in the third it is so much nearer that the newest one was not read.
    @Test(arguments: [
        ([10_745, 10_775, 10_780], 10_721, 2, -59, -24), ([100, 123, 165], 106, 2, -59, 6),
        ([100, 110, 5_000], 104, 1, -6, 4),
    ])
    func whoHadReadHadReadTheNewest(_ amounts: [Int], save: Int, base: Int, ifRead: Int, ifUnread: Int) throws {
        let snapshots = try amounts.map { try JSONDocument(parsing: Array("{\"coins\":\($0)}".utf8)) }
        let choice = BaseChoice(
            among: snapshots, for: try JSONDocument(parsing: Array("{\"coins\":\(save)}".utf8)),
            rules: MergeCoreTests.rules(["/coins": .init(.counter)]))
        #expect(choice.base == base)
        #expect(choice.purse?.older == 0)
        #expect(choice.openAmounts.map(\.ifRead) == [ExactDecimal(ifRead)])
        #expect(choice.openAmounts.map(\.ifUnread) == [ExactDecimal(ifUnread)])
    }

    /// Also where an older snapshot is nearer: 61 is nearest to the save's 40, and 15 nearer than the 0 that stood
    /// there last. Who had read what came in earned 40.
    @Test func whoHadReadHadReadTheNewestAlsoWhereAnOlderSnapshotIsNearer() throws {
        func choice(_ save: Int, _ snapshots: [Int]) throws -> BaseChoice {
            BaseChoice(
                among: try snapshots.map { try JSONDocument(parsing: Array("{\"coins\":\($0)}".utf8)) },
                for: try JSONDocument(parsing: Array("{\"coins\":\(save)}".utf8)), rules: Self.purse)
        }
        let asked = try choice(40, [15, 61, 0])
        #expect(asked.base == 2)
        #expect(asked.purse?.older == 1)
        #expect(asked.openAmounts.map(\.ifRead) == [ExactDecimal(40)])
        // The newest snapshot is far away: then the doubt is about the older one.
        let older = try choice(40, [15, 61, 1_000])
        #expect(older.base == 1)
        #expect(older.purse?.older == 0)
        #expect(older.openAmounts.map(\.ifRead) == [ExactDecimal(-21)])
    }

    /// A purse that was removed by a restore and stands in the save with another amount: near to what was there before,
    /// the game had not read the restore. Else it may have begun the purse anew, and nothing of that is put aside.
    @Test func whatIsBegunAnewAfterARestoreIsNotPutAside() throws {
        func choice(_ save: String, outdated: Set<Int> = [0]) throws -> BaseChoice {
            BaseChoice(
                among: try [#"{"a":1,"bag":{"coins":400}}"#, #"{"a":1}"#].map {
                    try JSONDocument(parsing: Array($0.utf8))
                }, for: try JSONDocument(parsing: Array(save.utf8)), rules: rules(["/bag/coins": .init(.counter)]),
                sightings: .init(outdated: outdated))
        }
        let anew = #"{"a":1,"bag":{"coins":900}}"#
        let begun = try choice(anew)
        #expect(begun.base == 1)
        #expect(begun.isUndecided)
        #expect(try choice(anew, outdated: []).base == 0, "nothing would be put aside")
        #expect(try choice(#"{"a":1,"bag":{"coins":410}}"#).base == 0)
        #expect(try choice(#"{"a":2,"bag":{"coins":400}}"#).base == 0)
    }

    /// After a reset a game has a flag again and a record: so may one that read the reset have played, and so may one
    /// that had not. The second is taken, so that nothing of the reset comes back, and it is said to be a guess.
    @Test func aFlagThatIsSetAgainAfterAResetIsAGuess() throws {
        let rules = rules([
            "/won": .init(.flag), "/met": .init(.flag), "/rich": .init(.flag), "/best": .init(.max),
        ])
        func choice(_ save: String, after old: String, _ new: String, outdated: Set<Int> = [0]) -> BaseChoice {
            BaseChoice(
                among: [document(old), document(new)], for: document(save), rules: rules,
                sightings: .init(outdated: outdated))
        }
        let (old, new, anew) = (#"{"won":true,"best":2.5}"#, #"{"won":false}"#, #"{"won":true,"best":100}"#)
        let begun = choice(anew, after: old, new)
        #expect(begun.base == 0)
        #expect(begun.evidence == .outdated && begun.evidence.certainty == .guess)
        #expect(choice(anew, after: old, new, outdated: []).evidence == .setBack, "nothing was reset")
        #expect(choice(#"{"won":true,"best":2.6}"#, after: old, new).evidence == .outdated)
        let name = #"{"won":true,"best":2.5,"name":"Ada"}"#
        #expect(choice(#"{"won":true,"best":100,"name":"Ada"}"#, after: name, new).evidence.certainty == .likely)
        let flags = #"{"won":true,"met":true,"rich":true}"#
        #expect(choice(flags, after: flags, flags.replacing("true", with: "false")).evidence.certainty == .likely)
    }

    /// An element was removed elsewhere, and the next save here has it. Its game may not have read the removal, or may
    /// have added the element again. The first is taken, and it is said to be a guess.
    @Test(arguments: [
        (#"{"bag":[4]}"#, #"{"bag":[]}"#, #"{"bag":[1,4]}"#),
        (#"{"inv":[{"id":1},{"id":2}]}"#, #"{"inv":[{"id":1}]}"#, #"{"inv":[{"id":1,"n":5},{"id":2}]}"#),
        // With the values that it had: a game adds an element as it always does.
        (
            #"{"inv":[{"id":1},{"id":2,"lit":true,"of":"oak"}]}"#, #"{"inv":[{"id":1}]}"#,
            #"{"inv":[{"id":1,"n":5},{"id":2,"lit":true,"of":"oak"}]}"#
        ),
    ])
    func oneElementThatIsThereAgainIsAGuess(old: String, new: String, save: String) {
        let choice = BaseChoice(
            among: [document(old), document(new)], for: document(save),
            rules: rules(["/bag": .init(.set), "/inv[id]/n": .init(.counter)]))
        #expect(choice.base == 0, "\(choice.evidence)")
        #expect(choice.evidence == .setBack && choice.evidence.certainty == .guess, "\(choice.evidence)")
    }

    /// The same where the element stands at another place than before: the save has the order of the newest snapshot,
    /// and a new element at its end. So its game had read the newest, which is a guess as well.
    @Test func anElementThatIsThereAgainAtAnotherPlaceWasAddedAgain() {
        let choice = BaseChoice(
            among: [
                document(#"{"inv":[{"id":2,"lit":true},{"id":1},{"id":3}]}"#),
                document(#"{"inv":[{"id":1},{"id":3}]}"#),
            ],
            for: document(#"{"inv":[{"id":1},{"id":3},{"id":2,"lit":true}]}"#),
            rules: rules(["/inv[id]": .init(.latest)]))
        #expect(choice.base == 1 && choice.evidence == .order, "\(choice.evidence)")
        #expect(choice.evidence.certainty == .guess)
    }
}
