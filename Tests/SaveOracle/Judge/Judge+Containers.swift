/// Objects, arrays of objects by a key, and arrays by position.
extension Judge {
    enum Container { case object, indexed, keyed(String) }

    mutating func container(_ place: Place, _ rule: Rule, _ values: Values, _ kind: Container) {
        var values = values
        let touched = values.touched
        // Who added it and removed it again has removed it as well.
        let removers = values.sides.indices.filter { side in
            values.sides[side] == nil && (touched.contains(side) || values.between[side].contains { $0 != nil })
        }
        let editors = touched.filter { side in
            values.sides[side].map { isEdit($0, of: values.bases[side], at: place) } ?? false
        }
        let before = (isBroughtBack, anew)
        defer { (isBroughtBack, anew) = before }
        anew.formUnion(writersAnew(values))
        if !removers.isEmpty {
            guard !editors.isEmpty else {
                // What another side changed in an earlier save and set back in its last one may have brought it back.
                if removers.contains(where: { wasEdited(values, but: $0) }), same(values.found, values.base) { return }
                if values.found != nil { note("removed, and back", place, rule, nil, values) }
                return
            }
            if values.found == nil, mayBeGone(place, values, removers: removers, editors: editors) { return }
            // Whether another spelling of the same numbers is worth more than a removal, nothing says.
            let isRespelled = editors.allSatisfy {
                !isEdit(values.sides[$0]!, of: values.bases[$0], at: place, spelling: false)
            }
            if values.found == nil, isRespelled { return }
            // An edit is worth more than a removal, and brings the place back whole.
            for side in removers {
                // It may have been gone since an earlier save.
                while case .some(nil) = values.between[side].last { values.between[side].removeLast() }
                values.sides[side] = values.former(side) ?? values.bases[side]
            }
            isBroughtBack = true
        } else if touched.isEmpty, values.base == nil {
            return
        }
        guard let found = values.found, kind.holds(found) else {
            return note("container gone", place, rule, values.sides[editors.first ?? own] ?? values.base, values)
        }
        switch kind {
        case .object: object(place, values)
        case .indexed: indexed(place, rule, values)
        case .keyed(let key): keyed(place, rule, values, key)
        }
    }

    /// A removal that came after the edit may stand where only the last writer counts.
    private func mayBeGone(_ place: Place, _ values: Values, removers: [Int], editors: [Int]) -> Bool {
        let last = removers.map { time($0, place) }.max() ?? 0
        guard editors.allSatisfy({ time($0, place) <= last }) else { return false }
        return values.present.allSatisfy { isLatestOnly($0, place) }
    }

    private func isLatestOnly(_ value: JSON, _ place: Place) -> Bool {
        if case .element? = place.steps.last { return false }
        guard rules.rule(at: place).merge == .latest else { return false }
        if let members = value.members {
            return members.allSatisfy { isLatestOnly($0.value, place.appending(.member($0.name))) }
        }
        return (value.elements ?? []).enumerated().allSatisfy { isLatestOnly($1, place.appending(.index($0))) }
    }

    private mutating func object(_ place: Place, _ values: Values) {
        var names: [String] = []
        var seen = Set<String>()
        for value in values.present + [values.found].compactMap({ $0 }) {
            for member in value.members ?? [] where seen.insert(member.name).inserted { names.append(member.name) }
        }
        for name in names { visit(place.appending(.member(name)), values.map { $0[name] }) }
    }

    // MARK: By a key

    private mutating func keyed(_ place: Place, _ rule: Rule, _ values: Values, _ key: String) {
        func ids(_ value: JSON?) -> [String] { (value?.elements ?? []).map { $0[key]?.identity ?? "" } }
        var all: [String] = []
        var seen = Set<String>()
        for value in values.present + [values.found].compactMap({ $0 }) {
            for id in ids(value) where seen.insert(id).inserted { all.append(id) }
        }
        let found = ids(values.found)
        guard Set(found).count == found.count, !found.contains("") else {
            return note("elements without a key of their own", place, rule, "one of each", values)
        }
        for id in all {
            visit(
                place.appending(.element(key, id)),
                values.map { value in value.elements?.first { $0[key]?.identity == id } }
            )
        }
        order(place, rule, values, base: ids(values.base), sides: values.sides.map(ids), found: found, ids: ids)
    }

    // MARK: By position

    private mutating func indexed(_ place: Place, _ rule: Rule, _ values: Values) {
        func count(_ value: JSON?) -> Int { value?.elements?.count ?? 0 }
        let base = count(values.base)
        let counts = values.sides.map(count)
        let changed = counts.filter { $0 != base }
        let found = values.found?.elements ?? []
        // Where one side cut off what another changed, the array is as long as it takes.
        let longest = max(base, counts.max() ?? 0)
        let allowed: ClosedRange<Int>
        let isPutBack = rules.rule(at: place.appending(.index(base))).onlyGrows
        let once = values.between.flatMap { $0.map(count) }.reduce(base, max)
        let last = values.touched.first.map { counts[$0] } ?? base
        if values.touched.count < 2, isPutBack, last < once {
            // A grow-only value that vanishes alone is put back, also one that an earlier save of the session added.
            allowed = last...once
        } else if values.touched.count == 1 {
            allowed = counts[values.touched[0]]...counts[values.touched[0]]
        } else if changed.isEmpty {
            allowed = base...base
        } else if changed.allSatisfy({ $0 > base }) {
            allowed = longest...longest
        } else {
            allowed = (changed.min() ?? 0)...longest
        }
        guard allowed.contains(found.count) else {
            return note("length of an array by position", place, rule, "\(allowed) elements", values)
        }
        for index in found.indices {
            let at = values.map { value in
                value.elements.flatMap { index < $0.count ? $0[index] : nil }
            }
            let isCut = at.base != nil && at.sides.contains { $0 == nil }
            if !isCut {
                visit(place.appending(.index(index)), at)
            } else if !at.present.contains(where: { same($0, at.found, spelling: false) }), case .null? = at.found {
                note("invented", place.appending(.index(index)), rule, at.base, at)
            }
        }
    }
}

extension Judge.Container {
    func holds(_ value: JSON) -> Bool {
        switch self {
        case .object: value.members != nil
        case .indexed, .keyed: value.elements != nil
        }
    }
}
