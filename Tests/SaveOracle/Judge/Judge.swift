/// Says whether a document is what the rules make of what was written: the model.
///
/// It knows of Hearth only what `MergeRules.md` and the design promise. A place that one side touched holds what that
/// side wrote; one that several touched follows its rule; what nobody touched is as it was.
package struct Judge {
    let rules: RuleTable
    /// The side whose file is looked at: `local` places and open choices are its own.
    let own: Int
    /// When a side wrote a place last.
    let time: (_ side: Int, _ place: Place) -> Int
    /// Whether the container at hand was removed by one side and edited by another: what a removed counter had may
    /// then count or not.
    var isBroughtBack = false
    /// The sides that removed a container around the place at hand, and wrote that container anew in a later save.
    var anew = Set<Int>()

    /// Sides of which only gains were taken: in which order is not known.
    var asked = Set<Int>()

    /// What the files held before. What a `limit` left out of a list then is still known, and shows once there is room;
    /// a counter that was below zero once may go there again.
    package var earlier: [JSON] = []

    package internal(set) var findings: [Finding] = []

    package init(rules: RuleTable, own: Int, time: @escaping (_ side: Int, _ place: Place) -> Int) {
        (self.rules, self.own, self.time) = (rules, own, time)
    }

    /// Looks at a whole document.
    ///
    /// - Parameters:
    ///   - base: What all sides began with.
    ///   - sides: What each side wrote in the end.
    ///   - found: What there is.
    package mutating func judge(base: JSON?, sides: [JSON?], found: JSON?) {
        judge(bases: sides.map { _ in base }, sides: sides, found: found)
    }

    /// The same where the sides began with what need not be alike: while a choice is open, each device shows its own
    /// value there, and only against that can be told what its game did. Everywhere else they are to be alike.
    ///
    /// - Parameter between: What each side wrote before its last save, in order; nothing where it saved once. What only
    ///   grows holds the best of it, and a container that a side removes comes back as it stood then.
    package mutating func judge(bases: [JSON?], sides: [JSON?], between: [[JSON?]]? = nil, found: JSON?) {
        precondition(bases.count == sides.count)
        let between = between ?? sides.map { _ in [] }
        visit(.root, Values(base: bases[own], bases: bases, sides: sides, between: between, found: found))
    }

    /// What stands at one place.
    struct Values {
        /// What the side whose file is looked at began with.
        var base: JSON?
        var bases: [JSON?]
        var sides: [JSON?]
        /// What each side wrote before its last save, in order.
        var between: [[JSON?]]
        var found: JSON?

        var touched: [Int] { sides.indices.filter { !same(sides[$0], bases[$0]) } }
        var present: [JSON] { ([base] + bases + sides).compactMap { $0 } }
        /// Whether an earlier save of a session had nothing there: then it begins anew.
        var wasGone: Bool { between.joined().contains { $0 == nil } }
        /// All that stood there since a save had nothing there.
        var ever: [JSON] {
            return (wasGone ? touched.compactMap { sides[$0] } : present)
                + between.flatMap { side in side.reversed().prefix { $0 != nil }.compactMap { $0 } }
        }

        /// What a side held before its last save.
        func former(_ side: Int) -> JSON? { between[side].last ?? bases[side] }

        func map(_ change: (JSON) -> JSON?) -> Values {
            Values(
                base: base.flatMap(change), bases: bases.map { $0.flatMap(change) },
                sides: sides.map { $0.flatMap(change) },
                between: between.map { side in side.map { $0.flatMap(change) } },
                found: found.flatMap(change))
        }
    }

    mutating func visit(_ place: Place, _ values: Values) {
        let rule = rules.rule(at: place)
        if rule.merge == .local {
            if !same(values.found, values.sides[own]) {
                note("local place moved", place, rule, values.sides[own], values)
            }
            return
        }
        let present = values.present
        guard !present.isEmpty else {
            // What an earlier save of the session held, and the last one lacks, a rule that only grows keeps.
            let isKept = rule.onlyGrows && values.ever.contains { same($0, values.found) }
            if values.found != nil, !isKept { note("invented", place, rule, nil, values) }
            return
        }
        if showsEditsAlone(place, values) { return }
        if rule.takesAll { return leaf(place, rule, values) }
        let (objects, arrays) = (present.count { $0.members != nil }, present.count { $0.elements != nil })
        if objects == present.count { return container(place, rule, values, .object) }
        guard arrays == present.count else {
            return objects + arrays == 0 ? leaf(place, rule, values) : mixed(place, rule, values)
        }
        switch rules.shape(at: place) {
        case .value: leaf(place, rule, values)
        case .elements: list(place, rule, values)
        case .indexed: container(place, rule, values, .indexed)
        case .keyed(let key): container(place, rule, values, .keyed(key))
        }
    }

    /// A leaf on one side and a container on the other: one of them, as it is.
    private mutating func mixed(_ place: Place, _ rule: Rule, _ values: Values) {
        let touched = values.touched
        if touched.count == 1, !rule.onlyGrows {
            expect(values.sides[touched[0]], place, rule, values, "one side only")
        } else if values.found == nil, values.sides.contains(where: { $0 == nil }) {
            return
        } else if !values.present.contains(where: { same($0, values.found, spelling: false) }) {
            note("neither side", place, rule, values.sides[own], values)
        }
    }

    // MARK: Findings

    /// Expects exactly a value; a mere respelling of what was there may or may not be taken.
    mutating func expect(_ value: JSON?, _ place: Place, _ rule: Rule, _ values: Values, _ kind: String) {
        if same(value, values.found) { return }
        if same(value, values.base, spelling: false), same(value, values.found, spelling: false) { return }
        note(same(value, values.found, spelling: false) ? "spelling" : kind, place, rule, value, values)
    }

    mutating func note(_ kind: String, _ place: Place, _ rule: Rule, _ expected: JSON?, _ values: Values) {
        note(kind, place, rule, expected.map { $0.text(.spaced) } ?? "nothing", values)
    }

    mutating func note(_ kind: String, _ place: Place, _ rule: Rule, _ expected: String, _ values: Values) {
        findings.append(
            Finding(
                values.touched.count < 2 ? .oneWriter : .manyWriters,
                kind,
                rule: rule.yaml,
                place: "\(place)",
                expected: expected,
                found: values.found.map { $0.text(.spaced) } ?? "nothing"
            )
        )
    }
}
