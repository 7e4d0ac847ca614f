/// Lists whose elements are told apart by what they are (`union`, `set`), and the order of every list.
extension Judge {
    mutating func list(_ place: Place, _ rule: Rule, _ values: Values) {
        let touched = values.touched
        func ids(_ value: JSON?) -> [String] { (value?.elements ?? []).map(\.identity) }
        let base = ids(values.base)
        let sides = values.sides.map(ids)
        if rule.merge == .set, touched.allSatisfy({ values.sides[$0] == nil }), !touched.isEmpty {
            if let found = values.found, !ids(found).isEmpty { note("removed, and back", place, rule, nil, values) }
            return
        }
        let removed =
            rule.merge == .union
            ? [] : Set(base.filter { id in touched.contains { !sides[$0].contains(id) } })
        var expected: [String] = []
        let once = rule.merge == .union ? values.ever.flatMap(ids) : []
        let before = values.wasGone ? touched.flatMap { sides[$0] } : base + sides.flatMap { $0 }
        for id in before + once where !removed.contains(id) && !expected.contains(id) {
            expected.append(id)
        }
        let leftOut = rule.limit == nil ? [] : earlier.compactMap { $0.at(place) }
        let known = Set(expected + leftOut.flatMap(ids).filter { !removed.contains($0) })
        guard let found = values.found?.elements else {
            // A set of which nothing is left and that one side removed may be gone.
            if expected.isEmpty, values.sides.contains(where: { $0 == nil }) { return }
            return note("list gone", place, rule, "[" + expected.joined(separator: ", ") + "]", values)
        }
        let foundIDs = found.map(\.identity)
        if let sort = rule.sort {
            return sorted(place, rule, values, expected: expected, known: known, found: found, by: sort)
        }
        if let limit = rule.limit, known.count > limit, expected.count > limit || Set(foundIDs) != Set(expected) {
            // Which ones a limit shows is the largest by its own order; that it shows so many, and no others.
            if foundIDs.count == limit, Set(foundIDs).count == limit, Set(foundIDs).isSubset(of: known) { return }
            return note("limited list", place, rule, "\(limit) of [" + expected.joined(separator: ", ") + "]", values)
        }
        guard Set(foundIDs) == Set(expected), foundIDs.count == expected.count else {
            return note("elements of a list", place, rule, "[" + expected.joined(separator: ", ") + "]", values)
        }
        let written = values.ever.flatMap { $0.elements ?? [] }
        for element in found where !written.contains(where: { same($0, element) }) {
            note("spelling of an element", place, rule, "as it was written", values)
        }
        order(place, rule, values, base: base, sides: sides, found: foundIDs, ids: ids)
    }

    private mutating func sorted(
        _ place: Place,
        _ rule: Rule,
        _ values: Values,
        expected: [String],
        known: Set<String>,
        found: [JSON],
        by sort: String
    ) {
        let all = values.ever.flatMap { $0.elements ?? [] }
        func key(_ element: JSON) -> ExactNumber {
            if case .number(let text)? = element[sort] { ExactNumber(text) ?? .zero } else { .zero }
        }
        var elements = expected.compactMap { id in all.first { $0.identity == id } }
        elements.sort { key($0) > key($1) }
        let shown = elements.prefix(rule.limit ?? .max)
        let (keys, ids) = (found.map(key), Set(found.map(\.identity)))
        if keys == shown.map(key), ids.isSubset(of: Set(expected)) { return }
        // Where the limit has room again, the list is filled with what the limit left out before. Nothing of what is
        // expected is missing then, unless larger elements took all the room.
        let isFilledUp =
            found.count <= rule.limit ?? 0 && ids.count == found.count && keys == keys.sorted(by: >)
            && ids.isSubset(of: known)
            && shown.allSatisfy { element in
                ids.contains(element.identity) || found.count == rule.limit && keys.allSatisfy { $0 >= key(element) }
            }
        if !isFilledUp { note("sorted list", place, rule, JSON.array(Array(shown)), values) }
    }

    // MARK: Order

    /// One writer's order stands as it is, and what several arranged stands as ``Arrangement`` says. Of a side of which
    /// only gains were taken the order is not known.
    mutating func order(
        _ place: Place,
        _ rule: Rule,
        _ values: Values,
        base: [String],
        sides: [[String]],
        found: [String],
        ids: (JSON?) -> [String]
    ) {
        let touched = values.touched.filter { !asked.contains($0) }
        let wanted = touched.isEmpty ? base : sides[touched[0]]
        if touched.count < 2, asked.isEmpty {
            // What a rule put back has no place of its own.
            let kept = found.filter(wanted.contains)
            if kept != wanted.filter(found.contains) {
                note("order", place, rule, "the order [" + wanted.joined(separator: ", ") + "]", values)
            }
            return
        }
        // The base is one that moved nothing.
        func arrangements(_ touched: [Int]) -> [(arrangement: Arrangement, time: Int)] {
            [(arrangement: Arrangement(base, from: base), time: Int.min)]
                + touched.map { (arrangement: Arrangement(sides[$0], from: base), time: time($0, place)) }
        }
        if Arrangement.canBe(found, arrangements(touched)) { return }
        // What a side arranged in an earlier save of its session and then removed comes back where it had put it.
        let longer = sides.indices.map { side in
            values.between[side].map(ids).last { earlier in
                let last = Set(sides[side])
                return last.isSubset(of: earlier) && earlier.filter(last.contains) == sides[side]
            } ?? sides[side]
        }
        let earlier = touched.map { (arrangement: Arrangement(longer[$0], from: base), time: time($0, place)) }
        let still = [(arrangement: Arrangement(base, from: base), time: Int.min)]
        if longer != sides, Arrangement.canBe(found, still + earlier) { return }
        // Each save of a session moved what it moved: that may be more than the last one shows beside the base.
        let stepwise = touched.compactMap { side in
            Arrangement(saves: values.between[side].map(ids) + [sides[side]], from: base)
                .map { (arrangement: $0, time: time(side, place)) }
        }
        let isSession = touched.contains { !values.between[$0].isEmpty }
        if isSession, stepwise.count == touched.count, Arrangement.canBe(found, still + stepwise) { return }
        // A list that was not there is a gain, with the order in it.
        if base.isEmpty, Arrangement.canBe(found, arrangements(values.touched)) { return }
        let wishes = touched.map { "[" + sides[$0].joined(separator: ", ") + "]" }.joined(separator: " and ")
        note("order", place, rule, "the orders \(wishes) of what was [\(base.joined(separator: ", "))]", values)
    }
}

extension RuleTable {
    /// A document whose lists under `sort` stand as that rule has them: of equal elements the one whose text comes first.
    func withTiesArranged(_ document: JSON, at place: Place = .root) -> JSON {
        let rule = rule(at: place)
        if rule.takesAll { return document }
        if let members = document.members {
            return .object(
                members.map { .init($0.name, withTiesArranged($0.value, at: place.appending(.member($0.name)))) })
        }
        guard let elements = document.elements else { return document }
        let shape = shape(at: place)
        if shape == .elements { return rule.sort == nil ? document : .array(elements.sorted(by: rule.shows)) }
        if shape == .value { return document }
        return .array(
            zip(document.steps(shape), elements).map { withTiesArranged($1, at: place.appending($0)) })
    }
}
