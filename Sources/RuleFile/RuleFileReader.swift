import LosslessJSON
import MergeCore
import Yams

/// Reads the tree of a rule file. Stops at the first error; a word it does not know is one.
struct RuleFileReader {
    let text: RuleFileText

    /// Most bytes of a profile's name or version.
    static let nameLimit = 256
    /// Most steps of all paths together, so that comparing every rule with every other stays quick.
    static let stepLimit = 8_192

    func ruleSet(_ root: Node, source: String) throws(RuleFileError) -> RuleSet {
        if isNothing(root) {
            throw RuleFileError(
                line: 1, column: 1, message: "the rule file is empty; write at least \"rules:\", or delete the file")
        }
        var profile: String?
        var versionAt: String?
        var rules: [(place: Node, entry: RuleSet.Entry)] = []
        for (key, value) in try members(root, "a rule file has fields such as \"profile: …\" and \"rules:\"") {
            switch try word(key, "a field needs a name").text {
            case "profile": profile = try name(value, "profile")
            case "version": _ = try name(value, "version")
            case "versionAt": versionAt = try pointer(value)
            case "rules": rules = try entries(value)
            case let field:
                throw fault(key, unknown("the field", field, ["profile", "version", "versionAt", "rules"]))
            }
        }
        return try ruleSet(rules, profile, versionAt, source, root)
    }

    private func ruleSet(
        _ rules: [(place: Node, entry: RuleSet.Entry)], _ profile: String?, _ versionAt: String?, _ source: String,
        _ root: Node
    ) throws(RuleFileError) -> RuleSet {
        let set: RuleSet
        do {
            set = try RuleSet(rules.map(\.entry), profile: profile, versionAt: versionAt, source: source)
        } catch {
            let place = error.rule.flatMap { rules.indices.contains($0) ? rules[$0].place : nil }
            throw fault(place ?? root, error.message)
        }
        let size = set.json.jsonBytes.count
        guard size <= RuleSet.byteLimit else {
            throw fault(
                root,
                "the rules take \(size) bytes with their text, and \(RuleSet.byteLimit) can travel to other devices; "
                    + "shorten the comments or the rules")
        }
        return set
    }

    // MARK: Rules

    private func entries(_ node: Node) throws(RuleFileError) -> [(place: Node, entry: RuleSet.Entry)] {
        try refuseMarkup(node)
        if isNothing(node) { return [] }
        var result: [(place: Node, entry: RuleSet.Entry)] = []
        var steps = 0
        for (key, value) in try members(node, "\"rules\" needs lines such as \"/coins: counter\"") {
            guard result.count < RuleSet.entryLimit else {
                throw fault(key, "this is rule \(result.count + 1); a rule file may have \(RuleSet.entryLimit)")
            }
            let path = try word(key, "a rule needs a path; the whole document's is \"\"")
            steps += path.text.utf8.count { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "[") }
            guard steps <= Self.stepLimit else {
                throw fault(
                    key, "up to here the paths have more than \(Self.stepLimit) steps; write fewer or shorter ones")
            }
            let pattern: RulePattern
            do {
                pattern = try RulePattern(parsing: path.text)
            } catch {
                throw fault(key, error.message)
            }
            result.append((key, RuleSet.Entry(pattern, try rule(value, of: path.text))))
        }
        return result
    }

    private func rule(_ node: Node, of path: String) throws(RuleFileError) -> MergeRule {
        try refuseMarkup(node)
        guard !isNothing(node) else {
            throw fault(node, "\"\(path)\" has no rule; write one behind it, such as \"\(path): latest\"")
        }
        guard case .mapping = node else { return MergeRule(try merge(node)) }
        var rule = MergeRule.standard
        var isNamed = false
        var (reading, none): (Node?, Node?)
        for (key, value) in try members(node, "") {
            switch try word(key, "an option needs a name").text {
            case "merge":
                rule.merge = try merge(value)
                isNamed = true
            case "as":
                rule.reading = try self.reading(value)
                reading = key
            case "none":
                rule.none = try values(value)
                none = key
            case "whole": rule.whole = try truth(value)
            case let option: throw fault(key, unknown("the option", option, ["merge", "as", "none", "whole"]))
            }
        }
        guard isNamed else { throw fault(node, "the rule of \"\(path)\" needs \"merge\", such as {merge: latest}") }
        let isOrder = rule.merge == .max || rule.merge == .min
        if let reading, !isOrder, rule.merge != .counter || rule.reading != .number {
            let merge = rule.merge.rawValue
            throw fault(
                reading, "\"as\" does nothing with \(merge); it goes with max and min, \"as: number\" with counter too")
        }
        if let none, !isOrder {
            throw fault(none, "\"none\" does nothing with \(rule.merge.rawValue); it goes with max and min")
        }
        return rule
    }

    private func merge(_ node: Node) throws(RuleFileError) -> MergeRule.Merge {
        let word = try word(node, "a rule is one word, such as max, or options such as {merge: max, as: date}").text
        guard let merge = MergeRule.Merge(rawValue: word) else {
            throw fault(node, unknown("the rule", word, MergeRule.Merge.allCases.map(\.rawValue)))
        }
        return merge
    }

    private func reading(_ node: Node) throws(RuleFileError) -> MergeRule.Reading {
        let word = try word(node, "\"as\" takes number or date").text
        guard let reading = MergeRule.Reading(rawValue: word) else {
            throw fault(node, unknown("\"as\" with", word, MergeRule.Reading.allCases.map(\.rawValue)))
        }
        return reading
    }

    private func unknown(_ what: String, _ word: String, _ known: [String]) -> String {
        "\(what) \"\(word.prefix(80))\" is not known to this version of Hearth, which knows "
            + known.joined(separator: ", ")
    }

    // MARK: Names

    private func name(_ node: Node, _ field: String) throws(RuleFileError) -> String {
        let name = try word(node, "\"\(field)\" needs a text behind it").text
        guard name.utf8.count <= Self.nameLimit else {
            throw fault(node, "\"\(field)\" has \(name.utf8.count) bytes; the most it may have is \(Self.nameLimit)")
        }
        return name
    }

    private func pointer(_ node: Node) throws(RuleFileError) -> String {
        let text = try word(node, "\"versionAt\" needs a path behind it, such as /saveVersion").text
        do {
            return try JSONPointer(parsing: text).description
        } catch {
            throw fault(node, error.message)
        }
    }
}
