/// A place in a document.
package struct Place: Sendable, CustomStringConvertible {
    package enum Step: Sendable, Equatable {
        case member(String)
        case index(Int)
        /// An element of an array by a key: the member, and the identity of its value.
        case element(String, String)
    }

    package var steps: [Step] = []

    package init(steps: [Step] = []) { self.steps = steps }

    package static let root = Place()

    package func appending(_ step: Step) -> Place {
        var longer = self
        longer.steps.append(step)
        return longer
    }

    package var description: String {
        steps.map { step in
            switch step {
            case .member(let name): "/" + name.replacing("~", with: "~0").replacing("/", with: "~1")
            case .index(let index): "/\(index)"
            case .element(let key, let value): "[\(key)=\(value)]"
            }
        }.joined()
    }
}

/// The left side of a rule: the places it stands for.
package struct Pattern: Sendable, Equatable {
    package enum Step: Sendable, Equatable {
        case name(String)
        /// `*`
        case any
        /// `**`
        case deep
        /// `[key]`
        case keyed(String)
    }

    package var steps: [Step]

    package init(_ steps: [Step]) { self.steps = steps }

    package var text: String {
        steps.map { step in
            switch step {
            case .name(let name): "/" + name.replacing("~", with: "~0").replacing("/", with: "~1")
            case .any: "/*"
            case .deep: "/**"
            case .keyed(let key): "[\(key)]"
            }
        }.joined()
    }

    package func matches(_ place: Place) -> Bool { Self.matches(steps[...], place.steps[...]) }

    private static func matches(_ pattern: ArraySlice<Step>, _ place: ArraySlice<Place.Step>) -> Bool {
        guard let first = pattern.first else { return place.isEmpty }
        if first == .deep {
            return (place.startIndex...place.endIndex).contains { matches(pattern.dropFirst(), place[$0...]) }
        }
        guard let step = place.first, matches(first, step) else { return false }
        return matches(pattern.dropFirst(), place.dropFirst())
    }

    private static func matches(_ pattern: Step, _ step: Place.Step) -> Bool {
        switch (pattern, step) {
        case (.name(let name), .member(let member)): name == member
        case (.name(let name), .index(let index)): name == String(index)
        case (.any, .member), (.any, .index): true
        case (.keyed(let key), .element(let member, _)): key == member
        default: false
        }
    }

    /// The steps that may come next below a place, where the pattern goes on there.
    fileprivate func next(below place: Place) -> [Step] {
        steps.indices.compactMap { index in
            Self.matches(steps[..<index], place.steps[...]) ? steps[index] : nil
        }
    }

    /// More names, then more keys, then more `*`, then fewer `**`.
    fileprivate var rank: [Int] {
        var rank = [0, 0, 0, 0]
        for step in steps {
            switch step {
            case .name: rank[0] += 1
            case .keyed: rank[1] += 1
            case .any: rank[2] += 1
            case .deep: rank[3] -= 1
            }
        }
        return rank
    }
}

/// The rules of a profile.
package struct RuleTable: Sendable {
    package var rules: [(pattern: Pattern, rule: Rule)]
    /// The members of the document that can be started over, by the name of the scope.
    package var resets: [(name: String, members: [String])] = []

    /// The member of the document by which a game asks for a reset. It is local without a rule.
    package var resetAt: String?

    package init(_ rules: [(pattern: Pattern, rule: Rule)] = []) { self.rules = rules }

    /// The rule file.
    package var yaml: String {
        var text = "rules:\n" + rules.map { "  \"\($0.pattern.text)\": \($0.rule.yaml)\n" }.joined()
        if let resetAt { text += "resetAt: /\(resetAt)\n" }
        if !resets.isEmpty { text += "resets:\n" }
        for (name, members) in resets {
            text += "  \(name): [\(members.map { "\"\(Pattern([.name($0)]).text)\"" }.joined(separator: ", "))]\n"
        }
        return text
    }

    /// The rule of a place: of the most specific pattern that stands for it.
    package func rule(at place: Place) -> Rule {
        if let resetAt, place.steps == [.member(resetAt)] { return Rule(.local) }
        let matching = rules.filter { $0.pattern.matches(place) }
        return matching.max { $0.pattern.rank.lexicographicallyPrecedes($1.pattern.rank) }?.rule ?? .standard
    }

    /// How an array is taken apart.
    package enum Shape: Equatable { case value, elements, indexed, keyed(String) }

    package func shape(at place: Place) -> Shape {
        let rule = rule(at: place)
        if rule.takesAll { return .value }
        if rule.merge == .union || rule.merge == .set { return .elements }
        var shape = Shape.value
        for (pattern, _) in rules {
            for step in pattern.next(below: place) {
                switch step {
                case .keyed(let key): return .keyed(key)
                case .any: shape = .indexed
                case .name(let name) where Int(name) != nil: shape = .indexed
                default: break
                }
            }
        }
        return shape
    }
}

extension RuleTable {
    /// Whether no list of the document has an element twice or without its key.
    package func canHold(_ value: JSON, at place: Place = .root) -> Bool {
        if rule(at: place).takesAll { return true }
        if let members = value.members {
            return members.allSatisfy { canHold($0.value, at: place.appending(.member($0.name))) }
        }
        guard let elements = value.elements else { return true }
        switch shape(at: place) {
        case .value: return true
        case .elements: return Set(elements.map(\.identity)).count == elements.count
        case .indexed:
            return elements.enumerated().allSatisfy { canHold($1, at: place.appending(.index($0))) }
        case .keyed(let key):
            let ids = elements.compactMap { $0[key]?.identity }
            return ids.count == elements.count && Set(ids).count == ids.count
                && zip(elements, ids).allSatisfy { canHold($0, at: place.appending(.element(key, $1))) }
        }
    }
}
