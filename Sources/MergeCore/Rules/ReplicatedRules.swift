import LosslessJSON

/// The content of the `#rules` atom: the rules, the vector that the writer of the set had seen, and for each line the
/// write that changed it last. Where a line changed, each replica writes again only those of its atoms that the writer of
/// that line had not seen.
struct ReplicatedRules {
    var rules: RuleSet
    var seen: [ReplicaID: UInt64]
    /// The number of versions of the save that lie behind these rules. It decides which rules win, see ``RulesOrder``.
    var generation: UInt64 = 0
    /// Versions that the rules do not list. For each of them, the entry names the listed version from which its atoms
    /// are upcast, or the legacy steps.
    var former: [VersionLabel: UpcasterTable.Former] = [:]
    /// For each line, the write that changed it last.
    var writes = RuleWrites()

    init(_ rules: RuleSet, seen vector: VersionVector) {
        self.rules = rules
        seen = vector.entries.mapValues(\.sequence)
    }

    init(json: JSONValue) throws(RuleError) {
        guard case .object(let members) = json, members.allSatisfy({ Self.members.contains($0.key) }),
            let set = members.first(where: { $0.key == "set" })?.value,
            case .object(let seen)? = members.first(where: { $0.key == "seen" })?.value
        else { throw RuleError("the travelling rules have a form this version does not know") }
        rules = try RuleSet(json: set)
        guard let progress = ReplicaProgress.read(seen) else {
            throw RuleError("the travelling rules name an unreadable replica")
        }
        self.seen = progress
        if let version = json["version"] { try read(version) }
        if let writes = json["writes"] { self.writes = try RuleWrites(json: writes) }
    }

    private static let members: Set<JSONString> = ["set", "seen", "version", "writes"]

    private mutating func read(_ version: JSONValue) throws(RuleError) {
        guard let generation = RulesOrder.generation(ofVersion: version),
            case .object(let formers)? = version["former"],
            formers.count <= Self.formerLimit
        else { throw RuleError("the travelling rules have a form this version does not know") }
        self.generation = generation
        for member in formers {
            switch member.value {
            case .string(let name): former[VersionLabel(member.key.string)] = .listed(name.string)
            case .null: former[VersionLabel(member.key.string)] = .legacy
            default: throw RuleError("the travelling rules have a form this version does not know")
            }
        }
    }

    /// Most entries of ``former``.
    static let formerLimit = 1_000

    var json: JSONValue {
        var members = [
            JSONMember(key: "set", value: rules.json), JSONMember(key: "seen", value: ReplicaProgress.json(seen)),
        ]
        if generation > 0 || !former.isEmpty {
            let formers = former.map { (name: $0.key.name, former: $0.value) }.sorted { $0.name < $1.name }
            let version: [JSONMember] = [
                JSONMember(key: "generation", value: .number(JSONNumber(text: String(generation))!)),
                JSONMember(
                    key: "former",
                    value: .object(
                        formers.prefix(Self.formerLimit).map { item in
                            guard case .listed(let name) = item.former else {
                                return JSONMember(key: JSONString(item.name), value: .null)
                            }
                            return JSONMember(key: JSONString(item.name), value: .string(JSONString(name)))
                        })),
            ]
            members.append(JSONMember(key: "version", value: .object(version)))
        }
        if writes != RuleWrites() { members.append(JSONMember(key: "writes", value: writes.json)) }
        return .object(members)
    }
}
