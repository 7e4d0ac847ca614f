import LosslessJSON
import TestSupport

@testable import MergeCore

/// The laws, asked of the states of a history.
enum HistoryLaws {
    /// Two states that meet: by delta or whole, twice or once, in any order of atoms, either way.
    static func broken(_ mine: ProfileState, _ theirs: ProfileState, seed: UInt64) -> String? {
        var random = SeededRandom(seed: seed)
        let delta = theirs.delta(beyond: mine.vector)
        var joined = mine
        joined.join(delta, vector: theirs.vector)
        var others = [(String, ProfileState)]()
        func add(_ name: String, _ change: (inout ProfileState) -> Void) {
            var state = mine
            change(&state)
            others.append((name, state))
        }
        add("a shuffled delta") { $0.join(random.shuffled(delta), vector: theirs.vector) }
        add("a delta that holds everything twice") { $0.join(random.shuffled(delta + delta), vector: theirs.vector) }
        add("a delta that comes twice") {
            $0.join(delta, vector: theirs.vector)
            $0.join(delta, vector: theirs.vector)
        }
        add("an older delta before") {
            $0.join(theirs.delta(beyond: VersionVector()), vector: theirs.vector)
            $0.join(mine.delta(beyond: VersionVector()), vector: mine.vector)
        }
        add("the whole state") { $0.join(theirs) }
        add("the other way") {
            let own = $0
            $0 = theirs
            $0.join(own)
        }
        add("atoms one after the other, without their vector") {
            for atom in random.shuffled(delta) { $0.join([atom], vector: VersionVector()) }
            $0.join([], vector: theirs.vector)
        }
        for (name, state) in others where !state.holdsTheSame(as: joined) {
            return "joining with \(name) gives another state"
        }
        for atom in joined.sortedAtoms where !joined.vector.covers(atom.atom.dot) {
            return "\(atom) is beyond the vector"
        }
        return nil
    }

    /// In which order all meet.
    static func orderMatters(_ states: [ProfileState]) -> String? {
        func join(_ states: [ProfileState]) -> ProfileState {
            var result = states[0]
            for state in states.dropFirst() { result.join(state.delta(beyond: result.vector), vector: state.vector) }
            return result
        }
        let forwards = join(states)
        var grouped = join(Array(states.dropFirst()))
        grouped.join(states[0])
        let document = Projection.newDocument(of: forwards)
        for (name, state) in [("backwards", join(states.reversed())), ("otherwise grouped", grouped)] {
            if !state.holdsTheSame(as: forwards) {
                return "joined \(name), the states differ"
            }
            if Projection.newDocument(of: state) != document { return "joined \(name), they show something else" }
        }
        return nil
    }

    /// Whether devices that know the same hold or show different things.
    static func differ(_ devices: [Device]) throws -> String? {
        let state = devices[0].state
        let atoms = state.sortedAtoms
        for device in devices.dropFirst() {
            if device.state.vector != state.vector {
                return "the vectors differ: \(device.state.vector) and \(state.vector)"
            }
            if !device.state.holdsTheSame(as: state) { return "equal vectors, other atoms" }
        }
        let open = state.openChoices
        let shown = devices.map { device in
            agreed(device.value, open, state.rules)
        }
        for other in shown.dropFirst() where other != shown[0] {
            return "shown are\n  \(shown.map(\.spelled).joined(separator: "\n  "))"
        }
        for device in devices {
            if device.wouldEdit > 0 { return "a second projection changes \(device.shown)" }
            for path in open where !state.openChoice(path).contains(where: { $0.value == device.value[name(of: path)] })
            {
                return "\(path) is open, and \(device.shown) holds none of its values"
            }
            for path in open {
                let own = state.openChoice(path).first { $0.dot.replica == device.replica }
                if let own, own.value != device.value[name(of: path)] {
                    return "\(path) is open, and \(device.shown) lacks the device's own \(own.value?.spelled ?? "")"
                }
            }
        }
        // Nothing may show of a profile that was reset.
        let fresh = Projection.newDocument(of: state)
        let anew = agreed(fresh ?? [:], open, state.rules)
        if anew != shown[0] { return "a new device shows\n  \(anew.spelled), the others\n  \(shown[0].spelled)" }
        var random = SeededRandom(seed: UInt64(atoms.count))
        for again in [
            ProfileState(restoring: random.shuffled(atoms), vector: state.vector),
            try ProfileState(decoding: state.encoded),
        ] {
            if !again.holdsTheSame(as: state) {
                return "what was stored comes back otherwise"
            }
            if Projection.newDocument(of: again) != fresh { return "what was stored shows something else" }
        }
        return nil
    }

    /// What all must show, open choices aside. A document of which nothing counts is an empty one.
    private static func agreed(_ value: JSONValue, _ open: [DocumentPath], _ rules: RuleSet) -> JSONValue {
        Agreed(open.reduce(value) { $0.setting(name(of: $1), to: nil) }, rules).value ?? [:]
    }

    private static func name(of path: DocumentPath) -> JSONString {
        guard case .member(let name)? = path.steps?.first else { return "" }
        return name
    }
}
