import LosslessJSON
import MergeCore
import TestSupport
import Testing

/// What a change of rules has to add to a counter, or to take off, is in its start: it counts once on every device, goes along
/// where profiles become one, and takes off nothing that was played.
@Suite struct CorrectedStartTests {
    private static let counter = rules(["/n": MergeRule(.counter)])
    private static let latest = rules(["/n": MergeRule(.latest)])
    private static let path = DocumentPath([.member("n")])

    private static func save(_ amount: Int) -> String { #"{"n":\#(amount),"d":1}"# }

    /// Devices of which the first one earned, and that know the counter as one value since; with `amount` in their files.
    private static func household(_ start: Int, earning earned: Int, then amount: Int) -> [Device] {
        var devices = Device.household(3, counter, sharing: save(start))
        devices[0].save(save(start + earned))
        settle(&devices)
        devices[0].change(to: latest)
        devices[0].save(save(amount))
        settle(&devices)
        return devices
    }

    /// The same, after the first one made it a counter again.
    private static func corrected(_ start: Int, earning earned: Int, then amount: Int) -> [Device] {
        var devices = household(start, earning: earned, then: amount)
        devices[0].change(to: counter)
        settle(&devices)
        return devices
    }

    /// Each device meets each other one in some order, until all know the same; or the third one relays all.
    private static func meetings(_ devices: [Device]) -> [[Device]] {
        let pairs = [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)]
        var random = SeededRandom(seed: 7)
        var ends: [[Device]] = []
        for round in 0..<TestDepth.count(quick: 12, usual: 24, all: 300) {
            var met = devices
            let order = round % 3 == 0 ? [3, 5, 2, 4, 3, 5, 2, 4] : Array(0..<6).shuffled(using: &random)
            for index in order {
                let (to, from) = pairs[index]
                met[to].pull(met[from])
                if Bool.random(using: &random) { met[to].project() }
            }
            for _ in 0..<2 { settle(&met) }
            ends.append(met)
        }
        return ends
    }

    // MARK: Corrections made apart

