public import LosslessJSON

extension RuleSet {
    /// The reset that a save asks for by the field the rules name (`resetAt`); `nil` for none.
    ///
    /// The field is edge-triggered: it asks when it gets a value (not null, false, 0, "" or empty) that differs from
    /// that in the snapshot the game had read. So a game need not clear it. The name of a scope asks for that scope.
    /// Any other value asks for every scope or, if the rules name none, for everything.
    public func resetAsked(by save: JSONDocument, since base: JSONDocument) -> (selector: PathSelector, scope: String?)?
    {
        guard let resetAt, let pointer = try? JSONPointer(parsing: resetAt), let node = save.node(at: pointer)
        else { return nil }
        let value = save.value(node)
        let former = base.node(at: pointer).map { base.value($0) }
        guard value != former, !value.isNothing else { return nil }
        if case .string(let name) = value, let scope = resets.first(where: { $0.name == name.string }) {
            return (PathSelector(patterns: scope.patterns), scope.name)
        }
        guard !resets.isEmpty else { return (.everything, nil) }
        var patterns: [RulePattern] = []
        for pattern in resets.flatMap(\.patterns) where !patterns.contains(pattern) { patterns.append(pattern) }
        return (PathSelector(patterns: patterns), nil)
    }
}
