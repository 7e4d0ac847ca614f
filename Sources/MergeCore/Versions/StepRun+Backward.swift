import LosslessJSON

extension StepRun {
    /// Takes one step back. Returns how many places it changed.
    ///
    /// - Parameter known: The trace of what the step did on the way forward; `nil` if it is not known. Then a value
    ///   that a `default` added stays, because it may have been there before: a game ignores members that it does not
    ///   know.
    mutating func backward(_ step: MigrationStep, _ known: StepTrace?) throws(MigrationFault) -> Int {
        let foreign = known?.foreign ?? []
        switch step {
        case .rename(let pattern, let name):
            guard let old = pattern.lastName else { return 0 }
            return try rename(pattern.container.appending(name), old, besides: foreign)
        case .move(let source, let target):
            if foreign.contains(target) { return 0 }
            let count = try move(target, source, keeping: false)
            try prune(known, RulePattern(literally: target))
            return count
        case .copy(let source, let target):
            guard !foreign.contains(target), node(source) != nil, let node = node(target) else { return 0 }
            let count = try remove([StepPlace(pointer: target, node: node, parent: nil)])
            try prune(known, RulePattern(literally: target))
            return count
        case .remove, .require: return 0
        case .fill(let pattern, _):
            guard let known else { return 0 }
            let added = Set(known.added)
            let count = try remove(try places(pattern).filter { added.contains($0.pointer) })
            try prune(known, pattern)
            return count
        case .map(let pattern, let pairs):
            return try map(pattern, pairs.map { .init($0.new, $0.old) }, besides: foreign)
        case .wrap(let pattern, let name): return try unwrap(pattern, name)
        case .split(let pattern, let separator, let names, _):
            return try join(pattern, separator, names, besides: foreign)
        case .compensate(let place, let grant, _): return try takeBack(grant, place, known)
        }
    }

    private mutating func unwrap(_ pattern: RulePattern, _ name: JSONString) throws(MigrationFault) -> Int {
        var pieces: [(range: Range<Int>, text: [UInt8])] = []
        for place in try places(pattern) {
            guard let inner = document.member(place.node, named: name) else { continue }
            for (key, other) in document.members(place.node) where key != name {
                drop(place.pointer.appending(key), other)
            }
            pieces.append((document.range(place.node), Array(document.text(inner))))
        }
        try replace(pieces)
        return pieces.count
    }

    /// Joins the parts that ``forward(_:)`` split, where all of them exist.
    private mutating func join(
        _ pattern: RulePattern,
        _ separator: JSONString?,
        _ names: [JSONString],
        besides foreign: Set<JSONPointer>
    ) throws(MigrationFault) -> Int {
        guard let own = pattern.lastName, let first = names.first else { return 0 }
        var edits: [JSONEdit] = []
        var joined = Set<JSONPointer>()
        // A member with the first part's name belongs to the game if it is alone, or if it was there before.
        var others = Set<JSONPointer>()
        for holder in try places(pattern.container) {
            let nodes = names.compactMap { document.member(holder.node, named: $0) }
            let place = holder.pointer.appending(first)
            guard nodes.count == names.count, let head = nodes.first, !foreign.contains(place) else {
                others.insert(place)
                continue
            }
            edits.append(.replace(head, try whole(nodes, separator, place)))
            edits += nodes.dropFirst().map { .remove($0) }
            joined.insert(place)
        }
        try patch(edits)
        if own != first { _ = try rename(pattern.container.appending(first), own, besides: others) }
        return joined.count
    }

    private func whole(
        _ nodes: [JSONNode],
        _ separator: JSONString?,
        _ place: JSONPointer
    ) throws(MigrationFault) -> JSONValue {
        guard let separator else { return .array(nodes.map { document.value($0) }) }
        var bytes: [UInt8] = []
        for (index, node) in nodes.enumerated() {
            if index > 0 { bytes += separator.bytes }
            switch document.value(node) {
            case .string(let text): bytes += text.bytes
            case .number(let number): bytes += number.text.utf8
            default: throw MigrationFault("\"\(place)\" and what belongs to it cannot be joined to one text")
            }
        }
        guard let text = JSONString(validating: bytes) else {
            throw MigrationFault("\"\(place)\" and what belongs to it make no text together")
        }
        return .string(text)
    }

    /// Takes a grant back, but not below 0 if the player spent it.
    private mutating func takeBack(
        _ grant: JSONNumber,
        _ place: JSONPointer,
        _ known: StepTrace?
    ) throws(MigrationFault) -> Int {
        guard known?.granted ?? true, let node = node(place) else { return 0 }
        guard let number = decimal(node), let amount = grant.decimal else {
            throw MigrationFault("\"\(place)\" is no number, so nothing can be taken from it")
        }
        if number == amount, known?.added.contains(place) == true {
            let count = try remove([StepPlace(pointer: place, node: node, parent: nil)])
            try prune(known, RulePattern(literally: place))
            return count
        }
        let rest: ExactDecimal
        do { rest = try number.subtracting(amount) } catch { throw MigrationFault(error.description) }
        let value = rest.isNegative && !number.isNegative ? .zero : rest
        try patch([writing(value, over: node)], growth: value.text.utf8.count)
        return 1
    }

    /// Removes the objects that the step had made on the way to `pattern`, where they are empty now. O(document) for
    /// each step of the pattern that made any.
    private mutating func prune(_ known: StepTrace?, _ pattern: RulePattern) throws(MigrationFault) {
        guard let made = known.map({ Set($0.made) }), !made.isEmpty else { return }
        let depths = Set(made.map(\.tokens.count))
        for depth in pattern.steps.indices.reversed() where depths.contains(depth) {
            let empty = try places(RulePattern(steps: Array(pattern.steps[..<depth]))).filter {
                document.kind($0.node) == .object && document.count($0.node) == 0 && made.contains($0.pointer)
            }
            try patch(empty.map { .remove($0.node) })
        }
    }
}

extension RulePattern {
    /// The pattern with one more step, a name.
    func appending(_ name: JSONString) -> RulePattern { RulePattern(steps: steps + [.literal(name)]) }
}
