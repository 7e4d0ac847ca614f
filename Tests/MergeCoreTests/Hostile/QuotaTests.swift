import LosslessJSON
import Testing

@testable import MergeCore

/// What counts against the quota of a profile, and whose it is.
@Suite struct QuotaTests {
    private let quota = WriteQuota(leaves: 10, bytes: 1_000, hiddenBytes: 2_000)
    private let a = ReplicaID(high: 1, low: 1)
    private let b = ReplicaID(high: 2, low: 2)

    private func write(
        _ replica: ReplicaID, _ places: Range<Int>, _ value: JSONValue?, in state: inout ProfileState
    ) {
        let sequence = state.vector.sequence(of: replica) + 1
        let atoms = places.map { place in
            KeyedAtom(
                AtomKey(DocumentPath([.member(JSONString("p\(place)"))]), .latest),
                Atom(
                    .register(.live(WallTime(milliseconds: Int64(sequence))), value),
                    Dot(replica: replica, sequence: sequence)))
        }
        state.join(atoms, vector: VersionVector([replica: .init(sequence: sequence, history: sequence)]))
    }

    @Test func whoWroteMostOfTooMuchIsBeyondIt() {
        var state = ProfileState()
        write(a, 0..<8, .bool(true), in: &state)
        #expect(!state.isBeyond(quota, by: [a]))
        let former = state
        write(b, 8..<12, .bool(true), in: &state)
        #expect(state.isBeyond(quota, by: [a]))
        #expect(!state.isBeyond(quota, by: [b]))
        #expect(state.isBeyond(quota, by: [a, b]))
        #expect(!state.hasMore(of: [a], than: former) && state.hasMore(of: [b], than: former))
    }

    @Test func largeValuesCountByTheirBytes() {
        var state = ProfileState()
        write(a, 0..<1, .string(JSONString(String(repeating: "x", count: 1_200))), in: &state)
        #expect(state.isBeyond(quota, by: [a]))
        write(a, 0..<1, .bool(true), in: &state)
        #expect(!state.isBeyond(quota, by: [a]))
    }

    /// What was removed, replaced, or reset counts no more, however often that happens; only an amount far beyond the
    /// quota does.
    @Test func whatIsGoneCountsApart() throws {
        var state = ProfileState()
        for round in 0..<6 {
            write(a, round * 8..<round * 8 + 8, .bool(true), in: &state)
            #expect(!state.isBeyond(quota, by: [a]), "\(round)")
            write(a, round * 8..<round * 8 + 8, nil, in: &state)
        }
        write(a, 0..<6, .bool(true), in: &state)
        #expect(!state.isBeyond(quota, by: [a]))
        write(a, 100..<400, nil, in: &state)
        #expect(state.isBeyond(quota, by: [a]))
        #expect(!state.isBeyond(quota, by: [b]))
    }

    /// The amounts are the same after a record was read again, in both of its forms.
    @Test func aStoredStateHasTheSameAmounts() throws {
        var state = ProfileState()
        write(a, 0..<8, .string("a longer value"), in: &state)
        write(b, 6..<12, .bool(true), in: &state)
        write(a, 2..<4, nil, in: &state)
        let again = ProfileState(restoring: state.sortedAtoms, vector: state.vector)
        let decoded = try ProfileState(decoding: state.encoded)
        for other in [again, decoded] {
            for replica in [a, b] {
                #expect(!other.hasMore(of: [replica], than: state) && !state.hasMore(of: [replica], than: other))
            }
        }
    }
}
