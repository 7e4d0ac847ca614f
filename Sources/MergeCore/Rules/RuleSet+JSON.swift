public import LosslessJSON

extension RuleSet {
    /// The travelling form: what the `#rules` atom holds.
    public var json: JSONValue {
        var members: [JSONMember] = []
        func add(_ key: JSONString, _ text: String?) {
            if let text { members.append(JSONMember(key: key, value: .string(JSONString(text)))) }
        }
        add("profile", profile)
        add("versionAt", versionAt)
        members.append(JSONMember(key: "rules", value: .array(entries.map(Self.json))))
        add("source", source)
        return .object(members)
    }

    /// Reads the travelling form. Words this version does not know are an error: the caller keeps its former rules and
    /// relays the atom.
    public init(json: JSONValue) throws(RuleError) {
        guard case .object(let members) = json else { throw RuleError("the rules are no object") }
        var profile: String?
        var versionAt: String?
        var source: String?
        var entries: [Entry] = []
        for member in members {
            switch (member.key.string, member.value) {
            case ("profile", .string(let text)): profile = text.string
            case ("versionAt", .string(let text)): versionAt = text.string
            case ("source", .string(let text)): source = text.string
            case ("rules", .array(let list)):
                guard list.count <= Self.entryLimit else { throw RuleError("more than \(Self.entryLimit) rules") }
                for item in list { entries.append(try Self.entry(item)) }
            default: throw RuleError("the rules have an unknown member \"\(member.key.string)\"")
            }
        }
        try self.init(entries, profile: profile, versionAt: versionAt, source: source)
    }

    private static func json(_ entry: Entry) -> JSONValue {
        var members = [
            JSONMember(key: "path", value: .string(JSONString(entry.pattern.description))),
            JSONMember(key: "merge", value: .string(JSONString(entry.rule.merge.rawValue))),
        ]
        if let reading = entry.rule.reading {
            members.append(JSONMember(key: "as", value: .string(JSONString(reading.rawValue))))
        }
        if !entry.rule.none.isEmpty { members.append(JSONMember(key: "none", value: .array(entry.rule.none))) }
        if entry.rule.whole { members.append(JSONMember(key: "whole", value: .bool(true))) }
        return .object(members)
    }

    private static func entry(_ json: JSONValue) throws(RuleError) -> Entry {
        guard case .object(let members) = json else { throw RuleError("a rule is no object") }
        var pattern: RulePattern?
        var rule = MergeRule(.latest)
        for member in members {
            switch (member.key.string, member.value) {
            case ("path", .string(let text)): pattern = try RulePattern(parsing: text.string)
            case ("merge", .string(let text)):
                guard let merge = MergeRule.Merge(rawValue: text.string) else {
                    throw RuleError("the rule \"\(text.string)\" is unknown to this version")
                }
                rule.merge = merge
            case ("as", .string(let text)):
                guard let reading = MergeRule.Reading(rawValue: text.string) else {
                    throw RuleError("\"as: \(text.string)\" is unknown to this version")
                }
                rule.reading = reading
            case ("none", .array(let values)): rule.none = values
            case ("whole", .bool(let whole)): rule.whole = whole
            default: throw RuleError("a rule has an unknown member \"\(member.key.string)\"")
            }
        }
        guard let pattern else { throw RuleError("a rule has no path") }
        return Entry(pattern, rule)
    }
}
