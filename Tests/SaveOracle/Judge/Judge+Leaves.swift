/// Places that are one value.
extension Judge {
    mutating func leaf(_ place: Place, _ rule: Rule, _ values: Values) {
        let touched = values.touched
        if rule.merge == .choice, values.bases.contains(where: { !same($0, values.base) }) {
            return openChoice(place, rule, values)
        }
        if rule.merge == .choice, wroteAgain(values) {
            return choice(place, rule, values, among: values.sides.indices.filter { wrote($0, values) })
        }
        // What an earlier save of the session raised stays, where the last one lowered it to what it was.
        let wasRaised = rule.onlyGrows && values.between.joined().contains { rule.isLowered(from: $0, to: values.base) }
        if touched.isEmpty, !wasRaised { return expect(values.base, place, rule, values, "untouched") }
        if values.present.contains(where: { !rule.canRead($0) }) { return }
        if touched.count == 1 {
            let value = values.sides[touched[0]]
            if value == nil, wasEdited(values, but: touched[0]), isBack(place, rule, values) { return }
            // "Nothing yet" and nothing at all are one.
            if rule.onlyGrows, value == nil, values.found == nil, values.base.map(rule.isNone) ?? true { return }
            let former = [values.base] + values.between[touched[0]]
            guard rule.onlyGrows, former.contains(where: { rule.isLowered(from: $0, to: value) }) else {
                return expect(value, place, rule, values, "one side only")
            }
        }
        switch rule.merge {
        case .max, .min: extreme(place, rule, values)
        case .counter: counter(place, rule, values)
        case .flag: flag(place, rule, values)
        case .union: bits(place, rule, values)
        case .latest, .set: latest(place, rule, values, among: touched)
        case .furthest: furthest(place, rule, values)
        case .choice: choice(place, rule, values, among: touched)
        case .local: break
        }
    }

    /// Whether another side changed a place in an earlier save, and set it back to what it was in its last one.
    func wasEdited(_ values: Values, but remover: Int) -> Bool {
        values.sides.indices.contains { side in
            side != remover && values.between[side].contains { !same($0, values.base) }
        }
    }

    /// Whether what one side removed and another one edited is back, with nothing that either of them added.
    private func isBack(_ place: Place, _ rule: Rule, _ values: Values) -> Bool {
        if same(values.found, values.base, spelling: false) { return true }
        return rule.merge == .counter && values.found.flatMap { rule.number($0) }?.isZero == true
    }

    private mutating func extreme(_ place: Place, _ rule: Rule, _ values: Values) {
        let real = values.ever.filter { !rule.isNone($0) && rule.canRead($0) }
        if real.isEmpty, values.found == nil, values.touched.contains(where: { values.sides[$0] == nil }) { return }
        let candidates = real.isEmpty ? values.present : real
        guard let first = candidates.first else { return }
        let best = candidates.reduce(first) { rule.compare($1, $0) == rule.better ? $1 : $0 }
        guard let found = values.found, candidates.contains(where: { $0.isSame(as: found) }),
            real.isEmpty || rule.compare(found, best) == 0
        else { return note("value of the rule", place, rule, best, values) }
    }

    private mutating func counter(_ place: Place, _ rule: Rule, _ values: Values) {
        func amount(_ value: JSON?) -> ExactNumber { value.flatMap { rule.number($0) } ?? .zero }
        let touched = values.touched
        let start = amount(values.base)
        if touched.allSatisfy({ values.sides[$0] == nil }) {
            if values.found != nil { note("removed, and back", place, rule, nil, values) }
            return
        }
        let sum = touched.reduce(start) { $0 + (amount(values.sides[$1]) - start) }
        var allowed = [sum.isBelowZero ? .zero : sum]
        // Below zero by itself, a counter is what it is; only spending twice is stopped at zero.
        let before = earlier.map { $0.at(place) }
        if (values.present + before).contains(where: { amount($0).isBelowZero }) { allowed.append(sum) }
        if isBroughtBack || touched.contains(where: { values.sides[$0] == nil }) {
            let kept = touched.filter { values.sides[$0] != nil }
            allowed.append(kept.reduce(start) { $0 + (amount(values.sides[$1]) - start) })
            allowed.append(kept.reduce(.zero) { $0 + (amount(values.sides[$1]) - start) })
        }
        guard let found = values.found, rule.canRead(found), allowed.contains(amount(found)) else {
            if values.found == nil, allowed.contains(.zero), values.sides.contains(where: { $0 == nil }) { return }
            return note("sum of a counter", place, rule, allowed.map(\.description).joined(separator: " or "), values)
        }
        if case .string = found, !values.present.contains(where: { if case .string = $0 { true } else { false } }) {
            note("a number became a text", place, rule, "\(sum)", values)
        } else if case .number = found, values.present.allSatisfy({ if case .string = $0 { true } else { false } }) {
            note("a text became a number", place, rule, "\"\(sum)\"", values)
        }
    }

