import Glibc
import LosslessJSON
import MergeCore

/// One run over everything that is measured.
struct Workload {
    let count: Int

    func run(_ figures: inout Figures) {
        var random = Numbers(seed: 7)
        let items = (0..<count).map { (key: Replica.key($0), value: random.below(1_000_000)) }
        var a = Replica(1)
        figures.time("build") { a.set(items) }
        let file = Files.temporary()
        defer { close(file) }
        var bytes: [UInt8] = []
        figures.time("save") {
            bytes = a.state.encoded
            Files.writeDurably(file, bytes)
        }
        figures.size("full_bytes", bytes.count)
        var b = Replica(2)
        figures.time("load") {
            b.state = try! ProfileState(decoding: Files.read(file))
            check(b.value(items[count / 2].key) == items[count / 2].value)
        }
        var loaded: [String: Int] = [:]
        figures.time("load_all") {
            var other = Replica(3)
            other.state = try! ProfileState(decoding: Files.read(file))
            loaded = other.all
        }
        check(loaded.count == count)
        for round in 0...20 {
            let key = items[(count / 3 + round * 7) % count].key
            let suffix = round == 0 ? "_first" : ""
            figures.time("set1" + suffix) { a.set([(key, 1_234_567)]) }
            var delta: [KeyedAtom] = []
            figures.time("delta_make" + suffix) { delta = a.state.delta(beyond: b.state.vector) }
            figures.time("delta_apply" + suffix) {
                b.state.join(delta, vector: a.state.vector)
                check(b.value(key) == 1_234_567)
            }
        }
        mergeTenths(&a, &b, items.map(\.key), &random, &figures)
    }

    /// A and B each changed another tenth.
    private func mergeTenths(
        _ a: inout Replica, _ b: inout Replica, _ keys: [String], _ random: inout Numbers, _ figures: inout Figures
    ) {
        var chosen = Array(keys.indices)
        for index in 0..<count / 5 { chosen.swapAt(index, index + random.below(count - index)) }
        let tenth = count / 10
        a.set(chosen[..<tenth].map { (keys[$0], 2_000_000 + $0) })
        b.set(chosen[tenth..<2 * tenth].map { (keys[$0], 3_000_000 + $0) })
        var (a2, whole) = (a, b.state.encoded)
        let sought = keys[chosen[tenth]]
        figures.time("merge_full") {
            let other = try! ProfileState(decoding: whole)
            a.state.join(other.delta(beyond: a.state.vector), vector: other.vector)
            check(a.value(sought) == 3_000_000 + chosen[tenth])
        }
        figures.time("merge_delta") {
            let delta = b.state.delta(beyond: a2.state.vector)
            a2.state.join(delta, vector: b.state.vector)
            check(a2.value(sought) == 3_000_000 + chosen[tenth])
        }
        whole = a.state.encoded
        figures.size("merged_bytes", whole.count)
        b.state.join(a.state.delta(beyond: b.state.vector), vector: a.state.vector)
        check(a.state.sortedAtoms == b.state.sortedAtoms && a.state.sortedAtoms == a2.state.sortedAtoms)
        check(a.value(keys[chosen[0]]) == 2_000_000 + chosen[0])
    }

    /// One leaf of a thousand, written over and over.
    static func churn(_ figures: inout Figures) {
        var replica = Replica.filled(1_000)
        let before = replica.state.encoded.count
        figures.time("churn_10k") { for value in 0..<10_000 { replica.set([(Replica.key(500), value)]) } }
        for value in 0..<10_000 { replica.set([(Replica.key(500), value)]) }
        let after = replica.state.encoded
        figures.size("churn_bytes", after.count)
        figures.size("churn_growth_bytes", after.count - before)
        figures.time("churn_load") { check((try? ProfileState(decoding: after)) != nil) }
    }

    /// Atoms joined a second, each against one that stands under its key and loses.
    static func joins(_ figures: inout Figures) {
        var ahead = Replica.filled(10_000)
        let behind = ahead.state
        var best = 0.0
        for _ in 0..<20 {
            ahead.set((0..<10_000).map { (Replica.key($0), $0) })
            let delta = ahead.state.delta(beyond: behind.vector)
            var state = behind
            let start = seconds()
            state.join(delta, vector: ahead.state.vector)
            best = max(best, 10_000 / (seconds() - start))
        }
        figures.size("joins_per_second", Int(best))
    }
}

/// A benchmark whose result is wrong measures nothing.
func check(_ holds: Bool) {
    guard !holds else { return }
    print("the result is wrong")
    exit(1)
}

/// xorshift64*, so that every run sees the same values.
struct Numbers {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func below(_ limit: Int) -> Int {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return Int((state &* 0x2545_F491_4F6C_DD1D) >> 33) % max(1, limit)
    }
}
