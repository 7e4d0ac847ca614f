import LosslessJSON
import MergeCore
import Testing

/// What a save means that lowered something: each line of ``SaveMeaning``, and what is taken up meanwhile.
@Suite struct SaveMeaningTests {
    static let rules = MergeCoreTests.rules([
        "/level": .init(.max), "/best": .init(.max), "/coins": .init(.counter), "/kills": .init(.counter),
        "/seen": .init(.union), "/won": .init(.flag), "/friends": .init(.set), "/items[id]/stars": .init(.max),
        "/bag/*/stars": .init(.max), "/lap": .init(.min, none: [0]),
    ])
    static let snapshot = """
        {"level":3,"best":90,"coins":500,"kills":7,"seen":["a"],"won":false,"friends":["x"],"theme":"dark","lap":31,\
        "items":[{"id":1,"stars":2},{"id":2,"note":"n"}],"bag":{"sword":{"stars":1},"rope":{"n":1}}}
        """

    private func meaning(
        _ edits: [(String, String)], wasSpent: Bool = false, isOlderCopy: Bool = false
    ) -> SaveMeaning {
        var save = Self.snapshot
        for (old, new) in edits {
            #expect(save.contains(old), "\(old)")
            save = save.replacing(old, with: new)
        }
        return MergeCoreTests.meaning(
            of: save, after: Self.snapshot, Self.rules, wasSpent: wasSpent, isOlderCopy: isOlderCopy)
    }

