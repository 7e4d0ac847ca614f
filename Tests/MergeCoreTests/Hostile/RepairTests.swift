import LosslessJSON
import TestSupport
import Testing

@testable import MergeCore

/// What another device said of a writer's writes is mended by the writer's own word: whatever was changed, left out or
/// made up, afterwards the state holds what the writer holds, and nothing that others wrote is lost.
@Suite struct RepairTests {
    /// The atoms of a delta after a bad device had them in its hands.
    private func spoiled(
        _ atoms: [KeyedAtom], of writer: ReplicaID, at last: UInt64, _ random: inout SeededRandom
    ) -> [KeyedAtom] {
        var result: [KeyedAtom] = []
        for atom in atoms {
            guard atom.atom.dot.replica == writer, !atom.key.path.isReserved else {
                result.append(atom)
                continue
            }
            switch random.below(4) {
            case 0: break
            case 1:
                guard case .register(let stamp, _) = atom.atom.content, atom.key.kind == .latest else { continue }
                let content = AtomContent.register(stamp, .number(JSONNumber(random.below(1_000))))
                result.append(KeyedAtom(atom.key, Atom(content, atom.atom.dot, epoch: atom.atom.epoch)))
            default: result.append(atom)
            }
        }
        for number in 0..<random.below(3) {
            let key = AtomKey(DocumentPath([.member(JSONString("lie\(number)"))]), .latest)
            let content = AtomContent.register(.live(WallTime(milliseconds: 1 << 41)), .bool(true))
            result.append(KeyedAtom(key, Atom(content, Dot(replica: writer, sequence: last))))
        }
        return result
    }

    private func whole(_ device: Device) -> [KeyedAtom] { device.state.delta(beyond: VersionVector()) }

