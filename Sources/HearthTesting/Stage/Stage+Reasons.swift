import HouseholdSimulation
import LosslessJSON

/// Why the values are what they are.
extension Stage {
    /// The most places that are explained.
    private static let reasonLimit = 24

    /// Adds to the timeline why each value is what it is that is another one than at the beginning.
    func tellReasons() {
        guard let device = devices.indices.first(where: { devices[$0].isRunning && text($0) != nil }),
            let save = save(device)
        else { return }
        let former = self.save(game.beginning)?.leaves ?? .none
        let changed = save.leaves.unlike(former)
        for leaf in changed.prefix(Self.reasonLimit) {
            guard let sentence = explanation(of: pointer(leaf.place), on: device) else { continue }
            timeline.add(at: now, [device], .reason, "\(leaf.place): \(sentence)")
        }
    }

    /// The place as `hearth explain` takes it.
    private func pointer(_ place: SavePlace) -> String {
        JSONPointer(
            tokens: place.steps.map { step in
                switch step {
                case .member(let name): name
                case .element(_, let id): JSONString("[\(id.text)]")
                }
            }
        ).description
    }
}
