import LosslessJSON
import MergeCore

extension RuleLine {
    /// The lines of a rule set, in its order.
    static func lines(of rules: RuleSet) -> [RuleLine] {
        guard case .array(let list)? = rules.json["rules"] else { return [] }
        return list.map { rule in
            guard case .object(let members) = rule else { return RuleLine(place: "", merge: "") }
            func text(_ name: JSONString) -> String {
                guard case .string(let text)? = rule[name] else { return "" }
                return text.string
            }
            let options = members.filter { $0.key != "path" && $0.key != "merge" }
            return RuleLine(
                place: text("path"), merge: text("merge"),
                options: options.isEmpty ? nil : String(decoding: JSONValue.object(options).jsonBytes, as: UTF8.self))
        }
    }

    /// A rule in words, without its place.
    static func words(_ rule: MergeRule) -> String {
        guard let set = try? RuleSet([RuleSet.Entry(RulePattern(parsing: ""), rule)]), let line = lines(of: set).first
        else { return rule.merge.rawValue }
        return line.merge + (line.options.map { " \($0)" } ?? "")
    }

    /// The JSON form of the rule, as rule sets read it.
    private func json() throws(RuleError) -> JSONValue {
        var members = [
            JSONMember(key: "path", value: .string(JSONString(place))),
            JSONMember(key: "merge", value: .string(JSONString(merge))),
        ]
        if let options, options.contains(where: { !$0.isWhitespace }) {
            let complaint = #"the options are no JSON object, such as {"as": "date"}"#
            guard case .object(let others)? = try? JSONValue(parsing: Array(options.utf8)) else {
                throw RuleError(complaint)
            }
            for option in others where option.key == "path" || option.key == "merge" {
                throw RuleError("\"\(option.key.string)\" is no option")
            }
            members += others
        }
        return .object(members)
    }

    /// The rule set with other rules. The text of the rule file is left out, since it says something else by then.
    ///
    /// - Throws: ``RuleError`` whose message names the rule that it is about.
    static func rules(_ rules: RuleSet, with lines: [RuleLine]) throws(RuleError) -> RuleSet {
        var list: [JSONValue] = []
        for line in lines {
            do throws(RuleError) {
                let rule = try line.json()
                // Alone, so that its own faults are told with its name.
                _ = try RuleSet(json: .object([JSONMember(key: "rules", value: .array([rule]))]))
                list.append(rule)
            } catch {
                throw RuleError("the rule of \"\(line.place)\": \(error.message)")
            }
        }
        guard case .object(var members) = rules.json else { return rules }
        members.removeAll { $0.key == "source" || $0.key == "rules" }
        members.append(JSONMember(key: "rules", value: .array(list)))
        do throws(RuleError) {
            return try RuleSet(json: .object(members))
        } catch {
            let place = error.rule.flatMap { lines.indices.contains($0) ? lines[$0].place : nil }
            throw RuleError((place.map { "the rule of \"\($0)\": " } ?? "") + error.message)
        }
    }
}
