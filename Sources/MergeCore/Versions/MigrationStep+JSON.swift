package import LosslessJSON

extension MigrationStep {
    /// The words of all steps, and what each takes.
    package static let options: KeyValuePairs<String, [String]> = [
        "rename": ["path", "to"], "move": ["path", "to"], "copy": ["path", "to"], "remove": ["path"],
        "default": ["path", "value"], "map": ["path", "values"], "wrap": ["path", "as"],
        "split": ["path", "by", "into", "is"], "compensate": ["path", "add", "for"], "require": ["path", "is"],
    ]

    /// The JSON form in which a step is stored and sent: an object with the step's word as its only member. The pairs
    /// of a `map` are lists of two values, because a JSON key can only be a text.
    package var json: JSONValue {
        var members: [JSONMember] = [JSONMember(key: "path", value: .string(JSONString(path)))]
        func add(_ key: JSONString, _ value: JSONValue?) {
            if let value { members.append(JSONMember(key: key, value: value)) }
        }
        switch self {
        case .rename(_, let name): add("to", .string(name))
        case .move(_, let target), .copy(_, let target): add("to", .string(JSONString(target.description)))
        case .remove: break
        case .fill(_, let value): add("value", value)
        case .map(_, let pairs): add("values", .array(pairs.map { .array([$0.old, $0.new]) }))
        case .wrap(_, let name): add("as", .string(name))
        case .split(_, let separator, let names, let asNumbers):
            add("by", separator.map(JSONValue.string))
            add("into", .array(names.map(JSONValue.string)))
            if asNumbers { add("is", "number") }
        case .compensate(_, let number, let reason):
            add("add", .number(number))
            add("for", reason.map { .string(JSONString($0.description)) })
        case .require(_, let kind): add("is", kind.map { .string(JSONString($0.rawValue)) })
        }
        return .object([JSONMember(key: JSONString(word), value: .object(members))])
    }

    /// Reads the JSON form that ``json`` writes. Words that this version does not know are an error.
    ///
    /// - Throws: ``RuleError`` whose `word` is the option it is about.
    package init(json: JSONValue) throws(RuleError) {
        guard case .object(let members) = json, members.count == 1, let step = members.first,
            case .object(let values) = step.value
        else { throw RuleError("a step of a migration is one word with its options") }
        let options = try StepOptions(word: step.key.string, values)
        let word = options.word
        switch word {
        case "rename": self = .rename(try options.pattern(), to: try options.name("to"))
        case "move": self = .move(try options.pointer("path"), to: try options.pointer("to"))
        case "copy": self = .copy(try options.pointer("path"), to: try options.pointer("to"))
        case "remove": self = .remove(try options.pattern())
        case "default": self = .fill(try options.pattern(), value: try options.value("value"))
        case "map": self = .map(try options.pattern(), try options.pairs("values"))
        case "wrap": self = .wrap(try options.pattern(), as: try options.name("as"))
        case "split":
            let kind = try options.kind()
            guard kind == nil || kind == .number || kind == .text else {
                throw RuleError("the parts of a split are numbers or texts (\"is\")", word: "is")
            }
            self = .split(
                try options.pattern(),
                by: options["by"] == nil ? nil : try options.name("by"),
                into: try options.names("into"),
                asNumbers: kind == .number
            )
        case "compensate":
            let reason = options["for"] == nil ? nil : try options.pointer("for")
            self = .compensate(try options.pointer("path"), add: try options.number("add"), for: reason)
        default: self = .require(try options.pattern(), try options.kind())
        }
        try check()
    }
}

/// The options of one step while it is read.
private struct StepOptions {
    let word: String
    private let values: [JSONMember]

    init(word: String, _ values: [JSONMember]) throws(RuleError) {
        guard let known = MigrationStep.options.first(where: { $0.key == word })?.value else {
            throw RuleError("the step \"\(word)\" is unknown to this version")
        }
        for member in values where !known.contains(member.key.string) {
            throw RuleError("\"\(word)\" has an unknown option \"\(member.key.string)\"", word: member.key.string)
        }
        self.word = word
        self.values = values
    }

    subscript(_ option: String) -> JSONValue? { values.first { $0.key.string == option }?.value }

    private func wrong(_ option: String, _ needs: String) -> RuleError {
        self[option] == nil
            ? RuleError("\"\(word)\" needs \"\(option)\"") : RuleError("\"\(option)\" takes \(needs)", word: option)
    }

    func value(_ option: String) throws(RuleError) -> JSONValue {
        guard let value = self[option] else { throw wrong(option, "a value") }
        return value
    }

    func name(_ option: String) throws(RuleError) -> JSONString {
        guard case .string(let text)? = self[option] else { throw wrong(option, "a text") }
        return text
    }

    func names(_ option: String) throws(RuleError) -> [JSONString] {
        guard case .array(let list)? = self[option] else { throw wrong(option, "a list of names, such as [x, y]") }
        guard list.count <= MigrationStep.partLimit else {
            throw RuleError("\"\(option)\" has more than \(MigrationStep.partLimit) names", word: option)
        }
        var names: [JSONString] = []
        for item in list {
            guard case .string(let name) = item else { throw wrong(option, "a list of names, such as [x, y]") }
            names.append(name)
        }
        return names
    }

    func number(_ option: String) throws(RuleError) -> JSONNumber {
        guard case .number(let number)? = self[option] else { throw wrong(option, "a number, such as 500") }
        return number
    }

    func pattern() throws(RuleError) -> RulePattern {
        guard case .string(let text)? = self["path"] else { throw wrong("path", "a path, such as /coins") }
        do {
            return try RulePattern(parsing: text.string)
        } catch {
            throw RuleError(error.message, word: "path")
        }
    }

    func pointer(_ option: String) throws(RuleError) -> JSONPointer {
        guard case .string(let text)? = self[option] else { throw wrong(option, "a path, such as /coins") }
        do {
            return try JSONPointer(parsing: text.string)
        } catch {
            throw RuleError(error.message, word: option)
        }
    }

    func pairs(_ option: String) throws(RuleError) -> [MigrationStep.Mapping] {
        let needs = "old values with their new ones, such as {true: hard, false: normal}"
        guard case .array(let list)? = self[option] else { throw wrong(option, needs) }
        guard list.count <= MigrationStep.partLimit else {
            throw RuleError("\"\(option)\" has more than \(MigrationStep.partLimit) values", word: option)
        }
        var pairs: [MigrationStep.Mapping] = []
        for item in list {
            guard case .array(let pair) = item, pair.count == 2 else { throw wrong(option, needs) }
            pairs.append(.init(pair[0], pair[1]))
        }
        return pairs
    }

    func kind() throws(RuleError) -> MigrationStep.Kind? {
        guard let value = self["is"] else { return nil }
        guard case .string(let text) = value, let kind = MigrationStep.Kind(rawValue: text.string) else {
            let known = MigrationStep.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw RuleError("\"is\" takes one of \(known)", word: "is")
        }
        return kind
    }
}
