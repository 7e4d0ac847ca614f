import LosslessJSON
import MergeCore
import TestSupport
import Testing

/// Random histories of three devices: whatever the games do and in whatever order the devices meet, everybody ends up
/// with the same state and the same document, and a file that agrees with its state is left alone.
@Suite struct RandomHistoryTests {
    @Test(arguments: 0..<5) func devicesEndAlike(block: Int) {
        let fault = firstFault(in: block * 20..<block * 20 + 20, whatIsWrong)
        #expect(fault == nil, "\(fault ?? "")")
    }

    private func whatIsWrong(seed: Int) -> String? {
        var random = SeededRandom(seed: UInt64(seed))
        var devices = Device.household(3, RandomSaves.rules, sharing: RandomSaves.start)
        // Clocks years apart.
        for index in devices.indices { devices[index].clock += .milliseconds((random.below(3) - 1) * 315_360_000_000) }
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
                    if let fault = whatTouchingMisses(devices[index]) { return fault }
                    devices[index].project()
                    story.append("\(index) shows \(devices[index].shown)")
                }
            }
        }
        settle(&devices)
        return whereTheyDiffer(devices).map { "\($0)\nafter\n\(story.joined(separator: "\n"))" }
    }

    /// With the touched keys given, a projection makes the same file as without.
    private func whatTouchingMisses(_ device: Device) -> String? {
        guard let snapshot = device.snapshots.last?.document else { return nil }
        let short = try? snapshot.patched(Projection(of: device.state, onto: snapshot, touching: device.touched).edits)
        let long = try? snapshot.patched(Projection(of: device.state, onto: snapshot).edits)
        if short == long, short != nil { return nil }
        return "touching gives \(text(short ?? [])), else \(text(long ?? []))"
    }

    private func whereTheyDiffer(_ devices: [Device]) -> String? {
        for device in devices.dropFirst() {
            guard device.state.vector == devices[0].state.vector,
                device.state.sortedAtoms == devices[0].state.sortedAtoms
            else { return "states differ" }
        }
        let shown = devices.map { Agreed($0.value, RandomSaves.rules) }
        guard shown[0] == shown[1], shown[0] == shown[2] else {
            return "shown are\n\(shown.map(\.text).joined(separator: "\n"))"
        }
        for device in devices where device.wouldEdit > 0 { return "a second projection changes \(device.shown)" }
        // A device that has no file yet gets the same document.
        guard let fresh = Projection.newDocument(of: devices[0].state) else { return "a new device shows nothing" }
        let agreed = Agreed(fresh, RandomSaves.rules)
        return agreed == shown[0] ? nil : "a new device shows\n\(agreed.text), the others\n\(shown[0].text)"
    }
}
