import LosslessJSON
import TestSupport
import Testing

@testable import MergeCore

/// A member that speaks of more than there is: of writes that are not made yet, of changes that nobody counted.
@Suite struct HostileClaimTests {
    private let liar = replica(50)
    private let mixed = rules(["/friends": .init(.set), "/sel": .init(.choice)])

    private func household() -> [Device] {
        Device.household(2, mixed, sharing: #"{"coins":5,"friends":["x"],"sel":"a","note":"n"}"#)
    }

    private func atom(_ key: AtomKey, _ content: AtomContent) -> KeyedAtom {
        KeyedAtom(key, Atom(content, Dot(replica: liar, sequence: 1)))
    }

    /// All that names writes of others: a removal, what it keeps for good, a value of a choice, a reset.
    private func claims(_ reads: [ReplicaID: UInt64]) -> [KeyedAtom] {
        let epoch = EpochID(number: 1, kind: .reset, stamp: .init(rawValue: 0), origin: liar)
        let note = DocumentPath([.member("note")])
        return [
            atom(AtomKey(.root, .removal, sub: liar.bytes), .removal(Removal(seen: reads, number: 1))),
            atom(AtomKey(note, .removal, sub: liar.bytes), .removal(Removal(final: reads, number: 1))),
            atom(
                AtomKey(DocumentPath([.member("sel")]), .choice, sub: liar.bytes),
                .candidate(.live(1), "b", replaced: reads)),
            atom(
                EpochKey(epoch, liar).atomKey,
                .epoch(Epoch(selector: PathSelector(patterns: [], places: [note]), seen: reads))),
        ]
    }

    @Test func whatNamesWritesThatNobodyMadeIsRefused() {
        let state = household()[0].state
        let writer = state.vector.sortedReplicas[0]
        let last = state.vector.sequence(of: writer)
        let later = VersionVector([writer: .init(sequence: last + 3, history: 1)])
        for (read, index) in [last, last + 1, last + 3, last + 4, .max].flatMap({ n in (0..<4).map { (n, $0) } }) {
            let claim = [claims([writer: read])[index]]
            #expect((state.refusalOfReads(in: claim, upTo: VersionVector()) == nil) == (read <= last))
            #expect((state.refusalOfReads(in: claim, upTo: later) == nil) == (read <= last + 3))
            #expect(state.refusalOfReads(in: claim, upTo: VersionVector()) { $0 == writer } == nil)
        }
        // Nobody is known to write as a replica of which nobody told.
        for claim in claims([replica(77): 1]) {
            #expect(state.refusalOfReads(in: [claim], upTo: later)?.contains("of which nobody told") == true)
        }
    }

    /// What correct devices send names only what they send, or what the other has.
    @Test func whatDevicesSendEachOtherIsTaken() {
        var devices = household()
        let saves = [
            #"{"coins":7,"friends":["x","y"],"sel":"b","note":"n"}"#, #"{"coins":7,"friends":[],"sel":"c"}"#,
            #"{"coins":9,"friends":["z"],"sel":"c","note":"again"}"#,
        ]
        for (round, save) in saves.enumerated() {
            devices[round % 2].save(save)
            for (from, to) in [(0, 1), (1, 0)] {
                let (sender, receiver) = (devices[from].state, devices[to].state)
                let delta = sender.delta(beyond: receiver.vector)
                #expect(receiver.refusalOfReads(in: delta, upTo: sender.vector) == nil)
                devices[to].pull(devices[from])
            }
        }
    }

    /// An element at the largest causal length can be taken out, put in again, and taken out, on every device.
    @Test(arguments: [AtomContent.lengthLimit - 1, AtomContent.lengthLimit, .max - 1, .max])
    func noElementIsThereForGood(length: UInt64) {
        var devices = household()
        let junk = JSONValue.string("junk")
        let key = AtomKey(DocumentPath([.member("friends")]), .set, sub: junk.canonicalBytes)
        let said = atom(key, .membership(length: length, junk))
        for index in devices.indices {
            devices[index].state.join([said], vector: VersionVector([liar: .init(sequence: 1, history: 1)]))
            _ = devices[index].project()
        }
        for (round, isIn) in [length % 2 == 0, length % 2 == 1, length % 2 == 0].enumerated() {
            let device = round % 2
            let list = isIn ? #"["x","junk"]"# : #"["x"]"#
            devices[device].save(#"{"coins":5,"friends":\#(list),"sel":"a","note":"n"}"#)
            let written = devices[device].state.delta(beyond: devices[1 - device].state.vector)
            #expect(devices[1 - device].state.refusal(of: written) == nil)
            settle(&devices)
            for device in devices { #expect(device.shown.contains("junk") == isIn, "\(device.shown)") }
        }
    }
}
