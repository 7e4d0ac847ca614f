import LosslessJSON

/// Several steps of the history as one: for each place, its value before the first step and after the last one.
struct ComposedSteps {
    /// One place: what it showed before and after the steps, and the last write of it.
    typealias Change = (old: JSONValue?, new: JSONValue?, dot: Dot)

    /// The changes by place. A place may show the same afterwards.
    private(set) var changes: [DocumentPath: Change] = [:]

    /// Adds a later step.
    ///
    /// - Returns: False where the step does not hold all its changes; then nothing is added.
    mutating func add(_ step: HistoryEntry) -> Bool {
        guard step.more == 0 else { return false }
        for change in step.changes {
            changes[change.path] = (changes[change.path].map(\.old) ?? change.old, change.new, change.dot)
        }
        return true
    }

    /// The changes of a place itself and of those around it, from the inside outwards, each with the steps from there on.
    private func changes(around path: DocumentPath) -> [(change: Change, rest: [PathStep])] {
        var (place, rest, found) = (path, [] as [PathStep], [] as [(change: Change, rest: [PathStep])])
        while true {
            if let change = changes[place] { found.append((change, rest.reversed())) }
            guard let step = place.steps?.last, let parent = place.parent else { return found }
            rest.append(step)
            place = parent
        }
    }

    /// Whether the steps changed a place, or brought or removed it with something around it.
    func holds(_ path: DocumentPath) -> Bool { !changes(around: path).isEmpty }

    /// The value of a place after the steps; `nil` where they did not change it, and where they removed it or a container
    /// around it.
    func value(at path: DocumentPath) -> JSONValue? {
        let around = changes(around: path)
        guard let inner = around.first, around.allSatisfy({ $0.change.new != nil }) else { return nil }
        return Self.value(inner.rest, in: inner.change.new)
    }

    /// The change of a counter, where it is there afterwards. What it showed before is what the outermost of the places
    /// around it says, since that came as a whole.
    func amount(at path: DocumentPath) -> (change: (old: JSONValue?, new: JSONValue?), dot: Dot)? {
        let around = changes(around: path)
        guard let inner = around.first, let outer = around.last, let new = value(at: path) else { return nil }
        return ((Self.value(outer.rest, in: outer.change.old), new), inner.change.dot)
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
