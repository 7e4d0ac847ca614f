public import LosslessJSON

extension RuleSet {
    /// The JSON form in which the rules are stored in the `#rules` atom and sent to other devices.
    public var json: JSONValue {
        var members: [JSONMember] = []
        func add(_ key: JSONString, _ text: String?) {
            if let text { members.append(JSONMember(key: key, value: .string(JSONString(text)))) }
        }
        add("profile", profile)
        add("version", version)
        add("versionAt", versionAt)
        members.append(JSONMember(key: "rules", value: .array(entries.map(Self.json))))
        if !resets.isEmpty { members.append(JSONMember(key: "resets", value: .array(resets.map(\.json)))) }
        add("resetAt", resetAt)
        if !migrations.isEmpty {
            members.append(JSONMember(key: "migrations", value: .array(migrations.map(\.json))))
        }
        if let legacy { members.append(JSONMember(key: "legacy", value: legacy.json)) }
        add("source", source)
        return .object(members)
    }

    /// Reads the JSON form that ``json`` writes.
    ///
    /// - Throws: ``RuleError`` for a member or word that this version does not know (the caller then keeps its former
    ///   rules and passes the atom on unchanged), and for rules that are beyond a limit or contradict each other.
    public init(json: JSONValue) throws(RuleError) {
        guard case .object(let members) = json else { throw RuleError("the rules are no object") }
        // Before they are read, since each of them takes more memory than its text.
        func bound(_ list: [JSONValue], _ limit: Int, _ what: String) throws(RuleError) {
            guard list.count > limit else { return }
            var error = RuleError("more than \(limit) \(what)")
            error.isForEveryVersion = true
            throw error
        }
        var profile: String?
        var version: String?
        var versionAt: String?
        var resetAt: String?
        var source: String?
        var entries: [Entry] = []
        var resets: [Reset] = []
        var migrations: [Migration] = []
        var legacy: Migration?
        for member in members {
            switch (member.key.string, member.value) {
            case ("profile", .string(let text)): profile = text.string
            case ("version", .string(let text)): version = text.string
            case ("versionAt", .string(let text)): versionAt = text.string
            case ("resetAt", .string(let text)): resetAt = text.string
            case ("source", .string(let text)): source = text.string
            case ("rules", .array(let list)):
                try bound(list, Self.entryLimit, "rules")
                for item in list { entries.append(try Self.entry(item)) }
            case ("resets", .array(let list)):
                try bound(list, Reset.countLimit, "resets")
                for item in list { resets.append(try Reset(json: item)) }
            case ("migrations", .array(let list)):
                try bound(list, Migration.countLimit, "migrations")
                for item in list { migrations.append(try Migration(json: item)) }
            case ("legacy", let value): legacy = try Migration(json: value)
            default: throw RuleError("the rules have an unknown member \"\(member.key.string)\"")
            }
        }
        do {
            try self.init(
                entries,
                profile: profile,
                version: version,
                versionAt: versionAt,
                resets: resets,
                resetAt: resetAt,
                migrations: migrations,
                legacy: legacy,
                source: source
            )
        } catch {
            var error = error
            error.isForEveryVersion = true
            throw error
        }
    }

    private static func json(_ entry: Entry) -> JSONValue {
        let path = JSONMember(key: "path", value: .string(JSONString(entry.pattern.description)))
        return .object([path] + entry.rule.jsonMembers)
    }

    private static func entry(_ json: JSONValue) throws(RuleError) -> Entry {
        guard case .object(let members) = json else { throw RuleError("a rule is no object") }
        var pattern: RulePattern?
        var rule = MergeRule.standard
        for member in members {
            if case ("path", .string(let text)) = (member.key.string, member.value) {
                pattern = try RulePattern(parsing: text.string)
            } else {
                try rule.read(member)
            }
        }
        guard let pattern else { throw RuleError("a rule has no path") }
        return Entry(pattern, rule)
    }
}
