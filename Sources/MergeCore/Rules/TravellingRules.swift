import LosslessJSON

/// What the `#rules` atom holds: the rules, and what their writer had seen when it wrote the baselines of changed
/// kinds. A replica re-issues only its own atoms that this vector does not cover.
struct TravellingRules {
    var rules: RuleSet
    var seen: [ReplicaID: UInt64]

    init(_ rules: RuleSet, seen vector: VersionVector) {
        self.rules = rules
        seen = vector.entries.mapValues(\.sequence)
    }

    init(json: JSONValue) throws(RuleError) {
        guard case .object(let members) = json, members.count == 2,
            let set = members.first(where: { $0.key == "set" })?.value,
            case .object(let seen)? = members.first(where: { $0.key == "seen" })?.value
        else { throw RuleError("the travelling rules have a form this version does not know") }
        rules = try RuleSet(json: set)
        guard let progress = ReplicaProgress.read(seen) else {
            throw RuleError("the travelling rules name an unreadable replica")
        }
        self.seen = progress
    }

    var json: JSONValue {
        .object([
            JSONMember(key: "set", value: rules.json),
            JSONMember(key: "seen", value: ReplicaProgress.json(seen)),
        ])
    }
}
