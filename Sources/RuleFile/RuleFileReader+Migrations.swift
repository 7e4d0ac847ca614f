import LosslessJSON
import MergeCore

extension RuleFileReader {
    /// One migration, with its node in the file.
    struct MigrationNode {
        let migration: Migration
        let place: YAMLNode
    }

    /// Counts the steps of all migrations, to enforce their limit.
    struct MigrationCount {
        private(set) var steps = 0

        mutating func add() -> Bool {
            steps += 1
            return steps <= Migration.stepLimit
        }
    }

    func migrations(_ node: YAMLNode, _ count: inout MigrationCount) throws(RuleFileError) -> [MigrationNode] {
        if isNothing(node) { return [] }
        guard case .sequence(let list) = node.content else {
            throw fault(node, "\"migrations\" takes a list, such as - {from: \"1.0\", to: \"1.1\", steps: […]}")
        }
        var result: [MigrationNode] = []
        for item in list {
            guard result.count < Migration.countLimit else {
                throw fault(item, "a rule file may have \(Migration.countLimit) migrations, and this is one more")
            }
            result.append(MigrationNode(migration: try migration(item, ["from", "to", "steps"], &count), place: item))
        }
        return result
    }

    func legacy(_ node: YAMLNode, _ count: inout MigrationCount) throws(RuleFileError) -> Migration? {
        isNothing(node) ? nil : try migration(node, ["to", "steps"], &count)
    }

    private func migration(
        _ node: YAMLNode,
        _ fields: [String],
        _ count: inout MigrationCount
    ) throws(RuleFileError) -> Migration {
        var names: [String: String] = [:]
        var steps: [MigrationStep] = []
        for (key, value) in try members(node, "a migration has the fields \(fields.joined(separator: ", "))") {
            let field = try word(key, "a field needs a name").text
            guard fields.contains(field) else { throw fault(key, unknown("the field", field, fields)) }
            if field == "steps" {
                steps = try self.steps(value, &count)
            } else {
                names[field] = try name(value, field)
            }
        }
        for field in fields.dropLast() where names[field] == nil {
            throw fault(node, "a migration needs \"\(field)\", such as \(field): \"1.1.0\"")
        }
        return Migration(from: names["from"], to: names["to"] ?? "", steps: steps)
    }

    private func steps(_ node: YAMLNode, _ count: inout MigrationCount) throws(RuleFileError) -> [MigrationStep] {
        if isNothing(node) { return [] }
        guard case .sequence(let list) = node.content else {
            throw fault(node, "\"steps\" takes a list, such as - rename: {path: /hp, to: health}")
        }
        var result: [MigrationStep] = []
        for item in list {
            guard count.add() else {
                throw fault(item, "a rule file may have \(Migration.stepLimit) steps, and this is one more")
            }
            result.append(try step(item))
        }
        return result
    }

    private func step(_ node: YAMLNode) throws(RuleFileError) -> MigrationStep {
        let complaint = "a step is one word with its options, such as rename: {path: /hp, to: health}"
        let parts = try members(node, complaint)
        guard parts.count == 1, let (key, value) = parts.first else {
            throw fault(parts.count > 1 ? parts[1].key : node, complaint)
        }
        let step = try word(key, complaint).text
        let all = MigrationStep.options
        guard let known = all.first(where: { $0.key == step })?.value else {
            throw fault(key, unknown("the step", step, all.map(\.key)))
        }
        var places: [String: YAMLNode] = [:]
        var options: [JSONMember] = []
        if case .scalar = value.content, !isNothing(value), step == "remove" || step == "require" {
            places["path"] = value
            options.append(JSONMember(key: "path", value: .string(JSONString(try word(value, complaint).text))))
        } else {
            for (name, content) in try members(value, "\"\(step)\" takes options, such as {path: /coins}") {
                let option = try word(name, "an option needs a name").text
                guard known.contains(option) else { throw fault(name, unknown("the option", option, known)) }
                places[option] = content
                options.append(JSONMember(key: JSONString(option), value: try json(content, of: option)))
            }
        }
        do {
            return try MigrationStep(json: .object([JSONMember(key: JSONString(step), value: .object(options))]))
        } catch {
            throw fault(error.word.flatMap { places[$0] } ?? key, error.message)
        }
    }

    /// An option as JSON, the form in which it is sent to other devices. Paths and names are always texts, even where
    /// they look like a number.
    private func json(_ node: YAMLNode, of option: String) throws(RuleFileError) -> JSONValue {
        switch option {
        case "value", "add": return try nested(node, option, MigrationStep.depthLimit)
        case "values":
            guard case .mapping = node.content else { return try nested(node, option, MigrationStep.depthLimit) }
            var pairs: [JSONValue] = []
            for (key, value) in try members(node, "") {
                let old = try self.value(key, "an old value is plain, such as true, 0 or \"easy\"")
                pairs.append(.array([old, try nested(value, option, MigrationStep.depthLimit)]))
            }
            return .array(pairs)
        case "into":
            guard case .sequence(let list) = node.content else {
                throw fault(node, "\"into\" takes a list, such as [x, y]")
            }
            var names: [JSONValue] = []
            for item in list {
                names.append(.string(JSONString(try word(item, "\"into\" takes a list of names, such as [x, y]").text)))
            }
            return .array(names)
        default: return .string(JSONString(try word(node, "\"\(option)\" needs a text behind it").text))
        }
    }

    /// Reads any value, at most `depth` containers deep.
    private func nested(_ node: YAMLNode, _ option: String, _ depth: Int) throws(RuleFileError) -> JSONValue {
        if case .scalar = node.content { return try value(node, "\"\(option)\" needs a value behind it") }
        guard depth > 0 else {
            throw fault(node, "\"\(option)\" is nested deeper than \(MigrationStep.depthLimit) levels")
        }
        switch node.content {
        case .sequence(let list):
            var elements: [JSONValue] = []
            for item in list { elements.append(try nested(item, option, depth - 1)) }
            return .array(elements)
        case .mapping:
            var result: [JSONMember] = []
            for (key, value) in try members(node, "") {
                let name = JSONString(try word(key, "a member needs a name").text)
                result.append(JSONMember(key: name, value: try nested(value, option, depth - 1)))
            }
            return .object(result)
        default: throw fault(node, "\"\(option)\" takes plain values, lists and objects")
        }
    }
}
