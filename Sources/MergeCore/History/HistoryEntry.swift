public import LosslessJSON

/// One step of a profile's history: what a save or a merge changed in what the profile shows.
public struct HistoryEntry: Hashable, Sendable {
    /// One place that shows something else than before.
    public struct Change: Hashable, Sendable {
        /// Where.
        public let path: DocumentPath
        /// What the place showed before and after; `nil` for nothing.
        public let old: JSONValue?
        /// What the place showed afterwards; `nil` for nothing.
        public let new: JSONValue?
        /// The write that changed it.
        public let dot: Dot
    }

    /// When it happened on this device, milliseconds since 1970.
    public let time: Int64
    /// In order of their paths.
    public let changes: [Change]
}

extension ProfileState {
    /// What changed in what the profile shows, from a former state to this one.
    ///
    /// - Parameters:
    ///   - former: The state before.
    ///   - keys: The keys whose atoms changed; everything else is taken to show the same.
    ///   - time: When it happened on this device, milliseconds since 1970.
    /// - Complexity: O(keys).
    public func history(since former: ProfileState, touching keys: [AtomKey], at time: Int64) -> HistoryEntry {
        var seen = Set<DocumentPath>()
        var changes: [HistoryEntry.Change] = []
        for key in keys where !key.path.isReserved && seen.insert(key.path).inserted {
            let (old, new) = (former.value(at: key.path), value(at: key.path))
            guard old != new, let dot = newestDot(key.path) else { continue }
            changes.append(HistoryEntry.Change(path: key.path, old: old, new: new, dot: dot))
        }
        return HistoryEntry(time: time, changes: changes.sorted { $0.path < $1.path })
    }

    /// What a place shows in a file that has nothing there yet: a leaf's value, or a keyed element as a whole.
    ///
    /// - Complexity: O(1) for a leaf, O(places) for an element.
    public func value(at path: DocumentPath) -> JSONValue? {
        guard case .element? = path.steps?.last else { return shown(path, rules.rule(for: path))?.json }
        var (node, cursor) = (ViewNode(self), RuleCursor(rules))
        var key: JSONString?
        for step in path.steps ?? [] {
            guard let next = node.children[step] else { return nil }
            if case .keyed(let name) = cursor.arrayShape { key = name }
            (node, cursor) = (next, cursor.stepping(step))
        }
        guard let key, let value = node.build(cursor) else { return nil }
        return node.identified(value, by: key)
    }

    private func newestDot(_ path: DocumentPath) -> Dot? {
        let isElement = if case .element? = path.steps?.last { true } else { false }
        guard let kind = isElement ? .element : rules.rule(for: path).kind, let place = table.place(path, kind) else {
            return nil
        }
        let dots = ([place] + Array(table.parts(of: place))).filter { table[$0].sequence > 0 }.map { dot(at: $0) }
        return dots.max { $0.sequence != $1.sequence ? $0.sequence < $1.sequence : $0 < $1 }
    }

    /// Takes a step back: the places it changed show again what they showed before, on every device and as a new
    /// operation. Only what still shows what the step left behind is taken back, unless `force` says otherwise, so that
    /// later progress stays.
    public mutating func undo(
        _ entry: HistoryEntry, force: Bool = false, _ context: WriteContext
    ) throws(EpochError) -> WriteResult {
        let changes = entry.changes.filter { force || value(at: $0.path) == $0.new }
        guard !changes.isEmpty else { return WriteResult() }
        return try restore(values: changes.map { ($0.path, $0.old) }, context)
    }
}
