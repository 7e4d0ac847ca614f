import LosslessJSON
import MergeCore

extension RuleFileReader {
    /// One rule, with its nodes in the file.
    struct RuleNode {
        let entry: RuleSet.Entry
        /// The node of the rule's path.
        let place: YAMLNode
        /// The node that an error about an option points to: the option's name where the option is not allowed, its
        /// value where the value is wrong.
        let options: [String: YAMLNode]
    }

    private static let options = ["merge", "as", "format", "none", "whole", "by", "sort", "limit"]

    func rules(_ node: YAMLNode, _ budget: inout PatternBudget) throws(RuleFileError) -> [RuleNode] {
        if isNothing(node) { return [] }
        var result: [RuleNode] = []
        for (key, value) in try members(node, "\"rules\" needs lines such as \"/coins: counter\"") {
            guard result.count < RuleSet.entryLimit else {
                throw fault(key, "this is rule \(result.count + 1); a rule file may have \(RuleSet.entryLimit)")
            }
            let path = try word(key, "a rule needs a path; the whole document's is \"\"").text
            let pattern = try pattern(path, key, &budget)
            let (rule, options) = try rule(value, of: path)
            result.append(RuleNode(entry: .init(pattern, rule), place: key, options: options))
        }
        return result
    }

    func pattern(_ path: String, _ node: YAMLNode, _ budget: inout PatternBudget) throws(RuleFileError) -> RulePattern {
        let pattern: RulePattern
        do {
            pattern = try RulePattern(parsing: path)
        } catch {
            throw fault(node, error.message)
        }
        budget.add(pattern)
        if let excess = budget.excess {
            throw fault(node, "up to here the paths have more than \(excess); write fewer or shorter ones")
        }
        return pattern
    }

    private func rule(_ node: YAMLNode, of path: String) throws(RuleFileError) -> (MergeRule, [String: YAMLNode]) {
        guard !isNothing(node) else {
            throw fault(node, "\"\(path)\" has no rule; write one behind it, such as \"\(path): latest\"")
        }
        guard case .mapping = node.content else { return (MergeRule(try merge(node)), ["merge": node]) }
        var rule = MergeRule.standard
        var (names, values): ([String: YAMLNode], [String: YAMLNode]) = ([:], [:])
        for (key, value) in try members(node, "") {
            let option = try word(key, "an option needs a name").text
            try read(option, value, key, into: &rule)
            (names[option], values[option]) = (key, value)
        }
        guard values["merge"] != nil else {
            throw fault(node, "the rule of \"\(path)\" needs \"merge\", such as {merge: latest}")
        }
        return (rule, places(rule, names, values))
    }

    private func read(
        _ option: String,
        _ value: YAMLNode,
        _ key: YAMLNode,
        into rule: inout MergeRule
    ) throws(RuleFileError) {
        switch option {
        case "merge": rule.merge = try merge(value)
        case "as": rule.reading = try reading(value)
        case "format":
            rule.format = try word(value, "\"format\" takes a date format, such as \"%d.%m.%Y %H:%M\"").text
        case "none": rule.none = try values(value)
        case "whole": rule.whole = try truth(value)
        case "by": rule.by = try names(value)
        case "sort":
            rule.sort = JSONString(try word(value, "\"sort\" takes the name of a member, such as playedAt").text)
        case "limit": rule.limit = try count(value)
        default: throw fault(key, unknown("the option", option, Self.options))
        }
    }

    /// The node for errors about each option: its name where the option is not allowed with this merge, its value where
    /// only the value can be wrong.
    private func places(
        _ rule: MergeRule, _ names: [String: YAMLNode], _ values: [String: YAMLNode]
    ) -> [String: YAMLNode] {
        var places = names
        if rule.merge == .furthest {
            places["by"] = values["by"]
            places["merge"] = values["merge"]
        }
        if rule.reading == .date { places["format"] = values["format"] }
        if rule.merge == .union || rule.merge == .set, rule.reading != .bits { places["limit"] = values["limit"] }
        return places
    }

    private func merge(_ node: YAMLNode) throws(RuleFileError) -> MergeRule.Merge {
        let word = try word(node, "a rule is one word, such as max, or options such as {merge: max, as: date}").text
        guard let merge = MergeRule.Merge(rawValue: word) else {
            throw fault(node, unknown("the rule", word, MergeRule.Merge.allCases.map(\.rawValue)))
        }
        return merge
    }

    private func reading(_ node: YAMLNode) throws(RuleFileError) -> MergeRule.Reading {
        let word = try word(node, "\"as\" takes number, date or bits").text
        guard let reading = MergeRule.Reading(rawValue: word) else {
            throw fault(node, unknown("\"as\" with", word, MergeRule.Reading.allCases.map(\.rawValue)))
        }
        return reading
    }

    /// Reads the list of the option `by`.
    private func names(_ node: YAMLNode) throws(RuleFileError) -> [JSONString] {
        let complaint = "\"by\" takes a list of members, such as [level, xp]"
        guard case .sequence(let list) = node.content else { throw fault(node, complaint) }
        guard !list.isEmpty else { throw fault(node, complaint) }
        var result: [JSONString] = []
        for item in list {
            guard result.count < MergeRule.byLimit else {
                throw fault(item, "\"by\" has more than \(MergeRule.byLimit) members")
            }
            let name = JSONString(try word(item, complaint).text)
            guard !result.contains(name) else { throw fault(item, "\"by\" names \"\(name)\" twice") }
            result.append(name)
        }
        return result
    }

    /// Reads the number of the option `limit`.
    private func count(_ node: YAMLNode) throws(RuleFileError) -> Int {
        let complaint = "\"limit\" takes a whole number from 1 to 1000000"
        let word = try word(node, complaint)
        guard word.isPlain, let number = JSONNumber(text: word.text)?.decimal?.int, MergeRule.limits.contains(number)
        else { throw fault(node, complaint) }
        return number
    }
}
