import LosslessJSON
import Testing

@testable import MergeCore

/// Three replicas, each with every sequence of up to two saves, joined in every order.
@Suite struct ThreeReplicaTests {
    static let orders: [[Int]] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]

    /// Every device after every history of at most two saves, per replica.
    static func histories(_ law: RuleLaw) -> [[(saves: [Int], device: Device)]] {
        let start = Device.household(3, law.rules, sharing: law.start)
        return start.map { device in
            var result: [(saves: [Int], device: Device)] = [([], device)]
            for first in law.saves.indices {
                var once = device
                once.save(law.saves[first])
                result.append(([first], once))
                for second in law.saves.indices where second != first {
                    var twice = once
                    twice.save(law.saves[second])
                    result.append(([first, second], twice))
                }
            }
            return result
        }
    }

    @Test(arguments: RuleLaw.all) func everyOrderOfSyncEndsAlike(law: RuleLaw) {
        let histories = Self.histories(law)
        let pairs = JoinedPairs(histories.map { $0.map(\.device.state) })
        var count = 0
        for (a, first) in histories[0].enumerated() {
            for (b, second) in histories[1].enumerated() {
                // With four saves to choose from, the third replica makes one at most.
                for (c, third) in histories[2].enumerated() where law.saves.count < 4 || third.saves.count < 2 {
                    count += 1
                    let name = "\(law): \(first.saves) \(second.saves) \(third.saves)"
                    guard agrees([first.device, second.device, third.device], [a, b, c], pairs, law, name) else {
                        return
                    }
                }
            }
        }
        #expect(count == [2: 125, 3: 1_000, 4: 1_445][law.saves.count])
    }

    private func agrees(
        _ devices: [Device],
        _ indices: [Int],
        _ pairs: JoinedPairs,
        _ law: RuleLaw,
        _ name: String
    ) -> Bool {
        let all = Self.orders.map { order in
            var joined = pairs.state(order[0], indices[order[0]], order[1], indices[order[1]])
            let other = devices[order[2]].state
            joined.join(other.delta(beyond: joined.vector), vector: other.vector)
            return joined
        }
        let joined = all[0]
        for (order, state) in zip(Self.orders, all) where !state.holdsTheSame(as: joined) {
            Issue.record("\(name): order \(order) gives another state")
            return false
        }
        // Whole states, grouped either way, and twice.
        var whole = devices[1].state
        whole.join(devices[2].state)
        whole.join(devices[0].state)
        whole.join(devices[1].state)
        guard whole.holdsTheSame(as: joined) else {
            Issue.record("\(name): joining whole states is not joining deltas")
            return false
        }
        guard law.saves.count < 4 else { return showsAlike(devices, joined, law, name) }
        guard ProfileState(restoring: joined.sortedAtoms, vector: joined.vector).holdsTheSame(as: joined) else {
            Issue.record("\(name): the restored state differs")
            return false
        }
        return showsAlike(devices, joined, law, name)
    }

    /// Every file comes to show the same, and a second projection finds nothing to do.
    private func showsAlike(_ devices: [Device], _ joined: ProfileState, _ law: RuleLaw, _ name: String) -> Bool {
        let view = ViewNode(joined)
        var files: [[UInt8]: JSONDocument] = [:]
        for file in devices.compactMap(\.snapshots.last?.document) where files[file.bytes] == nil {
            let edits = Projection(of: joined, as: view, onto: file).edits
            guard let bytes = try? file.patched(edits), let after = try? JSONDocument(parsing: bytes) else {
                Issue.record("\(name): a projection onto \(text(file.bytes)) fails")
                return false
            }
            files[file.bytes] = after
        }
        let shown = Dictionary(files.values.map { ($0.bytes, $0) }, uniquingKeysWith: { first, _ in first }).values
        for file in shown where !Projection(of: joined, as: view, onto: file).edits.isEmpty {
            Issue.record("\(name): a second projection changes \(text(file.bytes))")
            return false
        }
        let values = shown.map { Agreed($0.value($0.root), law.rules) }
        guard let first = values.first, values.allSatisfy({ $0 == first }) else {
            Issue.record("\(name): shown are \(values.map(\.text))")
            return false
        }
        return true
    }
}

/// The first two of three to be joined, either way: made once for all that may come third.
private struct JoinedPairs {
    private struct Pair: Hashable {
        let first, history, second, other: Int
    }

    private var states: [Pair: ProfileState] = [:]

    /// - Parameter states: For each replica its states after every history.
    init(_ all: [[ProfileState]]) {
        for first in all.indices {
            for second in all.indices where second != first {
                for (history, state) in all[first].enumerated() {
                    for (other, theirs) in all[second].enumerated() {
                        var joined = state
                        joined.join(theirs.delta(beyond: state.vector), vector: theirs.vector)
                        states[Pair(first: first, history: history, second: second, other: other)] = joined
                    }
                }
            }
        }
    }

    func state(_ first: Int, _ history: Int, _ second: Int, _ other: Int) -> ProfileState {
        states[Pair(first: first, history: history, second: second, other: other)]!
    }
}
