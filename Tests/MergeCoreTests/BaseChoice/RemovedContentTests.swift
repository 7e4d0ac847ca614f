import LosslessJSON
import MergeCore
import Testing

/// A save removed something that another device changed meanwhile. Where nothing tells whether its game had read that
/// change, it was not read: what was changed comes back, and that is called a guess.
@Suite struct RemovedContentTests {
    static let ruleSet = rules(["/shop[id]/n": .init(.counter), "/name": .init(.latest)])
    static let full = #"{"shop":[{"id":1,"lamp":false,"n":3},{"id":2,"lamp":true,"n":5}],"name":"a"}"#

    /// One device has changed what is in the first element, and the other one's file shows it.
    private func running(_ changed: String) -> [Device] {
        var devices = Device.household(2, Self.ruleSet, sharing: Self.full)
        devices[1].save(changed)
        devices[0].pull(devices[1])
        devices[0].project()
        #expect(devices[0].value == json(changed))
        return devices
    }

    @Test(arguments: [
        #"{"id":1,"lamp":true,"n":3}"#, #"{"id":1,"lamp":false,"n":9}"#, #"{"id":1,"lamp":false,"n":3,"new":"x"}"#,
    ])
    func anElementThatWasChangedElsewhereComesBack(element: String) {
        let changed = Self.full.replacing(#"{"id":1,"lamp":false,"n":3}"#, with: element)
        var devices = running(changed)
        let choice = devices[0].saveGuessed(#"{"shop":[{"id":2,"lamp":true,"n":5}],"name":"a"}"#)
        #expect(choice.base == 0)
        #expect(choice.evidence == .removed)
        settle(&devices)
        for device in devices { #expect(Agreed(device.value, Self.ruleSet) == Agreed(json(changed), Self.ruleSet)) }
    }

    @Test func aValueThatWasChangedElsewhereIsAGuess() {
        var devices = running(Self.full.replacing(#""name":"a""#, with: #""name":"b""#))
        let choice = devices[0].saveGuessed(#"{"shop":[{"id":1,"lamp":false,"n":3},{"id":2,"lamp":true,"n":5}]}"#)
        #expect(choice.base == 0)
        #expect(choice.evidence == .removed)
    }

    /// Whoever is known to have read the change removes it for good.
    @Test func whoHadReadTheChangeRemovesIt() {
        let changed = Self.full.replacing(#"{"id":1,"lamp":false,"n":3}"#, with: #"{"id":1,"lamp":true,"n":3}"#)
        let save = #"{"shop":[{"id":2,"lamp":true,"n":5}],"name":"a"}"#
        let (started, opened) = (
            BaseChoice.Sightings(startedAfter: 1), BaseChoice.Sightings(openedAfterSwap: [1], opensTell: true)
        )
        for sightings in [started, opened] {
            let device = running(changed)[0]
            #expect(device.guess(document(save), sightings).base == 1)
        }
        // Anything else that only one of the snapshots holds decides too.
        var devices = running(changed.replacing(#""name":"a""#, with: #""name":"b""#))
        let choice = devices[0].saveGuessed(save.replacing(#""name":"a""#, with: #""name":"b""#))
        #expect(choice.base == 1)
        settle(&devices)
        for device in devices { #expect(device.value["shop"] == json(#"[{"id":2,"lamp":true,"n":5}]"#)) }
    }

    /// Snapshots from before a reset that differ in what the save removed are no reason to put play aside.
    @Test func playAfterAResetCountsThoughItRemoves() {
        let rules = rules(["/log/*": .init(.min), "/shop[id]/n": .init(.max)])
        let snapshots = [
            #"{"log":[40],"shop":[{"id":1,"a":1}]}"#, #"{"log":[40],"shop":[{"id":1,"a":2}]}"#,
            #"{"shop":[{"id":1,"a":2}]}"#,
        ]
        let choice = BaseChoice(
            among: snapshots.map { document($0) }, for: document(#"{"log":[22],"shop":[]}"#), rules: rules,
            sightings: .init(outdated: [0, 1]))
        #expect(choice.base == 2)
        #expect(choice.evidence.certainty == .guess)
    }

    /// A purse that nobody can tell is asked about, also beside what was removed.
    @Test func aPurseIsAskedAboutBesideWhatIsRemoved() {
        let rules = rules(["/coins": .init(.counter), "/shop[id]/n": .init(.max)])
        let snapshots = [(100, 1), (150, 1), (150, 2)].map { coins, a in
            document("{\"coins\":\(coins),\"shop\":[{\"id\":1,\"a\":\(a)}]}")
        }
        let choice = BaseChoice(among: snapshots, for: document(#"{"coins":130,"shop":[]}"#), rules: rules)
        #expect(choice.purse != nil)
    }

    /// Where the element was the same in all snapshots, there is nothing to guess.
    @Test func whatNobodyChangedIsRemoved() {
        var devices = running(Self.full.replacing(#""name":"a""#, with: #""name":"b""#))
        let choice = devices[0].saveGuessed(#"{"shop":[{"id":2,"lamp":true,"n":5}],"name":"b"}"#)
        #expect(choice.evidence.certainty == .guess || choice.base == 1)
        settle(&devices)
        for device in devices { #expect(device.value["shop"] == json(#"[{"id":2,"lamp":true,"n":5}]"#)) }
    }

    /// Numbers that one snapshot lacks, and that are hardly nearer to the other one's than to zero, may as well have
    /// begun anew: a game that plays on from a save that was set aside writes such.
    @Test(arguments: [("[22,31,10]", BaseChoice.Evidence.begunAnew), ("[39,35,33]", .nearer(votes: 4, against: 0))])
    func numbersThatBeganAnewAreAGuess(log: String, evidence: BaseChoice.Evidence) {
        let rules = rules(["/log/*": .init(.min)])
        let snapshots = [#"{"n":0}"#, #"{"n":0,"log":[40,36,33]}"#].map { document($0) }
        let choice = BaseChoice(among: snapshots, for: document("{\"n\":0,\"log\":\(log)}"), rules: rules)
        #expect(choice.base == 1)
        #expect(choice.evidence == evidence)
    }
}
