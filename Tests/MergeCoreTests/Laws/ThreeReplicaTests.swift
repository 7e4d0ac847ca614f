import LosslessJSON
@testable import MergeCore
import Testing

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
        for a in histories[0] {
            for b in histories[1] {
                // With four saves to choose from, the third replica makes one at most.
                for c in histories[2] where law.saves.count < 4 || c.saves.count < 2 {
                    guard agrees([a.device, b.device, c.device], law, "\(law): \(a.saves) \(b.saves) \(c.saves)") else {
                        return
                    }
                }
            }
        }
    }

    private func agrees(_ devices: [Device], _ law: RuleLaw, _ name: String) -> Bool {
        let atoms = devices.map { $0.state.sortedAtoms }
        var reference: [KeyedAtom]?
        var joined = ProfileState()
        for order in Self.orders {
            var state = devices[order[0]].state
            for next in order.dropFirst() {
                let other = devices[next].state
                state.join(other.delta(beyond: state.vector), vector: other.vector)
            }
            let result = state.sortedAtoms
            if reference == nil { reference = result }
            guard result == reference else {
                Issue.record("\(name): order \(order) gives another state")
                return false
            }
            joined = state
        }
        // Whole states, grouped either way, and twice.
        var whole = devices[1].state
        whole.join(devices[2].state)
        whole.join(devices[0].state)
        whole.join(devices[1].state)
        guard whole.sortedAtoms == reference, whole.vector == joined.vector, atoms.count == 3 else {
            Issue.record("\(name): joining whole states is not joining deltas")
            return false
        }
        guard law.saves.count < 4 else { return showsAlike(devices, joined, law, name) }
        guard ProfileState(restoring: joined.sortedAtoms, vector: joined.vector).sortedAtoms == reference else {
            Issue.record("\(name): the restored state differs")
            return false
        }
        return showsAlike(devices, joined, law, name)
    }

    private func showsAlike(_ devices: [Device], _ joined: ProfileState, _ law: RuleLaw, _ name: String) -> Bool {
        let devices = devices.map { device -> (shown: Agreed, again: String?) in
            var device = device
            device.state = joined
            device.project()
            return (Agreed(device.value, law.rules), device.wouldEdit == 0 ? nil : device.shown)
        }
        if let changed = devices.lazy.compactMap(\.again).first {
            Issue.record("\(name): a second projection changes \(changed)")
            return false
        }
        let shown = devices.map(\.shown)
        guard shown[0] == shown[1], shown[0] == shown[2] else {
            Issue.record("\(name): shown are \(shown.map(\.text))")
            return false
        }
        return true
    }
}