    private mutating func flag(_ place: Place, _ rule: Rule, _ values: Values) {
        let isSet = values.ever.contains { if case .bool(true) = $0 { true } else { false } }
        if !same(values.found, .bool(isSet)) { note("value of the rule", place, rule, JSON.bool(isSet), values) }
    }

    private mutating func bits(_ place: Place, _ rule: Rule, _ values: Values) {
        let all = values.ever.reduce(UInt64(0)) { $0 | (rule.bits($1) ?? 0) }
        guard let found = values.found, rule.bits(found) == all else {
            return note("value of the rule", place, rule, JSON.number(String(all)), values)
        }
    }

    /// The last writer, or those that wrote last at one time.
    private mutating func latest(_ place: Place, _ rule: Rule, _ values: Values, among sides: [Int]) {
        let last = sides.map { time($0, place) }.max() ?? 0
        let winners = sides.filter { time($0, place) == last }
        if winners.contains(where: { same(values.sides[$0], values.found) }) { return }
        let winner = values.sides[winners[0]]
        if same(winner, values.base, spelling: false), same(winner, values.found, spelling: false) { return }
        note("last writer", place, rule, winner, values)
    }

    private mutating func furthest(_ place: Place, _ rule: Rule, _ values: Values) {
        let there = values.touched.filter { values.sides[$0] != nil }
        guard !there.isEmpty else { return expect(nil, place, rule, values, "removed, and back") }
        func isFurther(_ one: JSON, _ two: JSON) -> Int {
            for name in rule.by {
                let (first, second) = (one[name], two[name])
                guard let first, let second else { return 0 }
                let order = rule.compare(first, second)
                if order != 0 { return order }
            }
            return 0
        }
        // A side that does not say how far it got is no further and no less far.
        if there.contains(where: { side in rule.by.contains { values.sides[side]?[$0] == nil } }) {
            if !there.contains(where: { same(values.sides[$0], values.found) }) {
                note("neither side", place, rule, values.sides[there[0]], values)
            }
            return
        }
        let best = there.filter { side in there.allSatisfy { isFurther(values.sides[side]!, values.sides[$0]!) >= 0 } }
        latest(place, rule, values, among: best.isEmpty ? there : best)
    }

    /// Whether a side wrote another value, in its last save or before it.
    private func wrote(_ side: Int, _ values: Values) -> Bool {
        ([values.sides[side]] + values.between[side]).contains { !same($0, values.bases[side]) }
    }

    /// Whether a side wrote another value, and then the one it had begun with: that one is its own then, beside what
    /// another side wrote.
    private func wroteAgain(_ values: Values) -> Bool {
        let touched = values.touched
        return !touched.isEmpty && values.sides.indices.contains { !touched.contains($0) && wrote($0, values) }
    }

    /// - Parameter writers: The sides that wrote something there.
    private mutating func choice(_ place: Place, _ rule: Rule, _ values: Values, among writers: [Int]) {
        let there = writers.filter { values.sides[$0] != nil }
        if there.isEmpty { return expect(nil, place, rule, values, "removed, and back") }
        if there.contains(own) { return expect(values.sides[own], place, rule, values, "own candidate") }
        if !there.contains(where: { same(values.sides[$0], values.found) }) {
            note("own candidate", place, rule, values.sides[there[0]], values)
        }
    }

    /// A choice that is open, seen by what the devices show: whoever wrote shows what it wrote; the others keep their
    /// own value, unless a writer had read the same and stands in its place.
    private mutating func openChoice(_ place: Place, _ rule: Rule, _ values: Values) {
        let touched = values.touched
        if touched.contains(own) {
            // A removal replaces what its game saw, and no value of another.
            let others = (values.sides + values.bases).compactMap { $0 }
            if values.sides[own] == nil, others.contains(where: { same($0, values.found) }) { return }
            return expect(values.sides[own], place, rule, values, "own candidate")
        }
        // Who wrote the other's value had decided for it, and then replaces it, be it with its own former one.
        let replacing = values.sides.indices.filter { side in
            wrote(side, values)
                && ([values.bases[side], values.former(side)] + values.between[side]).contains { same($0, values.base) }
        }
        guard !replacing.isEmpty else { return expect(values.base, place, rule, values, "own candidate") }
        if same(values.base, values.found) { return }
        if !(values.sides + values.bases).contains(where: { same($0, values.found) }) {
            note("own candidate", place, rule, values.sides[replacing[0]], values)
        }
    }
}
