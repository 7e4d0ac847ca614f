public import LosslessJSON

/// A doubt about a rule that comes from comparing it with a document. It is no error: a save may get the missing field
/// later.
public struct RuleFinding: Hashable, Sendable, CustomStringConvertible {
    /// The rule's index in ``RuleSet/entries``.
    public let rule: Int
    /// One sentence without a full stop: what is odd, and what was probably meant, where that is known.
    public let message: String

    /// ``message``, without ``rule``: the code that shows it knows the rule.
    public var description: String { message }
}

extension RuleSet {
    /// The rules that match no place of a document, and the rules that cannot read the value at a place they match, in
    /// the order of the rules. An empty container gives no finding, because its later content is not known.
    ///
    /// All rules together look at 100,000 values; each rule after these at 200 more. A rule for which that is not enough
    /// gives no finding.
    public func findings(in document: JSONDocument) -> [RuleFinding] {
        let value = document.value(document.root)
        var search = RuleSearch()
        var found: [RuleFinding] = []
        for (index, entry) in entries.enumerated() {
            switch search.look(for: entry, in: value) {
            case .fits: break
            case .nowhere(let near): found.append(RuleFinding(rule: index, message: nowhere(entry.pattern, near)))
            case .unreadable(let place, let reason):
                found.append(RuleFinding(rule: index, message: "\(place): \(reason)"))
            }
        }
        return found
    }

    private func nowhere(_ pattern: RulePattern, _ near: String?) -> String {
        if pattern.description == "/" {
            return #"no place matches "/", which is the member with an empty name; the whole document is """#
        }
        return "no place matches \(pattern)" + (near.map { "; did you mean \($0)?" } ?? "")
    }
}

/// A search of a document for the places of one pattern after another.
private struct RuleSearch {
    enum Outcome {
        /// A place matches, or may match once a container that is empty now holds something.
        case fits
        /// No place matches. `near` is the spelling that was probably meant.
        case nowhere(near: String?)
        /// A place matches, but the rule cannot read its value: the place, and the reason.
        case unreadable(String, String)
    }

    /// How many values may still be looked at, by all rules together. It bounds the time whatever the rules and the
    /// document.
    private var budget = 100_000
    /// How many every rule may look at, whatever those before it took: enough for a pattern of names.
    private static let least = 200

    // The state of the search for one rule, set anew by `look`:
    private var rule = MergeRule.standard
    /// The number of steps from the first `**` on, that one included; 0 without one. With fewer steps left the search
    /// is past `**`, where an empty container says nothing.
    private var stepsAfterAnyDepth = 0
    private var isFound = false
    private var isOpen = false
    private var unreadable: (place: String, reason: String)?
    private var near: String?

    mutating func look(for entry: RuleSet.Entry, in value: JSONValue) -> Outcome {
        (rule, isFound, isOpen, unreadable, near) = (entry.rule, false, false, nil, nil)
        budget = max(budget, Self.least)
        let steps = entry.pattern.steps
        stepsAfterAnyDepth = steps.firstIndex(of: .anyDepth).map { steps.count - $0 } ?? 0
        visit(value, steps[...], at: [])
        if budget <= 0 { return .fits }
        if let unreadable { return .unreadable(unreadable.place, unreadable.reason) }
        if isFound || isOpen { return .fits }
        return .nowhere(near: near ?? elsewhere(entry.pattern, value))
    }

    private mutating func visit(
        _ value: JSONValue, _ steps: ArraySlice<RulePattern.Step>, at place: [RulePattern.Step]
    ) {
        budget -= 1
        guard budget > 0 else { return }
        guard let step = steps.first else { return check(value, at: place) }
        let rest = steps.dropFirst()
        switch (step, value) {
        case (.literal, _) where Self.isEmpty(value), (.any, _) where Self.isEmpty(value),
            (.keyed, _) where Self.isEmpty(value):
            if steps.count >= stepsAfterAnyDepth { isOpen = true }
        case (.anyDepth, _):
            visit(value, rest, at: place)
            for (name, child) in Self.children(value) { visit(child, steps, at: place + [name]) }
        case (.any, .object), (.any, .array):
            for (name, child) in Self.children(value) { visit(child, rest, at: place + [name]) }
        case (.literal(let name), .object(let members)):
            if let member = members.first(where: { $0.key == name }) {
                visit(member.value, rest, at: place + [step])
            } else {
                suggest(name, members.map(\.key), rest, place)
            }
        case (.literal(let name), .array(let elements)):
            guard let index = Int(name.string), index >= 0 else { break }
            if index < elements.count { visit(elements[index], rest, at: place + [step]) } else { isOpen = true }
        case (.keyed(let key), .array(let elements)):
            var keys: [JSONString] = []
            for case .object(let members) in elements.prefix(1_000) {
                if members.contains(where: { $0.key == key }) {
                    visit(.object(members), rest, at: place + [step])
                } else if keys.isEmpty {
                    keys = members.map(\.key)
                }
            }
            if let near = NearWord.of(key.string, in: keys.map(\.string)) {
                suggest(place + [.keyed(JSONString(near))] + rest)
            }
        case (.literal(let name), _): suggest(name, [], rest, place)
        default: break
        }
    }

