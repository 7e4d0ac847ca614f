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

    @Test func whoNamesWritesThatNobodyMadeIsFound() {
        let state = household()[0].state
        let writer = state.vector.sortedReplicas[0]
        let last = state.vector.sequence(of: writer)
        let later = VersionVector([writer: .init(sequence: last + 3, history: 1)])
        for (read, index) in [last, last + 1, last + 3, last + 4, .max].flatMap({ n in (0..<4).map { (n, $0) } }) {
            let claim = [claims([writer: read])[index]]
            func found(_ offered: VersionVector, leftOut: UInt64 = 0) -> Bool {
                let all = state.writersBeyondReads(in: claim, upTo: offered) { named, reader in
                    named == writer && reader == liar ? leftOut : 0
                }
                #expect(all.isEmpty || Array(all.keys) == [liar])
                return !all.isEmpty
            }
            #expect(found(VersionVector()) == (read > last))
            #expect(found(later) == (read > last + 3))
            #expect(found(VersionVector(), leftOut: last + 3) == (read > last + 3))
        }
        // Nobody is known to write as a replica of which nobody told.
        for claim in claims([replica(77): 1]) {
            let found = state.writersBeyondReads(in: [claim], upTo: later)
            #expect(found[liar]?.contains("of which nobody told") == true)
        }
    }

    /// What this device says in its own name, it can answer for: another device's removal may name what is left out here.
    @Test func aRemovalOfOnesOwnNamesWhatIsCoveredHere() {
        var devices = household()
        let known = devices[0].state.vector
        let note = DocumentPath([.member("note")])
        var reads = known.entries.mapValues(\.sequence)
        reads[replica(77)] = 9
        let gone = atom(AtomKey(note, .removal, sub: liar.bytes), .removal(Removal(seen: reads, number: 1)))
        devices[0].state.join([gone], vector: VersionVector([liar: .init(sequence: 1, history: 1)]))
        _ = devices[0].project()
        devices[0].save(#"{"coins":5,"friends":["x"],"sel":"a"}"#)
        devices[0].save(#"{"coins":5,"friends":["x"],"sel":"a","note":"again"}"#)
        let written = devices[0].state.delta(beyond: known).filter { $0.atom.dot.replica == devices[0].replica }
        #expect(written.contains { $0.key.kind == .removal })
        let other = devices[1].state.writersBeyondReads(in: written, upTo: devices[0].state.vector)
        #expect(other.isEmpty, "\(other)")
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
                #expect(receiver.writersBeyondReads(in: delta, upTo: sender.vector).isEmpty)
                devices[to].pull(devices[from])
            }
        }
    }

    /// An element at the largest causal length can be taken out, put in again, and taken out, on every device.
    @Test(arguments: [0, 1, 2, 3].map { AtomContent.lengthLimit - $0 } + [.max - 1, .max])
    func noElementIsThereForGood(length: UInt64) {
        var devices = household()
        let junk = JSONValue.string("junk")
        let key = AtomKey(DocumentPath([.member("friends")]), .set, sub: junk.canonicalBytes)
        take(atom(key, .membership(length: length, junk)), &devices)
        for (round, isIn) in [length % 2 == 0, length % 2 == 1, length % 2 == 0].enumerated() {
            let list = isIn ? #"["x","junk"]"# : #"["x"]"#
            play(#"{"coins":5,"friends":\#(list),"sel":"a","note":"n"}"#, on: round % 2, &devices)
            for device in devices { #expect(device.shown.contains("junk") == isIn, "\(device.shown)") }
        }
    }

    /// The same for an element by a key: an edit in it counts on by two.
    @Test(arguments: [0, 1, 2, 3].map { AtomContent.lengthLimit - $0 })
    func noElementByAKeyIsThereForGood(length: UInt64) {
        var devices = Device.household(
            2, rules(["/crew[id]/xp": .init(.counter)]), sharing: #"{"crew":[{"id":1,"xp":1},{"id":2,"xp":1}]}"#)
        let element = DocumentPath([.member("crew"), .element(json("2").canonicalBytes)])
        take(atom(AtomKey(element, .element), .membership(length: length, 2)), &devices)
        for (round, xp) in [5, 6, 7, 8].enumerated() {
            play(#"{"crew":[{"id":1,"xp":1},{"id":2,"xp":\#(xp)}]}"#, on: round % 2, &devices)
            for device in devices { #expect(device.shown.contains(#""xp":\#(xp)"#), "\(device.shown)") }
        }
        play(#"{"crew":[{"id":1,"xp":1}]}"#, on: 0, &devices)
        for device in devices { #expect(!device.shown.contains(#""id":2"#), "\(device.shown)") }
    }

    /// An element that begins anew needs room for the epochs just above its own.
    @Test func anElementAtTheEndHasRoomToBeginAnew() {
        let state = household()[0].state
        let key = AtomKey(DocumentPath([.member("friends")]), .set, sub: JSONValue.string("junk").canonicalBytes)
        func isTaken(_ length: UInt64, _ epoch: EpochID?) -> Bool {
            let content = AtomContent.membership(length: length, .string("junk"))
            return state.refusal(
                of: [KeyedAtom(key, Atom(content, Dot(replica: liar, sequence: 1), epoch: epoch))]) == nil
        }
        let last = AtomContent.lastLength
        func step(_ origin: UInt64) -> EpochID {
            EpochID(number: 0, kind: .beginning, stamp: .init(rawValue: 0), origin: ReplicaID(high: 0, low: origin))
        }
        #expect(isTaken(last, nil) && isTaken(last, step(1)) && isTaken(last, step(1 << 19)))
        #expect(!isTaken(last, step(1 << 20)) && isTaken(last - 1, step(1 << 20)))
        // Nobody begins an epoch before the first one, so nothing is in it but such steps.
        let hidden = EpochID(number: 0, kind: .reset, stamp: .last, origin: ReplicaID(high: .max, low: .max))
        #expect(!isTaken(1, hidden) && !isTaken(1, step(1 << 21)))
    }

    private func take(_ said: KeyedAtom, _ devices: inout [Device]) {
        for index in devices.indices {
            devices[index].state.join([said], vector: VersionVector([liar: .init(sequence: 1, history: 1)]))
            _ = devices[index].project()
        }
    }

    /// A save on one device, of which the other one takes all that it is sent.
    private func play(_ save: String, on device: Int, _ devices: inout [Device]) {
        devices[device].save(save)
        let written = devices[device].state.delta(beyond: devices[1 - device].state.vector)
        let why = devices[1 - device].state.refusal(of: written)
        #expect(why == nil, "\(why ?? "")")
        settle(&devices)
    }
}
