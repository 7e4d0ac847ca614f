import LosslessJSON
import MergeCore
import TestSupport
import Testing

/// Random histories of three devices: whatever the games do and in whatever order the devices meet, everybody ends up
/// with the same state and the same document, and a file that agrees with its state is left alone.
@Suite struct RandomHistoryTests {
    @Test(arguments: 0..<5) func devicesEndAlike(block: Int) {
        for seed in block * 20..<block * 20 + 20 where !run(UInt64(seed)) { return }
    }

    private func run(_ seed: UInt64) -> Bool {
        var random = SeededRandom(seed: seed)
        var devices = Device.household(3, RandomSaves.rules, sharing: RandomSaves.start)
        // Clocks years apart.
        for index in devices.indices { devices[index].clock += Int64(random.below(3) - 1) * 315_360_000_000 }
        var story: [String] = []
        for _ in 0..<(5 + random.below(25)) {
            let index = random.below(3)
            if random.chance(60) {
                var value = devices[index].value
                for _ in 0...random.below(3) { value = RandomSaves.edited(value, &random) }
                // A game that still has an older snapshot in memory writes as well.
                let base = random.chance(80) ? devices[index].snapshots.last : devices[index].snapshots.first
                devices[index].save(document(value), on: base)
                story.append("\(index) writes \(value.spelled)")
            } else {
                let other = (index + 1 + random.below(2)) % 3
                devices[index].pull(devices[other])
                story.append("\(index) hears \(other)")
                if random.chance(70) {
                    guard shortWayIsTheLongOne(devices[index], seed) else { return false }
                    devices[index].project()
                    story.append("\(index) shows \(devices[index].shown)")
                }
            }
        }
        settle(&devices)
        return agree(devices, "seed \(seed)", story)
    }

    /// With the touched keys given, a projection makes the same file as without.
    private func shortWayIsTheLongOne(_ device: Device, _ seed: UInt64) -> Bool {
        guard let snapshot = device.snapshots.last?.document else { return true }
        let short = try? snapshot.patched(Projection(of: device.state, onto: snapshot, touching: device.touched).edits)
        let long = try? snapshot.patched(Projection(of: device.state, onto: snapshot).edits)
        if short == long, short != nil { return true }
        Issue.record("seed \(seed): touching gives \(text(short ?? [])), else \(text(long ?? []))")
        return false
    }

    private func agree(_ devices: [Device], _ name: String, _ story: [String]) -> Bool {
        for device in devices.dropFirst() {
            guard device.state.vector == devices[0].state.vector,
                device.state.sortedAtoms == devices[0].state.sortedAtoms
            else {
                Issue.record("\(name): states differ")
                return false
            }
        }
        let shown = devices.map { Agreed($0.value, RandomSaves.rules) }
        guard shown[0] == shown[1], shown[0] == shown[2] else {
            let all = [shown.map(\.text), story].map { $0.joined(separator: "\n") }
            Issue.record("\(name): shown are\n\(all[0])\nafter\n\(all[1])")
            return false
        }
        for device in devices where device.wouldEdit > 0 {
            Issue.record(
                "\(name): a second projection changes \(device.shown)\nafter\n\(story.joined(separator: "\n"))")
            return false
        }
        // A device that has no file yet gets the same document.
        guard let fresh = Projection.newDocument(of: devices[0].state) else { return false }
        guard Agreed(fresh, RandomSaves.rules) == shown[0] else {
            Issue.record(
                "\(name): a new device shows\n\(Agreed(fresh, RandomSaves.rules).text), the others\n\(shown[0].text)")
            return false
        }
        return true
    }
}
