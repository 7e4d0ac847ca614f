import LosslessJSON

extension MergeRule {
    /// The JSON form in which a rule is stored in the `#rules` atom and sent to other devices, without its path.
    var jsonMembers: [JSONMember] {
        var members = [JSONMember(key: "merge", value: .string(JSONString(merge.rawValue)))]
        func add(_ key: JSONString, _ value: JSONValue?) {
            if let value { members.append(JSONMember(key: key, value: value)) }
        }
        add("as", reading.map { .string(JSONString($0.rawValue)) })
        add("format", format.map { .string(JSONString($0)) })
        if !none.isEmpty { add("none", .array(none)) }
        if whole { add("whole", .bool(true)) }
        if !by.isEmpty { add("by", .array(by.map(JSONValue.string))) }
        add("sort", sort.map(JSONValue.string))
        add("limit", limit.map { .number(JSONNumber($0)) })
        return members
    }

    /// Reads one member of the JSON form written by ``jsonMembers`` into this rule.
    ///
    /// - Throws: ``RuleError`` for a member or word that this version does not know.
    mutating func read(_ member: JSONMember) throws(RuleError) {
        switch (member.key.string, member.value) {
        case ("merge", .string(let text)):
            guard let merge = Merge(rawValue: text.string) else {
                throw RuleError("the rule \"\(text.string)\" is unknown to this version")
            }
            self.merge = merge
        case ("as", .string(let text)):
            guard let reading = Reading(rawValue: text.string) else {
                throw RuleError("\"as: \(text.string)\" is unknown to this version")
            }
            self.reading = reading
        case ("format", .string(let text)): format = text.string
        case ("none", .array(let values)): none = values
        case ("whole", .bool(let whole)): self.whole = whole
        case ("by", .array(let names)):
            guard names.count <= Self.byLimit else { throw RuleError("\"by\" has more than \(Self.byLimit) members") }
            for name in names {
                guard case .string(let name) = name else { throw RuleError("\"by\" holds something else than names") }
                by.append(name)
            }
        case ("sort", .string(let name)): sort = name
        case ("limit", .number(let number)):
            guard let limit = number.decimal?.int else { throw RuleError("the limit of a rule is no whole number") }
            self.limit = limit
        default: throw RuleError("a rule has an unknown member \"\(member.key.string)\"")
        }
    }
}

extension Reset {
    /// The JSON form in which a reset is stored in the `#rules` atom and sent to other devices.
    var json: JSONValue {
        .object([
            JSONMember(key: "name", value: .string(JSONString(name))),
            JSONMember(key: "paths", value: .array(patterns.map { .string(JSONString($0.description)) })),
        ])
    }

    init(json: JSONValue) throws(RuleError) {
        guard case .object(let members) = json else { throw RuleError("a reset is no object") }
        var name: String?
        var patterns: [RulePattern] = []
        for member in members {
            switch (member.key.string, member.value) {
            case ("name", .string(let text)): name = text.string
            case ("paths", .array(let paths)):
                for path in paths {
                    guard case .string(let text) = path else {
                        throw RuleError("a reset holds something else than paths")
                    }
                    patterns.append(try RulePattern(parsing: text.string))
                }
            default: throw RuleError("a reset has an unknown member \"\(member.key.string)\"")
            }
        }
        guard let name else { throw RuleError("a reset has no name") }
        self.init(name, patterns)
    }
}
