import LosslessJSON

/// Places without their values: where the steps of an upcast take them, and where they came from.
extension Upcaster {
    /// The places at which the content of a former place may be now. At most ``limit``.
    func targets(of path: DocumentPath) -> [DocumentPath] {
        guard !path.isReserved, let steps = path.steps else { return [path] }
        // A register can go wherever any atom can go. Steps that change its value do not move it.
        let atom = Atom(
            .register(Stamp(rawValue: 0), JSONValue?.none),
            Dot(replica: ReplicaID(high: 0, low: 0), sequence: 1)
        )
        var pieces = [UpcastPiece(path: steps, kind: .latest, sub: [], atom: atom)]
        for step in self.steps { pieces = Array(pieces.flatMap { $0.taking(step) }.prefix(Self.limit)) }
        return pieces.map { DocumentPath($0.path) }
    }

    /// The former places whose content may be at this place now. At most ``limit``.
    func origins(of path: DocumentPath) -> [DocumentPath] {
        guard !path.isReserved, let start = path.steps else { return [path] }
        var paths = [start]
        for step in steps.reversed() {
            var seen = Set<[PathStep]>()
            let origins = paths.flatMap { Self.origins(of: $0, step) }
            paths = Array(origins.filter { seen.insert($0).inserted }.prefix(Self.limit))
        }
        return paths.map { DocumentPath($0) }
    }

    private static func origins(of path: [PathStep], _ step: MigrationStep) -> [[PathStep]] {
        switch step {
        case .fill, .map, .compensate, .require: return [path]
        case .remove(let pattern): return pattern.steps.match(path) ? [] : [path]
        case .rename(let pattern, let name):
            let last = pattern.steps.count - 1
            let stayed = pattern.lastName == name || !pattern.steps.match(path) ? [path] : []
            guard let own = pattern.lastName, path.count > last, path[last] == .member(name),
                pattern.container.steps.match(path)
            else { return stayed }
            var origin = path
            origin[last] = .member(own)
            return stayed + [origin]
        case .move(let source, let target), .copy(let source, let target):
            let (from, to) = (RulePattern(literally: source).steps, RulePattern(literally: target).steps)
            var origins: [[PathStep]] = []
            if case .copy = step { origins = [path] } else if !from.match(path) { origins = [path] }
            if to.match(path) { origins.append(source.tokens.map(PathStep.member) + path[to.count...]) }
            return origins
        case .wrap(let pattern, let name):
            let count = pattern.steps.count
            guard pattern.steps.match(path), path.count > count else { return [path] }
            guard path[count] == .member(name) else { return [] }
            var origin = path
            origin.remove(at: count)
            return [origin]
        case .split(let pattern, _, let names, _):
            let last = pattern.steps.count - 1
            guard let own = pattern.lastName, path.count > last, case .member(let name) = path[last],
                pattern.container.steps.match(path)
            else { return [path] }
            var origins = name == own && !names.contains(own) ? [] : [path]
            if let index = names.firstIndex(of: name) {
                let holder = path[..<last] + [.member(own)]
                origins += [Array(holder + path[(last + 1)...]), Array(holder + [.index(index)] + path[(last + 1)...])]
            }
            return origins
        }
    }
}

extension [RulePattern.Step] {
    /// Whether a path matches the pattern's steps, or lies below a place that does.
    fileprivate func match(_ path: [PathStep]) -> Bool {
        path.count >= count && zip(self, path).allSatisfy { $0.matches($1) }
    }
}
