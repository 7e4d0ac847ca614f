import LosslessJSON

/// The amounts by which one replica changed a counter when its player made two profiles one, or took such a change back
/// because another device had made it before, see ``ProfileState/beside(joining:under:isApart:)``. They are in the replica's own part of the counter, beside what it
/// earned and spent there.
struct AmountsOfJoins {
    private var added = ExactDecimal.zero
    private var takenOff = ExactDecimal.zero
    /// By how much the counter is more for them.
    private(set) var net = ExactDecimal.zero

    /// Adds an amount of a note.
    ///
    /// - Parameter isNet: Whether it counts still. What was taken back, and what took it back, is in the parts alone.
    mutating func add(_ amount: ExactDecimal, isNet: Bool) throws(ExactDecimal.Overflow) {
        if amount.isNegative {
            takenOff = try takenOff.adding(amount.magnitude)
        } else {
            added = try added.adding(amount)
        }
        if isNet { net = try net.adding(amount) }
    }

    /// The amounts that the replica earned and spent, without those of the joins. `nil` where its part of the counter is less
    /// than the amounts of the joins: then the part was begun anew after them.
    func apart(from earned: ExactDecimal, _ spent: ExactDecimal) -> (earned: ExactDecimal, spent: ExactDecimal)? {
        guard added <= earned, takenOff <= spent, let earned = try? earned.subtracting(added),
            let spent = try? spent.subtracting(takenOff)
        else { return nil }
        return (earned, spent)
    }
}

extension ProfileState {
    /// The amounts of joins at a counter by the replica that wrote them. A note that another device wrote in the name of a
    /// replica counts for nothing. O(atoms).
    func joinedAmounts(at path: DocumentPath) -> [ReplicaID: AmountsOfJoins] {
        let beginning = DocumentPath.beginning.encoded + [UInt8(ascii: "/")]
        var found: [ReplicaID: AmountsOfJoins] = [:]
        for (place, kind) in places where kind == .latest && place.encoded.starts(with: beginning) {
            let names = place.encoded.split(separator: UInt8(ascii: "/"))
            guard names.count == 4, let replica = ReplicaID(hex: String(decoding: names[2], as: UTF8.self)),
                let atom = atom(AtomKey(place, .latest)), case .register(_, let note?) = atom.content
            else { continue }
            let (members, takenBackBy) = Self.members(note)
            guard atom.dot.replica == takenBackBy ?? replica else { continue }
            for member in members where member.key.bytes == path.encoded {
                guard let amount = NotedAmount(member.value)?.amount else { continue }
                try? found[replica, default: AmountsOfJoins()].add(amount, isNet: takenBackBy == nil)
                guard let takenBackBy else { continue }
                try? found[takenBackBy, default: AmountsOfJoins()].add(amount.negated, isNet: false)
            }
        }
        return found
    }

    /// The amounts in a note, and the replica that took them back since, if one did.
    private static func members(_ note: JSONValue) -> (amounts: [JSONMember], takenBackBy: ReplicaID?) {
        switch note {
        case .object(let amounts): (amounts, nil)
        case .array(let parts):
            if parts.count == 2, case .object(let amounts) = parts[0], case .string(let name) = parts[1],
                let replica = ReplicaID(hex: name.string)
            {
                (amounts, replica)
            } else {
                ([], nil)
            }
        default: ([], nil)
        }
    }
}
