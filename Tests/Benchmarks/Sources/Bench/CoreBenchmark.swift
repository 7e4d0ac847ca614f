import LosslessJSON
import MergeCore

/// The steps of the core for one changed leaf of 100,000, in this process.
enum CoreBenchmark {
    static func run(_ report: inout Report, rounds: Int) throws {
        var save = Save(sections: 1_000, leaves: 100)
        report.title("0. The core alone: \(save.count) leaves, 1 changed")
        let first = try JSONDocument(parsing: save.bytes)
        let (mine, theirs) = (ReplicaID(high: 1, low: 1), ReplicaID(high: 2, low: 2))
        var a = ProfileState()
        let built = time { _ = a.adopt(first, context(mine, a)) }
        var b = ProfileState()
        let all = a.delta(beyond: VersionVector())
        let joined = time { b.join(all, vector: a.vector) }
        var series: [String: Series] = [:]
        let names = ["parse", "compare", "write", "write, beside a copy", "delta", "join", "project", "patch"]
        var old = first
        for round in 0..<rounds {
            save.raise((round * 7_919 + 13) % save.count, by: 1)
            let bytes = save.bytes
            var new = old
            series["parse", default: Series()].add(try time { new = try JSONDocument(parsing: bytes) })
            var diff: DocumentDiff?
            series["compare", default: Series()].add(time { diff = DocumentDiff(from: old, to: new, rules: .empty) })
            let now = context(mine, a)
            let copy = a
            series["write, beside a copy", default: Series()].add(
                time {
                    var other = copy
                    _ = other.write(diff!.writes, now)
                })
            let former = a.vector
            series["write", default: Series()].add(time { _ = a.write(diff!.writes, now) })
            var delta: [KeyedAtom] = []
            series["delta", default: Series()].add(time { delta = a.delta(beyond: former) })
            var changed: [AtomKey] = []
            series["join", default: Series()].add(time { changed = b.join(delta, vector: a.vector).changed })
            var edits: [JSONEdit] = []
            series["project", default: Series()].add(
                time { edits = Projection(of: b, onto: old, touching: changed).edits })
            var patched: [UInt8] = []
            series["patch", default: Series()].add(try time { patched = try old.patched(edits) })
            guard patched == bytes, theirs != mine else { throw Trouble("the core's result is wrong") }
            old = new
        }
        report.add("core: build", built * 1_000, "ms", goal: 50)
        report.add("core: join all of it", joined * 1_000, "ms")
        for name in names {
            let values = series[name]!.values.map { $0 * 1_000 }
            report.add("core: \(name)", Series(values: values), "ms")
        }
    }

    private static func context(_ replica: ReplicaID, _ state: ProfileState) -> WriteContext {
        WriteContext(replica: replica, now: 1_700_000_000_000, fileTime: 1_700_000_000_000, base: state.vector)
    }

    private static func time(_ body: () throws -> Void) rethrows -> Double {
        let start = seconds()
        try body()
        return seconds() - start
    }
}