    @Test func whateverWasSaidTheStateIsTheWritersInTheEnd() throws {
        var repairs = 0
        for seed in 0..<UInt64(TestDepth.count(quick: 40, usual: 150, all: 600)) {
            var random = SeededRandom(seed: seed)
            var devices = Device.household(3, RandomSaves.rules, sharing: RandomSaves.start)
            let (owner, victim) = (devices[0].replica, devices[2].replica)
            for _ in 0..<3 {
                devices[0].edit { RandomSaves.edited($0, &random) }
                devices[1].edit { RandomSaves.edited($0, &random) }
                if random.chance(50) { devices.sync(0, 1) }
            }
            devices.sync(0, 1)
            let known = devices[2].state.vector
            let last = devices[0].state.vector.sequence(of: owner)
            let delta = spoiled(devices[0].state.delta(beyond: known), of: owner, at: last, &random)
            devices[2].state.join(delta, vector: devices[0].state.vector)
            devices[2].touched = nil
            devices[2].project()
            devices[2].edit { RandomSaves.edited($0, &random) }
            devices[0].pull(devices[2])
            let end = VersionVector.Entry(sequence: last, history: 0)
            guard let span = WriteSpan(owner, after: known.sequence(of: owner), upTo: end) else { continue }
            let vector = devices[2].state.vector
            let repair = devices[2].state.repaired(by: whole(devices[0]), spans: [span], as: victim)
            #expect(repair.state.vector == vector)
            repairs += repair.isEmpty ? 0 : 1
            // What the record holds after the repair is what memory holds.
            var stored = Dictionary(devices[2].state.sortedAtoms.map { ($0.key, $0) }) { $1 }
            for key in repair.gone { stored[key] = nil }
            for atom in repair.put { stored[atom.key] = atom }
            #expect(Set(stored.values) == Set(repair.state.sortedAtoms), "seed \(seed)")
            devices[2].state = repair.state
            devices[2].pull(devices[0])
            devices[0].pull(devices[2])
            #expect(devices[2].state.holdsTheSame(as: devices[0].state), "seed \(seed)")
            #expect(
                devices[2].state.atoms(of: span) == devices[0].state.atoms(of: span), "seed \(seed)")
            #expect(span.atoms(among: whole(devices[0])) == devices[0].state.atoms(of: span), "seed \(seed)")
        }
        #expect(repairs > 20)
    }

    @Test func theAtomsOfASpanAreThoseThatStand() throws {
        var devices = Device.household(2, sharing: #"{"a":1,"b":1,"c":1}"#)
        let owner = devices[0].replica
        for number in 2..<6 { devices[0].set("a", .number(JSONNumber(number))) }
        devices[0].set("b", 9)
        let last = devices[0].state.vector.sequence(of: owner)
        let span = try #require(WriteSpan(owner, after: last - 2, upTo: .init(sequence: last, history: 0)))
        let expected = devices[0].state.sortedAtoms.filter { span.contains($0.atom.dot) }
        #expect(!expected.isEmpty && devices[0].state.atoms(of: span) == expected)
        devices[1].pull(devices[0])
        #expect(devices[1].state.atoms(of: span) == expected)
        #expect(WriteSpan(owner, after: 3, upTo: .init(sequence: 3, history: 0)) == nil)
    }

    /// An owner may change what bears its own name. What another device wrote stays, whatever the owner says of it.
    @Test func anOwnerChangesNothingOfOthers() throws {
        var devices = Device.household(3, sharing: #"{"a":1,"b":1}"#)
        let (owner, victim) = (devices[0].replica, devices[2].replica)
        devices[1].set("b", 7)
        devices.sync(0, 1)
        let known = devices[2].state.vector
        devices[0].set("a", 2)
        devices[2].pull(devices[0])
        let last = devices[0].state.vector.sequence(of: owner)
        let span = try #require(
            WriteSpan(owner, after: known.sequence(of: owner), upTo: .init(sequence: last, history: 0)))
        let before = devices[2].state.sortedAtoms.filter { !span.contains($0.atom.dot) }
        // It says that there is nothing at all.
        let emptied = devices[2].state.repaired(by: [], spans: [span], as: victim)
        #expect(emptied.state.sortedAtoms == before)
        #expect(Set(emptied.gone) == Set(devices[2].state.atoms(of: span).map(\.key)))
        // It says that the other device wrote something else, and more than is known here.
        let changed = whole(devices[0]).map { atom in
            guard atom.atom.dot.replica == devices[1].replica, case .register(let stamp, _) = atom.atom.content else {
                return atom
            }
            return KeyedAtom(atom.key, Atom(.register(stamp, 1_000), atom.atom.dot, epoch: atom.atom.epoch))
        }
        let beyond = Dot(replica: devices[1].replica, sequence: 1_000)
        let key = AtomKey(DocumentPath([.member("a")]), .latest)
        let lies =
            changed.filter { $0.key != key } + [
                KeyedAtom(key, Atom(.register(.live(WallTime(milliseconds: 1 << 41)), 5), beyond))
            ]
        let repair = devices[2].state.repaired(by: lies, spans: [span], as: victim)
        #expect(repair.isEmpty && repair.state.sortedAtoms == devices[2].state.sortedAtoms)
    }

    /// What bears this device's own name is written anew: it may be what a lie had replaced here, and only this device
    /// says what it wrote.
    @Test func anOwnerPutsNothingUnderThisDevicesName() throws {
        var devices = Device.household(2, sharing: #"{"a":1,"b":1}"#)
        let (owner, victim) = (devices[0].replica, devices[1].replica)
        devices[1].set("b", 7)
        devices.sync(0, 1)
        let key = AtomKey(DocumentPath([.member("b")]), .latest)
        let mine = try #require(devices[1].state.atom(key))
        let known = devices[1].state.vector
        devices[0].set("a", 2)
        let last = devices[0].state.vector.sequence(of: owner)
        let lie = AtomContent.register(.live(WallTime(milliseconds: 1 << 41)), 9)
        devices[1].state.join(
            devices[0].state.delta(beyond: known)
                + [KeyedAtom(key, Atom(lie, Dot(replica: owner, sequence: last)))], vector: devices[0].state.vector)
        #expect(devices[1].state.atom(key)?.dot.replica == owner)
        let span = try #require(
            WriteSpan(owner, after: known.sequence(of: owner), upTo: .init(sequence: last, history: 0)))
        devices[1].mend(by: devices[0], [span])
        let after = try #require(devices[1].state.atom(key))
        #expect(after.encoded == mine.encoded && after.dot == Dot(replica: victim, sequence: mine.dot.sequence + 1))
        settle(&devices)
        #expect(devices[0].value[at: "b"] == 7 && devices[1].value[at: "b"] == 7)
    }

    /// What a later write replaced here, of which the writer does not know yet, is no difference. What the writer does
    /// not hold is one, and what is missing here.
    @Test func aWriteOnTopIsNoDifference() throws {
        var devices = Device.household(2, sharing: #"{"a":1,"b":1}"#)
        let owner = devices[0].replica
        let known = devices[1].state.vector
        devices[0].edit { $0.setting("a", to: 2).setting("b", to: 2) }
        devices.sync(0, 1)
        let (told, all) = (devices[0].state.vector, whole(devices[0]))
        let end = try #require(told.entries[owner])
        let span = try #require(WriteSpan(owner, after: known.sequence(of: owner), upTo: end))
        #expect(devices[1].state.agrees(with: all, on: span, writer: told))
        devices[1].set("a", 3)
        #expect(devices[1].state.atoms(of: span) != span.atoms(among: all))
        #expect(devices[1].state.agrees(with: all, on: span, writer: told))
        // A writer that covers the later write holds it, or lies.
        #expect(!devices[1].state.agrees(with: all, on: span, writer: devices[1].state.vector))
        let key = AtomKey(DocumentPath([.member("b")]), .latest)
        #expect(!devices[1].state.agrees(with: all.filter { $0.key != key }, on: span, writer: told))
        var lacking = ProfileState()
        lacking.join(all.filter { $0.key != key }, vector: told)
        #expect(!lacking.agrees(with: all, on: span, writer: told))
    }

    // MARK: What comes in by a repair

    /// A removal that had been left out comes in as by a join: what was played beside it stays.
    @Test(arguments: [false, true]) func aRemovalThatWasLeftOutHidesNoEditBesideIt(_ isLeftOut: Bool) throws {
        var devices = Device.household(2, sharing: #"{"box":{"pay":1,"name":"x"},"a":1}"#)
        devices[1].edit { $0.setting("box", to: ["pay": 2, "name": "x"]) }
        // The owner's own write in the box replaces the edit wherever both meet.
        devices[0].edit { $0.setting("box", to: ["pay": 5, "name": "x"]) }
        devices[0].edit { $0.setting("box", to: nil) }
        try learn(&devices, isLeftOut)
        #expect(devices[1].value[at: "box"] != nil)
        settle(&devices)
        #expect(devices[0].value.canonicalBytes == devices[1].value.canonicalBytes)
    }

    /// Progress that a left out reset hides is told apart, as after a join.
    @Test(arguments: [false, true]) func aResetThatWasLeftOutPutsProgressAside(_ isLeftOut: Bool) throws {
        var devices = Device.household(2, sharing: #"{"coins":1,"name":"x"}"#)
        devices[1].set("coins", 9)
        try devices[0].reset("/**")
        try learn(&devices, isLeftOut)
        #expect(devices[1].overridden.contains(DocumentPath([.member("coins")])))
    }

    /// The second device learns what the first one wrote: by a join, or by a repair after somebody left out all of it.
    private func learn(_ devices: inout [Device], _ isLeftOut: Bool) throws {
        let (owner, known) = (devices[0].replica, devices[1].state.vector)
        if isLeftOut {
            devices[1].state.join([], vector: devices[0].state.vector)
            let end = try #require(devices[0].state.vector.entries[owner])
            let span = try #require(WriteSpan(owner, after: known.sequence(of: owner), upTo: end))
            devices[1].mend(by: devices[0], [span])
        } else {
            devices[1].pull(devices[0])
        }
        devices[1].project()
    }

    // MARK: Epochs

    /// A declaration that is covered and not held is taken over from all that another device holds, if writes need it.
    @Test func anEpochThatWasDeniedIsDeclaredByWhoLearnsOfIt() throws {
        var devices = Device.household(3, sharing: #"{"coins":1,"name":"x"}"#)
        let owner = devices[0].replica
        let known = devices[1].state.vector
        try devices[0].reset("/**")
        devices[2].pull(devices[0])
        devices[2].project()
        devices[2].set("coins", 4)
        // The second device was told of the write, and not of the reset.
        devices[1].state.join([], vector: VersionVector(devices[0].state.vector.entries.filter { $0.key == owner }))
        #expect(devices[1].state.vector.sequence(of: owner) > known.sequence(of: owner))
        let delta = devices[2].state.delta(beyond: devices[1].state.vector)
        #expect(devices[1].state.lacksDeclaration(of: delta) && devices[1].state.refusal(of: delta) != nil)
        let all = whole(devices[2])
        #expect(!devices[1].state.lacksDeclaration(of: all) && devices[1].state.refusal(of: all) == nil)
        var result = devices[1].state.join(all, vector: devices[2].state.vector)
        let declared = devices[1].state.declareAgain(all, as: devices[1].replica, &result)
        #expect(!declared.isEmpty && !devices[1].state.lacksDeclaration(of: delta))
        #expect(devices[1].state.declareAgain(all, as: devices[1].replica, &result).isEmpty)
        devices[1].touched = nil
        settle(&devices)
        #expect(devices.allSatisfy { $0.value[at: "coins"] == 4 })
    }

    /// Of many epochs of one number those are declared again to which writes belong, also writes a step above one.
    @Test func ofManyDeniedEpochsThoseInUseAreDeclared() {
        let (owner, own) = (replica(1), replica(2))
        let ids = (1...4).map { number in
            EpochID(number: 1, kind: .restore, stamp: Stamp(rawValue: UInt64(10 * number)), origin: owner)
        }
        let key = AtomKey(DocumentPath([.member("coins")]), .latest)
        let dot = Dot(replica: owner, sequence: 1)
        var state = ProfileState()
        state.join(
            [KeyedAtom(key, Atom(.register(.live(WallTime(milliseconds: 1)), 4), dot, epoch: EpochID(after: ids[2])))],
            vector: VersionVector([owner: .init(sequence: 1, history: 1)]))
        let epoch = Epoch(selector: PathSelector(places: [key.path]), seen: [:])
        let denied = ids.reversed().map { KeyedAtom(EpochKey($0, owner).atomKey, Atom(.epoch(epoch), dot)) }
        var result = JoinResult()
        let declared = state.declareAgain(denied, as: own, &result)
        #expect(declared.map(\.key) == [EpochKey(ids[2], own).atomKey])
    }

    /// A reset that its writer never made: it goes, and what it hid shows again.
    @Test func aResetThatWasMadeUpGoes() throws {
        var (devices, span) = try deceivedByAReset()
        #expect(devices[1].value[at: "coins"] != 5)
        let repair = devices[1].state.repaired(by: whole(devices[0]), spans: [span], as: devices[1].replica)
        devices[1].state = repair.state
        devices[1].touched = nil
        devices[1].project()
        #expect(devices[1].state.holdsTheSame(as: devices[0].state))
        #expect(devices[1].shown == devices[0].shown)
    }

    /// Where somebody played on after that reset, the reset stays, under the name of the device that was deceived:
    /// otherwise every other device would refuse what was played.
    @Test func aMadeUpResetIsDeclaredByWhoPlayedOn() throws {
        var (devices, span) = try deceivedByAReset()
        devices[1].set("coins", 3)
        let vector = devices[0].state.vector
        #expect(devices[0].state.refusal(of: devices[1].state.delta(beyond: vector)) != nil)
        let repair = devices[1].state.repaired(by: whole(devices[0]), spans: [span], as: devices[1].replica)
        devices[1].state = repair.state
        #expect(devices[0].state.refusal(of: devices[1].state.delta(beyond: vector)) == nil)
        settle(&devices)
        #expect(devices[1].state.holdsTheSame(as: devices[0].state))
        #expect(devices[0].value[at: "coins"] == 3 && devices[1].value[at: "coins"] == 3)
    }

    /// Two devices; the second was told of a reset of everything in the name of the first.
    private func deceivedByAReset() throws -> ([Device], WriteSpan) {
        var devices = Device.household(2, sharing: #"{"coins":1,"name":"x"}"#)
        let owner = devices[0].replica
        let known = devices[0].state.vector
        devices[0].set("coins", 5)
        var liar = devices[0]
        liar.state = devices[1].state
        try liar.reset("/**")
        #expect(liar.state.vector.sequence(of: owner) == devices[0].state.vector.sequence(of: owner))
        devices[1].state.join(liar.state.delta(beyond: known), vector: devices[0].state.vector)
        devices[1].touched = nil
        devices[1].project()
        let last = devices[0].state.vector.sequence(of: owner)
        let span = WriteSpan(owner, after: known.sequence(of: owner), upTo: .init(sequence: last, history: 0))
        return (devices, try #require(span))
    }
}

extension Device {
    /// Takes a writer's own word for some of its writes, and does what follows, as after a join.
    fileprivate mutating func mend(by writer: Device, _ spans: [WriteSpan]) {
        let before = state
        let repair = state.repaired(
            by: writer.state.delta(beyond: VersionVector()), spans: spans, as: replica, own: [replica])
        state = repair.state
        _ = state.markEdits(by: replica, since: before, repair.joined, from: writer.state.vector, context(state.vector))
        let (_, aside) = state.carryOverBelowSteps(repair.joined.overridden, context(state.vector))
        overridden.formUnion(aside.map(\.key.path))
        touched = nil
    }
}
