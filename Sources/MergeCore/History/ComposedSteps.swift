import LosslessJSON

/// What several steps of the history changed, taken together.
struct ComposedSteps {
    /// The changes by place. A place may show the same afterwards.
    private(set) var changes: [DocumentPath: (old: JSONValue?, new: JSONValue?)] = [:]

    /// Adds a later step.
    ///
    /// - Returns: False where the step does not hold all its changes; then nothing is added.
    mutating func add(_ step: HistoryEntry) -> Bool {
        guard step.more == 0 else { return false }
        for change in step.changes {
            changes[change.path] = (changes[change.path].map(\.old) ?? change.old, change.new)
        }
        return true
    }

    /// The place itself, or the one above it that came as a whole, with the steps from there on.
    private func holder(of path: DocumentPath) -> (change: (old: JSONValue?, new: JSONValue?), rest: [PathStep])? {
        var (place, rest) = (path, [] as [PathStep])
        while true {
            if let change = changes[place] { return (change, rest.reversed()) }
            guard let step = place.steps?.last, let parent = place.parent else { return nil }
            rest.append(step)
            place = parent
        }
    }

    /// Whether the steps changed a place, or brought or removed it with something around it.
    func holds(_ path: DocumentPath) -> Bool { holder(of: path) != nil }

    /// What the place showed after the steps, where they changed it.
    func value(at path: DocumentPath) -> JSONValue? {
        holder(of: path).flatMap { Self.value($0.rest, in: $0.change.new) }
    }

    /// What the place showed before the steps, where they changed it.
    func formerValue(at path: DocumentPath) -> JSONValue? {
        holder(of: path).flatMap { Self.value($0.rest, in: $0.change.old) }
    }

    private static func value(_ steps: [PathStep], in value: JSONValue?) -> JSONValue? {
        var value = value
        for step in steps {
            guard case .member(let name) = step, let next = value?[name] else { return nil }
            value = next
        }
        return value
    }
}
