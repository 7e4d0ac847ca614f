import TestSupport

/// One thing that happens in a random household. Devices, members and documents are given by numbers that always mean
/// something, so that any step can be dropped from a history.
enum HistoryStep: Sendable {
    /// The game of a device writes members, each by an own seed, on the snapshot that many projections back.
    case save(device: Int, back: Int, edits: [(member: Int, seed: UInt64)])
    /// A device takes what another has; with a check of the laws on the way.
    case pull(device: Int, from: Int, seed: UInt64)
    case project(device: Int)
    /// Everybody hears of everything.
    case meet
    /// Members start over, from nothing or from what a former document held.
    case reset(device: Int, members: Set<Int>, to: Int?)
    /// A former document of some device comes back.
    case restore(device: Int, document: Int)
    case undo(device: Int, members: Set<Int>, document: Int)
    case decide(device: Int, pick: Int)
    /// A member takes another rule of its family.
    case rule(device: Int, member: Int, pick: Int)

    static func random(_ random: inout SeededRandom, devices: Int, members: Int) -> HistoryStep {
        let device = random.below(devices)
        func some() -> Set<Int> {
            var random = random
            return Set((0...random.below(3)).map { _ in random.below(members) })
        }
        let dice = random.below(100)
        switch dice {
        case ..<42:
            let edits = (0...random.below(3)).map { _ in (random.below(members), random.next()) }
            return .save(device: device, back: random.chance(75) ? 0 : random.below(4), edits: edits)
        case ..<68:
            return .pull(device: device, from: (device + 1 + random.below(devices - 1)) % devices, seed: random.next())
        case ..<84: return .project(device: device)
        case ..<85: return .meet
        case ..<89: return .reset(device: device, members: some(), to: random.chance(30) ? random.below(20) : nil)
        case ..<91: return .restore(device: device, document: random.below(20))
        case ..<93: return .undo(device: device, members: some(), document: random.below(20))
        case ..<97: return .decide(device: device, pick: random.below(3))
        default: return .rule(device: device, member: random.below(members), pick: random.below(5))
        }
    }
}
