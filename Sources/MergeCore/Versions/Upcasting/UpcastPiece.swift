import LosslessJSON

/// One atom on its way through the steps of an upcast.
struct UpcastPiece {
    var path: [PathStep]
    var kind: AtomKind
    var sub: [UInt8]
    var atom: Atom

    var keyed: KeyedAtom { KeyedAtom(AtomKey(DocumentPath(path), kind, sub: sub), atom) }

    /// The relation of a piece's place to the places of a pattern.
    enum Relation {
        case apart
        /// At one of the places or inside it.
        case within
        /// One of the places may lie inside the piece's value, at these steps below it.
        case above([RulePattern.Step])
    }

    func relation(to steps: [RulePattern.Step]) -> Relation {
        guard zip(steps, path).allSatisfy({ $0.matches($1) }) else { return .apart }
        return path.count >= steps.count ? .within : .above(Array(steps[path.count...]))
    }

    // MARK: Steps

    func taking(_ step: MigrationStep) -> [UpcastPiece] {
        switch step {
        case .compensate, .require: [self]
        case .rename(let pattern, let name): renamed(pattern.steps, name)
        case .move(let source, let target): moved(source, target, keeping: false)
        case .copy(let source, let target): moved(source, target, keeping: true)
        case .remove(let pattern):
            switch relation(to: pattern.steps) {
            case .apart: [self]
            case .within: []
            case .above(let rest): inside(rest) { .remove($0) }
            }
        case .fill(let pattern, let value):
            if case .above(let rest) = relation(to: pattern.steps) {
                inside(rest) { .fill($0, value: value) }
            } else {
                [self]
            }
        case .map(let pattern, let pairs) where kind != .removal:
            switch relation(to: pattern.steps) {
            case .apart: [self]
            case .within: path.count == pattern.steps.count ? mapped(pairs) : [self]
            case .above(let rest): inside(rest) { .map($0, pairs) }
            }
        case .map: [self]
        case .wrap(let pattern, let name): wrapped(pattern.steps, name)
        case .split(let pattern, let separator, let names, let asNumbers):
            split(pattern.steps, separator, names, asNumbers)
        }
    }

    private func renamed(_ steps: [RulePattern.Step], _ name: JSONString) -> [UpcastPiece] {
        switch relation(to: steps) {
        case .apart: return [self]
        case .above(let rest): return inside(rest) { .rename($0, to: name) }
        case .within:
            guard case .member = path[steps.count - 1] else { return [self] }
            var piece = self
            piece.path[steps.count - 1] = .member(name)
            return [piece]
        }
    }

    private func moved(_ source: JSONPointer, _ target: JSONPointer, keeping: Bool) -> [UpcastPiece] {
        let steps = RulePattern(literally: source).steps
        switch relation(to: steps) {
        case .apart: return [self]
        case .within:
            var piece = self
            piece.path = target.tokens.map(PathStep.member) + path[steps.count...]
            return keeping ? [self, piece] : [piece]
        case .above(let rest):
            let inner = JSONPointer(tokens: Array(source.tokens[path.count...]))
            if case .above = relation(to: RulePattern(literally: target).steps) {
                let end = JSONPointer(tokens: Array(target.tokens[path.count...]))
                return inside(rest) { _ in keeping ? .copy(inner, to: end) : .move(inner, to: end) }
            }
            // The member leaves a whole value and gets a place of its own. If the value has no such member, the new
            // place gets a tombstone.
            guard var piece = changing({ $0.flatMap { inner.value(in: $0) } }) else { return [self] }
            piece.path = target.tokens.map(PathStep.member)
            return (keeping ? [self] : inside(rest) { .remove($0) }) + [piece]
        }
    }

    private func wrapped(_ steps: [RulePattern.Step], _ name: JSONString) -> [UpcastPiece] {
        switch relation(to: steps) {
        case .apart: return [self]
        case .above(let rest): return inside(rest) { .wrap($0, as: name) }
        case .within:
            // A wrapped element stays a member of its array, and a removal of it stays one.
            if kind == .element || kind == .removal, path.count == steps.count { return [self] }
            var piece = self
            piece.path.insert(.member(name), at: steps.count)
            return [piece]
        }
    }

    private func split(
        _ steps: [RulePattern.Step], _ separator: JSONString?, _ names: [JSONString], _ asNumbers: Bool
    ) -> [UpcastPiece] {
        switch relation(to: steps) {
        case .apart: return [self]
        case .above(let rest):
            return inside(rest) { .split($0, by: separator, into: names, asNumbers: asNumbers) }
        case .within:
            guard case .member = path[steps.count - 1] else { return [self] }
            var piece = self
            if path.count > steps.count {
                guard separator == nil, case .index(let index) = path[steps.count], index < names.count else {
                    return [self]
                }
                piece.path.remove(at: steps.count)
                piece.path[steps.count - 1] = .member(names[index])
                return [piece]
            }
            return names.indices.compactMap { index in
                var part = changing { value in
                    value.flatMap { $0.parts(separator, count: names.count, asNumbers: asNumbers) }?[index]
                }
                part?.path[steps.count - 1] = .member(names[index])
                return part
            }
        }
    }

    /// The piece with the version of the rules as its value, if its place is the one at which a save states its
    /// version.
    func saying(_ version: Upcaster.Version) -> UpcastPiece {
        guard path == version.path else { return self }
        return changing { $0.map(version.spelled) } ?? self
    }
}

extension RulePattern.Step {
    /// Whether a step of a migration's path matches a step of an atom's path. An index does not match an element that
    /// is named by its key.
    func matches(_ step: PathStep) -> Bool {
        switch (self, step) {
        case (.any, _), (.keyed, .element), (.keyed, .index): true
        case (.literal(let name), .member(let member)): name == member
        case (.literal(let name), .index(let index)): name.string == String(index)
        default: false
        }
    }
}

extension JSONPointer {
    /// The value at this place inside another value; `nil` where there is none.
    func value(in value: JSONValue) -> JSONValue? {
        var value = value
        for token in tokens {
            switch value {
            case .object:
                guard let next = value[token] else { return nil }
                value = next
            case .array(let elements):
                guard let index = Int(token.string), elements.indices.contains(index) else { return nil }
                value = elements[index]
            default: return nil
            }
        }
        return value
    }
}
