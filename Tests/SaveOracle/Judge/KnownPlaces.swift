/// Every place that ever stood in one of the files: what was there once and is gone does not return by itself. And of
/// every object, the members that it never was without.
package struct KnownPlaces {
    private var places: Set<String> = []
    private var members: [String: Set<String>] = [:]

    package init() {}

    package func contains(_ place: Place) -> Bool { places.contains("\(place)") }

    /// Whether an element of a list ever stood in it.
    package func contains(_ element: JSON, in place: Place) -> Bool { places.contains("\(place)#\(element.identity)") }

    /// The members that an object of a document lacks, though it never was without them: half an object, which no game
    /// wrote.
    package func halves(of document: JSON, rules: RuleTable) -> [Place] {
        func halves(_ value: JSON, _ place: Place) -> [Place] {
            let own = members["\(place)"]?.subtracting((value.members ?? []).map(\.name)) ?? []
            let lacking = value.members == nil ? [] : own.sorted().map { place.appending(.member($0)) }
            return lacking.filter { rules.rule(at: $0).merge != .local }
                + rules.parts(of: value, at: place).flatMap { halves($0.value, place.appending($0.step)) }
        }
        return halves(document, .root)
    }

    /// Remembers all places of a document.
    package mutating func add(_ document: JSON?, rules: RuleTable) {
        if let document { add(document, at: .root, rules) }
    }

    private mutating func add(_ value: JSON, at place: Place, _ rules: RuleTable) {
        places.insert("\(place)")
        guard !rules.rule(at: place).takesAll else { return }
        for (step, inner) in rules.parts(of: value, at: place) { add(inner, at: place.appending(step), rules) }
        if let names = value.members?.map(\.name) {
            members["\(place)"] = members["\(place)"]?.intersection(names) ?? Set(names)
        }
        guard rules.shape(at: place) == .elements else { return }
        for element in value.elements ?? [] { places.insert("\(place)#\(element.identity)") }
    }
}

extension RuleTable {
    /// What a container holds under names of its own; nothing for a value that is one with all in it.
    package func parts(of value: JSON, at place: Place) -> [(step: Place.Step, value: JSON)] {
        if rule(at: place).takesAll { return [] }
        if let members = value.members { return members.map { (.member($0.name), $0.value) } }
        guard let elements = value.elements else { return [] }
        switch shape(at: place) {
        case .value, .elements: return []
        case .indexed: return elements.enumerated().map { (.index($0.offset), $0.element) }
        case .keyed(let key): return elements.compactMap { one in one[key].map { (.element(key, $0.identity), one) } }
        }
    }

    /// The document without places of a device's own, and with lists whose elements have names in one order: what makes
    /// a step of a history.
    package func essence(of document: JSON, at place: Place = .root, withChoices: Bool = true) -> JSON? {
        let rule = rule(at: place)
        if rule.merge == .local || rule.merge == .choice && !withChoices { return nil }
        if rule.takesAll { return document }
        if let members = document.members {
            return .object(
                members.compactMap { member in
                    let inner = place.appending(.member(member.name))
                    return essence(of: member.value, at: inner, withChoices: withChoices)
                        .map { .init(member.name, $0) }
                })
        }
        guard let elements = document.elements else { return document }
        switch shape(at: place) {
        case .value: return document
        case .elements: return .array(elements.sorted { $0.identity < $1.identity })
        case .indexed, .keyed:
            let inner = parts(of: document, at: place).compactMap { part in
                essence(of: part.value, at: place.appending(part.step), withChoices: withChoices)
            }
            guard case .keyed(let key) = shape(at: place) else { return .array(inner) }
            return .array(inner.sorted { ($0[key]?.identity ?? "") < ($1[key]?.identity ?? "") })
        }
    }

    /// The members in which a game played. An order alone is no play: where a list was turned round beside a reset,
    /// nothing was put aside.
    package func playedMembers(from base: JSON, to save: JSON) -> Set<String> {
        let (former, played) = (essence(of: base), essence(of: save))
        let names = ((played?.members ?? []) + (former?.members ?? [])).map(\.name)
        return Set(names).filter { !same(former?[$0], played?[$0], spelling: false) }
    }
}