    /// Two devices make the place a counter again apart, with files that differ or not; the larger sum stays.
    @Test(arguments: [(15, 15), (15, 17), (17, 25), (22, 25), (20, 25)])
    func ofTwoCorrectionsTheLargerSumStays(one: Int, other: Int) {
        var devices = Self.household(10, earning: 10, then: 15)
        for (index, amount) in [one, other].enumerated() {
            if amount != 15 { devices[index].save(Self.save(amount)) }
            devices[index].change(to: Self.counter)
        }
        devices[1].save(Self.save(other + 1))
        for end in Self.meetings(devices) {
            for device in end { #expect(device.value["n"] == .number(JSONNumber(other + 1)), "\(device.shown)") }
            #expect(Set(end.map { "\($0.state.sortedAtoms)" }).count == 1)
        }
    }

    private static func element(_ id: Int, _ n: Int) -> String { #"{"id":\#(id),"n":\#(n)}"# }

    private static func list(_ elements: (Int, Int)...) -> String {
        #"{"x":[\#(elements.map { element($0.0, $0.1) }.joined(separator: ","))],"d":1}"#
    }

    private static let position = rules(["/x/*/n": MergeRule(.counter)])
    private static let key = rules(["/x[id]/n": MergeRule(.counter)])

    /// By position, the third device earned in the first element. Now the elements have a key, and stand in another order.
    private static func turned() -> [Device] {
        var devices = Device.household(3, position, sharing: list((1, 10), (2, 20)))
        devices[2].save(list((1, 18), (2, 20)))
        settle(&devices)
        devices[0].change(to: key)
        settle(&devices)
        devices[0].save(list((2, 20), (1, 18)))
        settle(&devices)
        devices[2].save(list((2, 22), (1, 18)))
        settle(&devices)
        return devices
    }

    /// Two devices give positions apart, and know unlike amounts of the third one, which is less than what is left there. Of
    /// play that neither of them knew, it depends on the order whether what the second one played meanwhile counts beside it,
    /// or is within the larger sum; then that is said.
    @Test(arguments: [0, 1, 2], [25, 35]) func nothingIsLostOfWhatOnlyOneOfThemKnew(late: Int, amount: Int) {
        var devices = Self.turned()
        devices[2].save(Self.list((2, amount), (1, 18)))
        for index in 0..<late {
            devices[index].pull(devices[2])
            devices[index].project()
        }
        for index in 0...1 { devices[index].change(to: Self.position) }
        devices[1].save(Self.list((2, late == 2 ? amount + 1 : 23), (1, 18)))
        for end in Self.meetings(devices) {
            for device in end {
                let isExact = device.value == json(Self.list((2, amount + 1), (1, 18)))
                let isLarger = device.value == json(Self.list((2, amount), (1, 18))) && !end[2].uncounted.isEmpty
                #expect(isExact || late == 0 && isLarger, "\(late): \(device.shown)")
            }
        }
    }

    /// Of the third device's play nobody knew; less than it is left at the position. The larger sum stays.
    @Test func whatNobodyKnewOfIsKeptByTheLargerSum() {
        var devices = Self.turned()
        devices[2].save(Self.list((2, 27), (1, 18)))
        devices[0].change(to: Self.position)
        for end in Self.meetings(devices) {
            for device in end { #expect(device.value == json(Self.list((2, 27), (1, 18))), "\(device.shown)") }
            #expect(!end[2].uncounted.isEmpty)
        }
    }

    /// Joins of states with corrected starts give the same in every order and grouping, and once more.
    @Test func joinsObeyTheLaws() {
        var devices = Self.turned()
        devices[2].save(Self.list((2, 25), (1, 18)))
        devices[0].pull(devices[2])
        devices[0].project()
        for index in 0...1 { devices[index].change(to: Self.position) }
        func joined(_ states: ProfileState...) -> ProfileState {
            states.dropFirst().reduce(into: states[0]) { $0.join($1) }
        }
        let (a, b, c) = (devices[0].state, devices[1].state, devices[2].state)
        let all = [
            joined(a, b, c), joined(c, b, a), joined(b, c, a), joined(a, joined(b, c)), joined(joined(c, a), b),
            joined(a, b, c, a, b), joined(joined(a, b), joined(b, c), a),
        ]
        #expect(Set(all.map { "\($0.sortedAtoms)" }).count == 1)
        #expect(joined(a, a).sortedAtoms == a.sortedAtoms)
    }

    // MARK: Import

    /// A file of the household comes to a device that has the amounts of one replica already.
    @Test(arguments: [(10, 15, 4, 19), (0, 5, 4, 9), (0, 5, -2, 5), (10, 15, -2, 15)])
    func anImportTakesNothingOffTwice(start: Int, then amount: Int, played: Int, wanted: Int) throws {
        var devices = Self.corrected(start, earning: 10, then: amount)
        var reader = devices[0]
        devices[1].save(Self.save(amount + played))
        let sent = devices[1].state
        // As Transfer.document(without:).
        let known = reader.replica.bytes
        var rest = ProfileState()
        rest.join(sent.sortedAtoms.filter { $0.key.sub != known }, vector: sent.vector)
        rest.isIncomplete = true
        let value = try #require(Projection.newDocument(of: rest))
        let context = reader.context(reader.state.vector)
        _ = reader.state.adopt(foreign: document(value), mayBeCounted: false, context)
        reader.touched = nil
        reader.project()
        #expect(reader.value["n"] == .number(JSONNumber(wanted)), "\(reader.shown)")
    }

    // MARK: Two profiles become one

    private static func profile(_ device: Device, as number: Int) -> ProfileState {
        // Another profile has other replicas.
        var state = ProfileState()
        let atoms = device.state.sortedAtoms.map { atom -> KeyedAtom in
            func other(_ id: ReplicaID) -> ReplicaID { ReplicaID(high: id.high ^ UInt64(number) << 48, low: id.low) }
            let key = ReplicaID(bytes: atom.key.sub).map {
                AtomKey(atom.key.path, atom.key.kind, sub: atom.key.path == .rules ? atom.key.sub : other($0).bytes)
            }
            let dot = Dot(replica: other(atom.atom.dot.replica), sequence: atom.atom.dot.sequence)
            return KeyedAtom(key ?? atom.key, Atom(atom.atom.content, dot, epoch: atom.atom.epoch))
        }
        var vector = VersionVector()
        for (replica, entry) in device.state.vector.entries {
            vector.advance(ReplicaID(high: replica.high ^ UInt64(number) << 48, low: replica.low), to: entry)
        }
        state.join(atoms, vector: vector)
        return state
    }

    private static func sum(_ one: ProfileState, _ other: ProfileState, isApart: Bool) -> JSONValue? {
        var target = one
        let (gone, kept) = (ProfileID(random: 1, 2), ProfileID(random: 3, 4))
        let joined = target.join(other, notes: [], of: gone, into: kept)
        let writer = replica(77)
        func context() -> WriteContext {
            WriteContext(replica: writer, now: 1_800_000_000_000, fileTime: 1_800_000_000_000, base: target.vector)
        }
        _ = target.carryOver(joined.overridden, context())
        _ = target.settleStarts(of: one, other, context())
        let amounts = one.beside(joining: other, under: target.rules, isApart: isApart)
        _ = target.count(amounts, besideJoining: gone, context())
        _ = target.countBeginning(of: other, gone, in: kept, context())
        return Projection.newDocument(of: target)?["n"]
    }

    @Test(arguments: [false, true]) func profilesThatBecomeOneKeepTheirCorrections(turned: Bool) {
        func check(_ one: Device, _ other: Device, apart: Int, copy: Int? = nil) {
            var states = [Self.profile(one, as: 3), Self.profile(other, as: 4)]
            if turned { states.reverse() }
            let sum = Self.sum(states[0], states[1], isApart: true)
            #expect(sum == .number(JSONNumber(apart)), "\(one.shown) \(other.shown) \(sum as Any)")
            guard let copy else { return }
            let copied = Self.sum(states[0], states[1], isApart: false)
            #expect(copied == .number(JSONNumber(copy)), "\(one.shown) \(other.shown) \(copied as Any)")
        }
        func plain(_ start: Int, _ played: Int) -> Device {
            var device = Device.household(3, Self.counter, sharing: Self.save(start))[0]
            device.save(Self.save(start + played))
            return device
        }
        let seven = Self.corrected(0, earning: 10, then: 7)[0]
        check(seven, Self.corrected(0, earning: 9, then: 5)[1], apart: 12)
        check(seven, plain(6, 9), apart: 22)
        check(Self.corrected(10, earning: 10, then: 12)[0], plain(7, 3), apart: 22)
        check(Self.corrected(10, earning: 10, then: 12)[0], Self.corrected(3, earning: 9, then: 4)[0], apart: 16)
        // A copy of the one, played on since.
        check(seven, plain(7, 2), apart: 16, copy: 9)
        check(Self.corrected(10, earning: 10, then: 12)[0], plain(12, 2), apart: 26, copy: 14)
    }

    /// A save that began with an amount, as its device noted.
    private static func begun(_ start: Int, as number: Int, then play: (inout [Device]) -> Void) -> ProfileState {
        var devices = Device.household(3, counter, sharing: save(start))
        let context = devices[0].context(devices[0].state.vector)
        _ = devices[0].state.noteBeginning(document(save(start)), context)
        settle(&devices)
        play(&devices)
        settle(&devices)
        return profile(devices[0], as: number)
    }

    /// What both began with counts once beside a corrected start, whichever comes to the other; also where the counter was
    /// removed and written anew before.
    @Test(arguments: [(10, 15, 9, 4, 6), (10, 15, 3, 4, 6), (10, 15, 30, 40, 46), (0, 15, 3, 4, 6)], [false, true])
    func whatBothBeganWithCountsOnce(
        _ amounts: (start: Int, earned: Int, amount: Int, other: Int, played: Int), isRenewed: Bool
    ) {
        let (start, earned, amount, other, played) = amounts
        let one = Self.begun(start, as: 3) { devices in
            if isRenewed {
                for text in [#"{"d":1}"#, Self.save(start)] {
                    devices[0].save(text)
                    settle(&devices)
                }
            }
            devices[0].save(Self.save(earned))
            settle(&devices)
            devices[0].change(to: Self.latest)
            devices[0].save(Self.save(amount))
            settle(&devices)
            devices[0].change(to: Self.counter)
        }
        let two = Self.begun(other, as: 4) { $0[0].save(Self.save(played)) }
        for isApart in [false, true] {
            for sum in [Self.sum(one, two, isApart: isApart), Self.sum(two, one, isApart: isApart)] {
                #expect(sum == .number(JSONNumber(amount + played)), "\(sum as Any)")
            }
        }
    }

    /// A counter that a game removed and wrote anew is no corrected one: such saves become one as ever.
    @Test func aCounterWrittenAnewIsNotSettled() {
        let one = Self.begun(10, as: 3) {
            $0[0].save("{}")
            $0[0].save(Self.save(25))
        }
        let two = Self.begun(4, as: 4) { $0[0].save(Self.save(6)) }
        for (former, other) in [(one, two), (two, one)] {
            var target = former
            _ = target.join(other)
            let context = WriteContext(
                replica: replica(77), now: 1_800_000_000_000, fileTime: 1_800_000_000_000, base: target.vector)
            #expect(target.settleStarts(of: former, other, context).isEmpty)
        }
    }

    // MARK: What is shown

    /// One device spent what another one took off apart: no file shows a number below zero that no game wrote.
    @Test func whatWasTakenOffAndSpentApartShowsNothingBelowZero() {
        var devices = Self.corrected(0, earning: 10, then: 5)
        devices[1].save(Self.save(0))
        devices[2].change(to: Self.latest)
        devices[2].save(Self.save(2))
        devices[2].change(to: Self.counter)
        for end in Self.meetings(devices) {
            #expect(end.map(\.shown) == Array(repeating: Self.save(0), count: 3))
            let shortfalls = end[0].state.shortfalls
            #expect(shortfalls.map(\.amount.text) == ["-3"])
            #expect(shortfalls.first?.spent.map(\.replica) == [devices[1].replica])
        }
    }

    /// A start names who corrected it, an amount who earned it, whoever carried it along.
    @Test func anExplanationNamesWhoItWas() {
        var devices = Self.turned()
        devices[1].change(to: Self.position)
        settle(&devices)
        for index in 0...1 {
            let place = DocumentPath([.member("x"), .index(index), .member("n")])
            let parts = devices[0].state.explain(place).contributions
            let starts = parts.compactMap { if case .start = $0.part { $0.dot.replica } else { nil } }
            #expect(starts == [devices[1].replica])
            let earners = parts.compactMap { if case .earned = $0.part { $0.dot.replica } else { nil } }
            #expect(earners == [devices[2].replica])
        }
    }

    // MARK: Other versions, other members

    /// Whoever adds up starts and amounts, as every version does, comes to the same; no amount is of an unknown replica.
    @Test func correctionsAreOrdinaryAmounts() {
        var devices = Self.turned()
        devices[2].save(Self.list((2, 25), (1, 18)))
        devices[1].change(to: Self.position)
        for _ in 0..<2 { settle(&devices) }
        let state = devices[0].state
        var sums: [DocumentPath: ExactDecimal] = [:]
        for atom in state.sortedAtoms where atom.key.kind == .counter {
            switch atom.atom.content {
            case .baseline(let amount):
                #expect(atom.key.sub.isEmpty)
                sums[atom.key.path] = try? sums[atom.key.path, default: .zero].adding(amount)
            case .tally(let earned, let spent):
                let replica = ReplicaID(bytes: atom.key.sub)
                #expect(replica.map { state.vector.sequence(of: $0) > 0 } == true)
                sums[atom.key.path] = try? sums[atom.key.path, default: .zero].adding(earned).subtracting(spent)
            default: #expect(Bool(false))
            }
        }
        #expect(sums[DocumentPath([.member("x"), .index(0), .member("n")])]?.text == "25")
        #expect(sums[DocumentPath([.member("x"), .index(1), .member("n")])]?.text == "18")
    }

    /// Nothing that a bad member writes at a place makes later play there count for nothing.
    @Test(arguments: 0..<4) func whatAMemberForgesRefusesNoPlay(kind: Int) {
        for (from, to) in [(Self.position, Self.key), (Self.key, Self.position)] {
            var devices = Device.household(3, from, sharing: Self.list((1, 10), (2, 20)))
            let forger = replica(66)
            var batch: [KeyedAtom] = []
            let steps: [PathStep] = [.index(0), .element(Array("1".utf8))]
            for step in steps {
                let path = DocumentPath([.member("x"), step, .member("n")])
                let dot = Dot(replica: forger, sequence: 1)
                let above = EpochID(
                    number: 0, kind: .beginning, stamp: Stamp(rawValue: 0), origin: ReplicaID(high: 0, low: 1))
                let nothing = AtomContent.tally(earned: .zero, spent: .zero)
                switch kind {
                case 0:
                    let sub = ReplicaID(high: .max, low: .max).bytes
                    batch.append(KeyedAtom(AtomKey(path, .counter, sub: sub), Atom(nothing, dot)))
                case 1:
                    let sub = devices[1].replica.bytes
                    batch.append(KeyedAtom(AtomKey(path, .counter, sub: sub), Atom(nothing, dot)))
                case 2: batch.append(KeyedAtom(AtomKey(path, .counter), Atom(.baseline(.zero), dot)))
                default:
                    batch.append(
                        KeyedAtom(AtomKey(path, .counter), Atom(.baseline(ExactDecimal(10)), dot, epoch: above)))
                }
            }
            var vector = devices[0].state.vector
            vector.advance(forger, to: VersionVector.Entry(sequence: 1, history: 0))
            devices[0].state.join(batch, vector: vector)
            devices[0].touched = nil
            settle(&devices)
            devices[1].save(Self.list((1, 15), (2, 20)))
            devices[0].change(to: to)
            devices[0].save(Self.list((1, 11), (2, 20)))
            for _ in 0..<2 { settle(&devices) }
            for device in devices {
                #expect(device.value == json(Self.list((1, 16), (2, 20))), "\(kind): \(device.shown)")
            }
            devices[2].save(Self.list((1, 18), (2, 20)))
            for _ in 0..<2 { settle(&devices) }
            for device in devices {
                #expect(device.value == json(Self.list((1, 18), (2, 20))), "\(kind): \(device.shown)")
            }
        }
    }
}