    /// Handles a place that the pattern matches: notes whether the rule can read the value there.
    private mutating func check(_ value: JSONValue, at place: [RulePattern.Step]) {
        isFound = true
        guard unreadable == nil, !rule.isWhole, !rule.none.contains(where: { $0.jsonBytes == value.jsonBytes })
        else { return }
        guard let reason = reason(value, RulePattern(steps: place)) else { return }
        unreadable = (RulePattern(steps: place).description, reason)
    }

    /// Why the rule cannot read a value; `nil` where it can.
    private func reason(_ value: JSONValue, _ pattern: RulePattern) -> String? {
        let merge = rule.merge.rawValue
        switch (rule.merge, value) {
        case (_, .null), (.latest, _), (.local, _), (.furthest, _), (.choice, _): return nil
        case (.counter, .object(let members)), (.max, .object(let members)), (.min, .object(let members)),
            (.flag, .object(let members)):
            guard !members.isEmpty else { return nil }
            return
                "the save has an object there, and \(merge) takes one value; for every member of it write \(pattern)/*"
        case (.counter, _):
            if case .number? = Ordinal(value, by: rule) { return nil }
            return "counter takes a number, but the save has \(Self.words(value)) there"
        case (.max, _), (.min, _):
            if rule.reading == .bits || Ordinal(value, by: rule) != nil { return nil }
            let wanted = rule.reading == .date ? "a date" : rule.reading == .number ? "a number" : "one value"
            return "\(merge) takes \(wanted) here, but the save has \(Self.words(value)) there"
        case (.flag, .bool): return nil
        case (.flag, _):
            return rule.reading == nil ? "flag takes true or false, but the save has \(Self.words(value)) there" : nil
        case (.union, .array), (.set, .array): return nil
        case (.union, _), (.set, _):
            return rule.reading == nil ? "\(merge) takes a list, but the save has \(Self.words(value)) there" : nil
        }
    }

    // MARK: What was meant

    private mutating func suggest(
        _ name: JSONString, _ known: [JSONString], _ rest: ArraySlice<RulePattern.Step>, _ place: [RulePattern.Step]
    ) {
        guard near == nil else { return }
        if name.bytes.isEmpty, rest.isEmpty {
            // The pattern "/coins/" ends in an empty name; "/coins" was meant.
            if !place.isEmpty { near = RulePattern(steps: place).description }
        } else if let word = NearWord.of(name.string, in: known.map(\.string)) {
            suggest(place + [.literal(JSONString(word))] + rest)
        }
    }

    private mutating func suggest(_ steps: [RulePattern.Step]) {
        if near == nil { near = RulePattern(steps: steps).description }
    }

    /// The first place of the document, in breadth-first order, whose last name is the last name of a pattern.
    private mutating func elsewhere(_ pattern: RulePattern, _ value: JSONValue) -> String? {
        guard case .literal(let name)? = pattern.steps.last, !name.bytes.isEmpty else { return nil }
        var waiting: [(value: JSONValue, place: [RulePattern.Step])] = [(value, [])]
        var next = 0
        while next < waiting.count, waiting.count < 10_000, budget > 0 {
            budget -= 1
            let (value, place) = waiting[next]
            next += 1
            guard case .object(let members) = value else { continue }
            for member in members {
                let place = place + [RulePattern.Step.literal(member.key)]
                if member.key == name { return RulePattern(steps: place).description }
                waiting.append((member.value, place))
            }
        }
        return nil
    }

    // MARK: Values

    private static func children(_ value: JSONValue) -> [(RulePattern.Step, JSONValue)] {
        switch value {
        case .object(let members): members.map { (.literal($0.key), $0.value) }
        case .array(let elements): elements.enumerated().map { (.literal(JSONString(String($0))), $1) }
        default: []
        }
    }

    private static func isEmpty(_ value: JSONValue) -> Bool {
        switch value {
        case .null: true
        case .array(let elements): elements.isEmpty
        case .object(let members): members.isEmpty
        default: false
        }
    }

    private static func words(_ value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool: "a truth value"
        case .number: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }
}
