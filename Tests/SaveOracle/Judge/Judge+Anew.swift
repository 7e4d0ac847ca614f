/// What is in a container that a side removed in one save and wrote anew in a later one.
///
/// What it had read is gone for good then, as the design says of a removal that is final. Beside what it wrote anew
/// stands all that others wrote there apart, and nothing else of what there was.
extension Judge {
    /// The sides that removed the container at hand and wrote it anew.
    func writersAnew(_ values: Values) -> [Int] {
        values.sides.indices.filter { side in
            values.bases[side] != nil && values.sides[side] != nil && values.between[side].contains { $0 == nil }
        }
    }

    /// Whether a place that went with a container around it, which was then written anew without it, holds exactly what
    /// others wrote in it.
    func showsEditsAlone(_ place: Place, _ values: Values) -> Bool {
        let removers = values.touched.filter { values.sides[$0] == nil }
        guard removers.contains(where: anew.contains),
            removers.allSatisfy({ side in values.between[side].allSatisfy { $0 == nil } })
        else { return false }
        func written(_ side: Int, _ value: JSON?) -> JSON? {
            value.flatMap { self.written($0, since: values.bases[side], at: place) }
        }
        var alone = values
        (alone.base, alone.bases) = (nil, values.bases.map { _ in nil })
        alone.sides = values.sides.enumerated().map { written($0.offset, $0.element) }
        alone.between = values.between.enumerated().map { side in side.element.map { written(side.offset, $0) } }
        var judge = self
        (judge.anew, judge.findings) = ([], [])
        judge.visit(place, alone)
        return judge.findings.allSatisfy { $0.kind == "spelling" }
    }

    /// What a side wrote at a place that was not there before; nothing where it did nothing there.
    private func written(_ side: JSON, since base: JSON?, at place: Place) -> JSON? {
        let (rule, shape) = (rules.rule(at: place), rules.shape(at: place))
        guard let base, rule.merge != .local else { return side }
        guard isEdit(side, of: base, at: place) else { return nil }
        if rule.takesAll { return side }
        if let members = side.members, base.members != nil {
            return .object(
                members.compactMap { member in
                    written(member.value, since: base[member.name], at: place.appending(.member(member.name)))
                        .map { .init(member.name, $0) }
                })
        }
        if rule.reading == .bits, let old = rule.bits(base), let new = rule.bits(side) {
            return .number(String(new & ~old))
        }
        guard let elements = side.elements, let former = base.elements else { return side }
        switch shape {
        case .value, .indexed: return side
        case .elements:
            let known = Set(former.map(\.identity))
            return .array(elements.filter { !known.contains($0.identity) })
        case .keyed(let key):
            return .array(
                zip(elements, side.steps(shape)).compactMap { element, step in
                    written(element, since: base.at(step), at: place.appending(step))?.setting(key, to: element[key])
                })
        }
    }
}
