import LosslessJSON
import TestSupport
import Testing

@testable import MergeCore

/// Three writes and the epochs themselves arrive in every order: for every kind, every pair of epochs, and every triple
/// of a low and a high content, each written before an epoch or in one of the two.
@Suite struct EpochLawTests {
    /// What can begin, in ascending order.
    private static let epochs: [EpochID?] =
        [nil]
        + [
            (1, .restore, 4, 9), (1, .restore, 5, 1), (1, .reset, 0, 3), (1, .reset, 0, 4), (2, .restore, 1, 1),
            (2, .restore, 1, 2),
        ].map { (number: UInt64, kind: EpochID.Kind, time: UInt64, origin: Int) -> EpochID? in
            EpochID(number: number, kind: kind, stamp: Stamp(rawValue: time), origin: replica(origin))
        }

    /// Every pair: one with itself is two equal resets, made apart by two devices.
    static let pairs: [[Int]] = epochs.indices.flatMap { a in epochs.indices.filter { $0 >= a }.map { [a, $0] } }

    private struct Write {
        let atom: KeyedAtom
        let epoch: Int
        let step: Int
    }

    /// One delta that arrives as a whole.
    private struct Arrival {
        let atoms: [KeyedAtom]
        let vector: VersionVector
    }

    @Test(arguments: pairs) func everyOrderOfArrivalEndsAlike(pair: [Int]) throws {
        let places = Self.places(pair)
        let arrivals = Self.arrivals(pair, places)
        let full = (1 << arrivals.count) - 1
        var states = [0: ProfileState()]
        var edges = 0
        // Every order ends alike if every way from one set of arrivals to the next does.
        for set in 0..<full {
            for (index, arrival) in arrivals.enumerated() where set & (1 << index) == 0 {
                edges += 1
                var state = states[set]!
                state.join(arrival.atoms, vector: arrival.vector)
                guard let known = states[set | 1 << index] else {
                    states[set | 1 << index] = state
                    continue
                }
                guard state.holdsTheSame(as: known) else {
                    Issue.record("\(pair): \(index) after \(set) gives another state")
                    return
                }
                if set | 1 << index == full, Self.live(state, places) != Self.live(known, places) {
                    Issue.record("\(pair): with \(index) at last, something else counts")
                    return
                }
            }
        }
        let end = states[full]!
        let atoms = end.sortedAtoms
        guard picks(pair, places, end) else { return }
        try comesBack(pair, places, end, atoms)
        for set in 0...full {
            // Two whole states, each way; one of them heard of some things already.
            for (mine, theirs) in [(set, full ^ set), (set, full)] {
                let (own, other) = (states[mine]!, states[theirs]!)
                var whole = own
                whole.join(other)
                var byDelta = own
                byDelta.join(other.delta(beyond: byDelta.vector), vector: other.vector)
                guard whole.holdsTheSame(as: end), byDelta.holdsTheSame(as: end) else {
                    Issue.record("\(pair): joining \(mine) with \(theirs) is not joining what they are made of")
                    return
                }
            }
        }
        LawTally.epochs.add(cases: edges * places.count, state: atoms, conflicts: places.count, of: places.count)
        LawTally.epochs.print("every order of epochs and writes", after: Self.pairs.count, cases: 361_728...361_728)
    }

    /// What stands is what the epoch, then the rule, then the dot puts on top; it counts where its epoch is in force.
    private func picks(_ pair: [Int], _ places: [[Write]], _ state: ProfileState) -> Bool {
        for writes in places {
            let best = writes.max { a, b in
                (a.epoch, a.step) != (b.epoch, b.step)
                    ? (a.epoch, a.step) < (b.epoch, b.step) : a.atom.atom.dot < b.atom.atom.dot
            }!
            guard state.atom(best.atom.key) == best.atom.atom,
                (state.live(best.atom.key) != nil) == (best.epoch >= pair[1])
            else {
                Issue.record("\(pair): of \(writes.map(\.atom)) stands \(state.atom(best.atom.key) as Any)")
                return false
            }
        }
        return true
    }

    /// A stored state comes back the same, in whatever order its atoms are read.
    private func comesBack(
        _ pair: [Int],
        _ places: [[Write]],
        _ state: ProfileState,
        _ atoms: [KeyedAtom]
    ) throws {
        var random = SeededRandom(seed: UInt64(pair[0] * 8 + pair[1]))
        let document = Projection.newDocument(of: state)
        for again in [
            ProfileState(restoring: atoms, vector: state.vector),
            ProfileState(restoring: random.shuffled(atoms), vector: state.vector),
            try ProfileState(decoding: state.encoded),
        ] {
            #expect(again.sortedAtoms == atoms && again.vector == state.vector, "\(pair)")
            #expect(Self.live(again, places) == Self.live(state, places), "\(pair)")
            #expect(Projection.newDocument(of: again) == document, "\(pair)")
        }
    }

    private static func live(_ state: ProfileState, _ places: [[Write]]) -> [Bool] {
        places.map { state.live($0[0].atom.key) != nil }
    }

    /// For every kind and every triple of its lowest and its highest content a place, with the three writes to it.
    private static func places(_ pair: [Int]) -> [[Write]] {
        var result: [[Write]] = []
        for (number, stock) in AtomStock.all.enumerated() where !stock.isForged {
            let ends = [(0, stock.steps[0][0]), (stock.steps.count - 1, stock.steps[stock.steps.count - 1].last!)]
            for triple in 0..<8 {
                let path = DocumentPath([.member(JSONString("k\(number)")), .member(JSONString("t\(triple)"))])
                // Which writer knew of which epoch: another way for every pair, so that all of them meet every kind.
                let knowledge = triple * 5 + number + pair[0] * 11 + pair[1] * 7
                let writes = (0..<3).map { writer in
                    let (step, content) = ends[triple >> writer & 1]
                    let epoch = [0, pair[0], pair[1]][knowledge / [1, 3, 9][writer] % 3]
                    return Write(
                        atom: KeyedAtom(
                            stock.key(path, content),
                            Atom(content, dot(writer + 1, 1), epoch: epochs[epoch])
                        ),
                        epoch: epoch,
                        step: step
                    )
                }
                result.append(writes)
            }
        }
        return result
    }

    private static func arrivals(_ pair: [Int], _ places: [[Write]]) -> [Arrival] {
        var result = (0..<3).map { writer in
            Arrival(atoms: places.map { $0[writer].atom }, vector: vector([writer + 1: 1]))
        }
        for (index, epoch) in pair.enumerated() {
            guard let id = epochs[epoch] else { continue }
            let key = AtomKey(.epochs, .epoch, sub: id.bytes + replica(4 + index).bytes)
            let content = AtomContent.epoch(Epoch(selector: .everything, seen: [:]))
            result.append(
                Arrival(atoms: [KeyedAtom(key, Atom(content, dot(4 + index, 1)))], vector: vector([4 + index: 1]))
            )
        }
        return result
    }
}