    @Test func playThatLoweredOnePlaceCounts() {
        let played = meaning([
            (#""level":3"#, #""level":4"#), (#""coins":500"#, #""coins":420"#), (#"["x"]"#, #"["x","y"]"#),
            (#"["a"]"#, #"["a","b"]"#), (#""won":false"#, #""won":true"#), ("dark", "light"),
            (#""best":90"#, #""best":80"#),
        ])
        #expect(!played.isQuestion)
        #expect(played.lowered.map(\.path.description) == ["/best"])
        #expect(played.lowered.map(\.kept) == [90])
        #expect(played.lowered.map(\.saved) == [80])
    }

    @Test func nothingLoweredIsAnEdit() {
        #expect(!meaning([(#""coins":500"#, #""coins":0"#), ("dark", "light"), (#"["x"]"#, "[]")]).isQuestion)
        #expect(meaning([("dark", "light")], isOlderCopy: true).doubt == nil)
    }

    @Test func whatIsLoweredWithoutAGainIsAsked() {
        #expect(meaning([(#""best":90"#, #""best":80"#)]).doubt == .onlyLost)
        #expect(meaning([(#""best":90"#, #""best":80"#), ("dark", "light")]).doubt == .onlyLost)
        #expect(meaning([(#""lap":31"#, #""lap":0"#)]).doubt == .onlyLost)
        #expect(meaning([(#""best":90"#, #""best":80"#)], isOlderCopy: true).doubt == .olderCopy)
    }

    /// A purse that rose says nothing where something was ever bought from it; a total that only rose is play.
    @Test func aCounterThatWasNeverSpentIsAGain() {
        let edits = [
            (#""best":90"#, #""best":80"#), (#""kills":7"#, #""kills":9"#), (#""coins":500"#, #""coins":510"#),
        ]
        #expect(meaning(edits).doubt == nil)
        #expect(meaning(edits, wasSpent: true).doubt == .onlyLost)
    }

    @Test func asMuchLoweredAsGainedIsAsked() {
        #expect(meaning([(#""best":90"#, #""best":80"#), (#""level":3"#, #""level":4"#)]).doubt == .lostMore)
        #expect(
            meaning([
                (#""best":90"#, #""best":80"#), (#""level":3"#, #""level":4"#), (#""kills":7"#, #""kills":8"#),
            ]).doubt == nil)
    }

    /// The save of another slot is lower in many places, or different nearly everywhere; one lowered place is play.
    @Test func whatDiffersAsMuchAsAnotherGameIsAsked() {
        let up = [(#""kills":7"#, #""kills":9"#), (#"["a"]"#, #"["a","b","c"]"#), (#""won":false"#, #""won":true"#)]
        let (best, level) = ((#""best":90"#, #""best":80"#), (#""level":3"#, #""level":2"#))
        #expect(meaning(up + [best]).doubt == nil)
        // Two of the six places that only grow and hold something.
        #expect(meaning(up + [best, level]).doubt == nil)
        #expect(meaning(up + [best, level, (#""lap":31"#, #""lap":40"#)]).doubt == .otherGame)
        let others = [
            (#""coins":500"#, #""coins":90"#), ("dark", "light"), (#"["x"]"#, #"["y"]"#),
            (#""note":"n""#, #""note":"m""#),
            (#"{"n":1}"#, #"{"n":2}"#), (#""stars":2"#, #""stars":3"#), (#""stars":1"#, #""stars":2"#), ("31", "30"),
        ]
        #expect(meaning(up + others + [best, level]).doubt == .otherGame)
        #expect(meaning(up + others + [best]).doubt == nil)
    }

    /// An element or member that held something that only grows is one loss with all that is in it; other removals are
    /// none, but there must not be more of them than gains.
    @Test func removedContainers() {
        let sold = (#"{"id":1,"stars":2},"#, "")
        let lowered = (#""best":90"#, #""best":80"#)
        #expect(meaning([sold]).doubt == nil)
        #expect(meaning([sold], isOlderCopy: true).doubt == .olderCopy)
        #expect(meaning([(#","bag":{"sword":{"stars":1},"rope":{"n":1}}"#, "")]).doubt == nil)
        #expect(meaning([lowered, (#""level":3"#, #""level":4"#), (#""kills":7"#, #""kills":8"#)]).doubt == nil)
        #expect(
            meaning([lowered, sold, (#""level":3"#, #""level":4"#), (#""kills":7"#, #""kills":8"#)]).doubt == .lostMore)
        #expect(meaning([(#","rope":{"n":1}"#, "")]).doubt == nil)
        #expect(meaning([(#",{"id":2,"note":"n"}"#, "")]).doubt == nil)
        let gains = [(#""level":3"#, #""level":4"#), (#""kills":7"#, #""kills":8"#)]
        #expect(meaning(gains + [(#"{"id":1,"stars":2},"#, "")]).doubt == nil)
        let more = [
            lowered, (#""seen":["a"]"#, #""seen":["a","b"]"#), (#"[{"id":1,"stars":2},{"id":2,"note":"n"}]"#, "[]"),
            (#","rope":{"n":1}"#, ""), (#"["x"]"#, "[]"),
        ]
        #expect(meaning(gains + more).doubt == .lostMore)
    }

    /// What appears with all that is in it counts once.
    @Test func whatAppearsIsOneGain() {
        let lowered = [(#""best":90"#, #""best":80"#)]
        #expect(
            meaning(lowered + [(#""won":false"#, #""won":false,"new":{"a":1,"b":2,"c":{"d":3}}"#)]).doubt == .lostMore)
        #expect(meaning(lowered + [(#""won":false"#, #""won":false,"new":1,"newer":2"#)]).doubt == nil)
    }

    // MARK: While nobody has said

    /// Grow-only gains and what the profile never had are taken up; nothing is removed, overwritten or counted; and
    /// what was had once does not return.
    @Test func whatCanLoseNothingIsTakenUp() {
        let start =
            #"{"level":3,"best":90,"coins":500,"seen":["a","b","c"],"friends":["x"],"sword":1,"theme":"dark","items":[{"id":1,"stars":2}]}"#
        var devices = Device.household(2, Self.rules, sharing: start)
        devices[0].edit { $0.setting("sword", to: nil) }
        devices[0].edit { $0.setting("items", to: .array([])) }
        let asked = devices[0].saveGuessed(
            """
            {"level":1,"best":95,"coins":400,"seen":[],"friends":["x","y"],"sword":1,"theme":"light",\
            "items":[{"id":1,"stars":5}]}
            """)
        #expect(asked.meaning.isQuestion)
        settle(&devices)
        for device in devices {
            #expect(
                Agreed(device.value, Self.rules)
                    == Agreed(
                        json(
                            #"{"level":3,"best":95,"coins":500,"seen":["a","b","c"],"friends":["x","y"],"theme":"dark","items":[]}"#
                        ),
                        Self.rules))
        }
    }
}
