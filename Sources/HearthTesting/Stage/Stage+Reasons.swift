import HouseholdAgent
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
            guard let sentence = explanation(at: pointer(leaf.place), on: device) else { continue }
            timeline.add(at: now, [device], .reason, "\(leaf.place): \(sentence)")
        }
    }

    /// Why a place shows its value, in the words of `hearth explain`. The place is named as findings name it, or as
    /// `hearth explain` does. The run goes on as if nobody had asked.
    func explanation(of place: String, on device: Int) -> String? {
        if let read = SavePlace(parsing: place), let sentence = explanation(at: pointer(read), on: device) {
            return sentence
        }
        return explanation(at: place, on: device)
    }

    private func explanation(at pointer: String, on device: Int) -> String? {
        home.askAside(ExplainRequest(profile: Self.name, pointer: pointer), on: devices[device]).last?
            .message(ExplainReport.self)?.sentence
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
