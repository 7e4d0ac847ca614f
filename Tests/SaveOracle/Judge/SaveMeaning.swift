/// What one save means beside the one it came from: play, or perhaps something that got lost.
package struct SaveMeaning {
    /// Places that gained what only play gives.
    package private(set) var gained = 0
    /// Grow-only places that lost, and removed elements that held some.
    package private(set) var lost = 0
    /// Leaves of the base, and how many of them are gone or empty.
    private var (leaves, emptied) = (0, 0)
    private let rules: RuleTable

    package init(from base: JSON?, to side: JSON?, rules: RuleTable) {
        self.rules = rules
        visit(.root, base, side)
    }

    /// Whether Hearth may ask the player about the save.
    package var mayBeAsked: Bool { lost > 0 || emptied * 2 >= max(1, leaves) }

    private mutating func visit(_ place: Place, _ base: JSON?, _ side: JSON?) {
        let rule = rules.rule(at: place)
        if rule.merge == .local { return }
        let shape = rules.shape(at: place)
        let isLeaf = rule.takesAll || [base, side].contains { $0.map { !$0.isContainer } ?? false }
        if isLeaf || shape == .elements || (shape == .value && (base ?? side)?.elements != nil) {
            return leaf(rule, base, side)
        }
        if base == nil, side != nil { gained += 1 }
        switch (base ?? side, shape) {
        case (.object, _):
            let names = ((base?.members ?? []) + (side?.members ?? [])).map(\.name)
            for name in names.reduce(into: [String](), { if !$0.contains($1) { $0.append($1) } }) {
                visit(place.appending(.member(name)), base?[name], side?[name])
            }
        case (.array, .keyed(let key)):
            let all = (base?.elements ?? []) + (side?.elements ?? [])
            for id in all.compactMap({ $0[key]?.identity }).reduce(
                into: [String](),
                { if !$0.contains($1) { $0.append($1) } }
            ) {
                visit(
                    place.appending(.element(key, id)),
                    base?.elements?.first { $0[key]?.identity == id },
                    side?.elements?.first { $0[key]?.identity == id }
                )
            }
        case (.array, _):
            let (old, new) = (base?.elements ?? [], side?.elements ?? [])
            for index in 0..<max(old.count, new.count) {
                visit(
                    place.appending(.index(index)),
                    index < old.count ? old[index] : nil,
                    index < new.count ? new[index] : nil
                )
            }
        default: break
        }
    }

    private mutating func leaf(_ rule: Rule, _ base: JSON?, _ side: JSON?) {
        if let base {
            leaves += 1
            if !base.isEmpty, side?.isEmpty ?? true { emptied += 1 }
        }
        if rule.onlyGrows, rule.isLowered(from: base, to: side) { lost += 1 } else if !same(base, side) { gained += 1 }
    }
}
