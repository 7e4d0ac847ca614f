import LosslessJSON
import MergeCore

/// One device's copy of the map.
struct Replica {
    let id: ReplicaID
    var state: ProfileState
    private var now: WallTime = 1_700_000_000_000

    init(_ number: UInt64, _ state: ProfileState = ProfileState()) {
        id = ReplicaID(high: 0x1A2B_3C4D_5E6F_7081, low: number)
        self.state = state
    }

    static func filled(_ count: Int) -> Replica {
        var replica = Replica(1)
        replica.set((0..<count).map { (key($0), $0 * 7) })
        return replica
    }

    /// `s/000123`
    static func key(_ number: Int) -> String {
        let digits = String(number)
        return "s/" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }

    /// Writes values as one save of a game would.
    mutating func set(_ items: [(key: String, value: Int)]) {
        now += .seconds(1)
        let changes = items.map { item in
            LeafChange(
                path: DocumentPath([.member(JSONString(item.key))]), rule: .standard,
                change: .value(old: nil, new: .number(JSONNumber(item.value))))
        }
        let context = WriteContext(replica: id, now: now, fileTime: now, base: state.vector)
        _ = state.write(changes, context)
    }

    func value(_ key: String) -> Int? {
        let atom = state.atom(AtomKey(DocumentPath([.member(JSONString(key))]), .latest))
        guard case .register(_, .number(let number)?)? = atom?.content else { return nil }
        return number.decimal?.int
    }

    /// Every value, by key.
    var all: [String: Int] {
        var result: [String: Int] = [:]
        result.reserveCapacity(state.atomCount)
        for atom in state.sortedAtoms {
            guard case .member(let name)? = atom.key.path.steps?.first,
                case .register(_, .number(let number)?) = atom.atom.content
            else { continue }
            result[name.string] = number.decimal?.int
        }
        return result
    }
}
