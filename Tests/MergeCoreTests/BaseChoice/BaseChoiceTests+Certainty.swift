import LosslessJSON
import MergeCore
import Testing

/// What makes a choice certain, and what does not.
extension BaseChoiceTests {
    /// Two other places speak, and the one that only grows holds what neither snapshot holds: the game lowered it.
    @Test func oneLoweredPlaceRulesNoSnapshotOut() {
        var devices = running(#"{"level":1,"coins":100}"#, plus: #"{"level":3,"coins":200}"#)
        let choice = devices[0].saveGuessed(#"{"level":2,"coins":250}"#)
        #expect(choice.base == 1)
        #expect(choice.meaning.doubt == .lostMore)
        settle(&devices)
        #expect(devices.map(\.shown) == Array(repeating: #"{"level":3,"coins":200}"#, count: 2))
        var others = running(#"{"level":1,"coins":100,"a":1}"#, plus: #"{"level":3,"coins":200,"a":2}"#)
        let lowered = others[0].saveGuessed(#"{"level":2,"coins":200,"a":2}"#)
        #expect(lowered.base == 1)
        #expect(lowered.meaning.doubt == .onlyLost)
    }

    /// A save was asked about and not accepted. The next one lacks a union, as that one did, and that rules out what stands
    /// in the file: measured against the first one it would spend what it never had.
    @Test func aSaveThatWasNotAcceptedIsAGuess() throws {
        let rules = rules(["/story": .init(.counter), "/gems": .init(.counter), "/energy": .init(.union)])
        func choice(_ save: String, notAccepted: Set<Int>) throws -> BaseChoice {
            let snapshots = [
                #"{"story":112,"gems":301,"map":"b"}"#,
                #"{"story":67,"energy":["fox"],"gems":271,"map":"a","town":5}"#,
            ]
            return BaseChoice(
                among: try snapshots.map { try JSONDocument(parsing: Array($0.utf8)) },
                for: try JSONDocument(parsing: Array(save.utf8)), rules: rules,
                sightings: .init(notAccepted: notAccepted))
        }
        let read = #"{"story":70,"gems":271,"map":"c","town":5}"#
        #expect(try choice(read, notAccepted: []).base == 0)
        #expect(try choice(read, notAccepted: [0]).base == 1)
        #expect(try choice(read, notAccepted: [0]).evidence == .contested)
        let goneOn = #"{"story":115,"gems":301,"map":"b","more":1}"#
        #expect(try choice(goneOn, notAccepted: []).evidence == .othersRuledOut)
        #expect(try choice(goneOn, notAccepted: [0]).base == 0)
        #expect(try choice(goneOn, notAccepted: [0]).evidence == .notAccepted)
    }

    /// A leaf that only grows, and that the save lowers if its game had read a snapshot, is no vote for that snapshot:
    /// here a value in common is all that speaks for it.
    @Test func whatASaveLowersDoesNotMakeItsSnapshotSure() throws {
        let rules = rules(["/best": .init(.min, none: [.null]), "/last": .init(.min, none: [.null])])
        func evidence(_ save: String) throws -> BaseChoice.Evidence {
            let snapshots = try [#"{"best":null,"last":null}"#, #"{"best":3,"last":5}"#].map {
                try JSONDocument(parsing: Array($0.utf8))
            }
            let choice = BaseChoice(among: snapshots, for: try JSONDocument(parsing: Array(save.utf8)), rules: rules)
            #expect(choice.base == 1)
            return choice.evidence
        }
        #expect(try evidence(#"{"best":90,"last":5}"#) == .nearer(votes: 2, against: 2))
        #expect(try evidence(#"{"best":3,"last":5,"more":1}"#).certainty > .guess)
    }

    /// An element alone is little where a place that only grows would be lowered: the game may have added one of the
    /// same key itself.
    @Test func anElementBesideALoweredPlaceIsAGuess() {
        let rules = rules(["/bag[id]/n": .init(.min), "/best": .init(.max)])
        let snapshots = [#"{"bag":[],"best":5,"k":1}"#, #"{"bag":[{"id":7,"n":0}],"best":9,"k":1}"#].map {
            document($0)
        }
        let choice = BaseChoice(
            among: snapshots, for: document(#"{"bag":[{"id":7,"n":3}],"best":6,"k":2}"#), rules: rules)
        #expect(choice.evidence.certainty == .guess, "\(choice.evidence)")
    }

    /// What a save would lower, had its game read a snapshot from before a reset, makes that snapshot a guess: a game
    /// that began anew comes by the same values.
    @Test func aLoweredPlaceFromBeforeAResetIsAGuess() {
        let rules = rules(["/story[id]/stars": .init(.flag), "/story[id]/gems": .init(.max)])
        let snapshots = [#"{"story":[{"id":"m","gems":70,"stars":true}]}"#, #"{"story":[]}"#].map { document($0) }
        let save = document(#"{"story":[{"id":"m","gems":70,"stars":false,"n":"x"}]}"#)
        let choice = BaseChoice(among: snapshots, for: save, rules: rules, sightings: .init(outdated: [0]))
        #expect(choice.evidence.certainty == .guess, "\(choice.evidence)")
    }

    /// So does one amount in common beside numbers that are near, where the game's own last save was put aside.
    @Test func anAmountInCommonFromBeforeAResetIsAGuess() {
        let rules = rules(["/map": .init(.set), "/laps/*/n": .init(.counter)])
        let snapshots = [#"{"laps":[{"n":5},{"n":9}],"k":1}"#, #"{"map":["fox"],"k":1}"#].map { document($0) }
        let save = document(#"{"laps":[{"n":5},{"n":11}],"k":1}"#)
        let choice = BaseChoice(among: snapshots, for: save, rules: rules, sightings: .init(outdated: [0]))
        #expect(choice.evidence.certainty == .guess, "\(choice.evidence)")
    }

    /// What a reset and its undo leave has the content of what stood before: the newest of the equal snapshots is the
    /// one.
    @Test func ofEqualSnapshotsTheNewestCounts() throws {
        var devices = Device.household(2, Self.purse, sharing: #"{"coins":100}"#)
        try devices[0].reset("/coins")
        devices[0].project()
        try devices[0].restore(#"{"coins":100}"#)
        devices[0].project()
        #expect(devices[0].snapshots.count == 3)
        #expect(devices[0].saveGuessed(#"{"coins":105}"#).base == 2)
        settle(&devices)
        #expect(devices.map(\.shown) == [#"{"coins":105}"#, #"{"coins":105}"#])
        devices = Device.household(2, Self.purse, sharing: #"{"coins":100}"#)
        try devices[0].reset("/coins")
        devices[0].project()
        try devices[0].restore(#"{"coins":100}"#)
        devices[0].project()
        devices[1].pull(devices[0])
        devices[1].project()
        devices[1].set("coins", 110)
        devices[0].pull(devices[1])
        devices[0].project()
        #expect(devices[0].saveGuessed(#"{"coins":105}"#).base == 3)
        settle(&devices)
        #expect(devices.map(\.shown) == [#"{"coins":105}"#, #"{"coins":105}"#])
    }

    /// It is a guess, though, since the game may also have lowered the leaf: nothing else speaks for its own save.
    /// That was certain once. Of 24,000 made-up saves, a third each from memory, from what came in, and from what came
    /// in with something lowered, 4,952 were certain by what they lack, and 16 of them wrongly. Now 14 of the wrong ones
    /// are guesses, and 216 of the right ones.
    @Test func aGrowOnlyLeafRulesOutTheProjection() {
        for (mine, other, save) in [
            (#"{"level":1,"coins":100}"#, #"{"level":5,"coins":100}"#, #"{"level":2,"coins":500}"#),
            (#"{"seen":[1],"coins":100}"#, #"{"seen":[1,2],"coins":100}"#, #"{"seen":[3,1],"coins":500}"#),
            (#"{"won":false,"coins":100}"#, #"{"won":true,"coins":100}"#, #"{"won":false,"coins":500}"#),
        ] {
            var devices = running(mine, plus: other)
            devices[1].set("coins", 600)
            devices[0].pull(devices[1])
            devices[0].project()
            #expect(devices[0].snapshots.count == 3)
            // 500 is nearer to 600 than to 100, but who had read that would have the rest too.
            let choice = devices[0].saveGuessed(save)
            #expect(choice.base == 0, "\(save)")
            #expect(choice.evidence == .onePlaceLowered)
            #expect(!choice.isRegressed)
            settle(&devices)
            #expect(devices[0].value["coins"] == 1_000, "\(save)")
            #expect(Agreed(devices[0].value, Self.purse) == Agreed(devices[1].value, Self.purse))
        }
    }

    @Test func manyProjectionsInBetween() {
        for reloadedAt in 0...17 {
            var devices = Device.household(2, Self.purse, sharing: #"{"coins":100}"#)
            for step in 1...17 {
                devices[1].set("coins", .number(JSONNumber(100 + 100 * step)))
                devices[0].pull(devices[1])
                devices[0].project()
            }
            #expect(devices[0].snapshots.count == 18)
            let choice = devices[0].saveGuessed("{\"coins\":\(100 + 100 * reloadedAt + 3)}")
            #expect(choice.base == reloadedAt)
            settle(&devices)
            #expect(devices.map(\.shown) == Array(repeating: #"{"coins":1803}"#, count: 2))
        }
    }

    @Test func leavesVoteTogether() {
        var devices = running(#"{"coins":100,"a":1,"b":1}"#, plus: #"{"coins":500,"a":7,"b":8}"#)
        // Reloaded, and then spent nearly all of it: two leaves that are as they came in say so, against one number.
        let choice = devices[0].saveGuessed(#"{"coins":110,"a":7,"b":8}"#)
        #expect(choice.base == 1)
        #expect(choice.evidence == .nearer(votes: 4, against: 1))
        settle(&devices)
        #expect(devices[1].value == json(#"{"coins":110,"a":7,"b":8}"#))
    }

    @Test func oneSnapshotIsNoChoice() {
        var devices = Device.household(1, Self.purse, sharing: #"{"coins":100}"#)
        #expect(devices[0].saveGuessed(#"{"coins":1}"#).evidence == .onlySnapshot)
    }
}
