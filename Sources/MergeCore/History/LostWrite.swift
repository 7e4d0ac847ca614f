package import LosslessJSON

/// A value that a save holds, and that never showed: another device had written the place later, the game had not read
/// that write, and it was known here before the save was read.
///
/// The join takes such a value at once, so there is no atom of it. The history has to tell of it all the same, or nobody
/// would ever know what the game wrote.
package struct LostWrite: Hashable, Sendable {
    /// The place.
    let path: DocumentPath
    /// The value that the game had read at the place, and the value that it wrote; `nil` where there was none.
    let read: JSONValue?
    let saved: JSONValue?
    /// The save.
    let dot: Dot
    /// The value of the other device that the place shows instead; `nil` where it removed the value.
    let shown: JSONValue?
    /// The write that won.
    let winner: Dot
}

extension ProfileState {
    /// The values of a save that lost as they were written. Call after ``write(_:_:asMigrated:)`` of the same changes.
    ///
    /// Only what loses by its time alone is meant. Under every other rule the value that wins says at least as much (a
    /// larger `max`, a sum), or both are kept (`choice`), or the rule names what is to win (`furthest`).
    ///
    /// - Parameter overridden: The places whose change came too late for a reset. The player is told of these.
    package func lost(
        of changes: [LeafChange], except overridden: Set<DocumentPath>, _ context: WriteContext
    ) -> [LostWrite] {
        lost(of: changes, context) {
            $0.replica != context.replica && !context.base.covers($0) && !overridden.contains($1)
        }
    }

    /// The values of another save that joined this state, and lost as they did. Also what this device wrote itself may have
    /// won. Call after the join.
    package func lost(joining document: JSONDocument, _ context: WriteContext) -> [LostWrite] {
        lost(of: DocumentDiff(from: nil, to: document, rules: rules).changes, context) { _, _ in true }
    }

    private func lost(
        of changes: [LeafChange], _ context: WriteContext, isMeant: (_ winner: Dot, _ place: DocumentPath) -> Bool
    ) -> [LostWrite] {
        var reader = PlaceReader(self)
        let dot = Dot(replica: context.replica, sequence: max(1, vector.sequence(of: context.replica)))
        return changes.compactMap { change in
            guard case .value(let read, let saved) = change.change, change.rule.merge == .latest,
                let winner = liveStamp(change.path)?.dot, isMeant(winner, change.path), !change.path.isReserved
            else { return nil }
            let shown = reader.value(at: change.path)
            guard shown != saved else { return nil }
            return LostWrite(path: change.path, read: read, saved: saved, dot: dot, shown: shown, winner: winner)
        }
    }
}

extension HistoryEntry {
    /// The step by which other devices' values took the place of what a save wrote. An undo of it brings back what the
    /// game wrote.
    package init(replacing lost: [LostWrite], at time: WallTime) {
        self.init(time: time, origin: .merge, changes: [], more: 0)
        add(lost.map { Change(path: $0.path, old: $0.saved, new: $0.shown, dot: $0.winner) })
    }

    /// Adds to the step of a save what the game wrote and never showed.
    package mutating func add(_ lost: [LostWrite]) {
        add(lost.map { Change(path: $0.path, old: $0.read, new: $0.saved, dot: $0.dot) })
    }

    /// Adds changes in the order of all paths, as many as a step holds; the others are counted.
    private mutating func add(_ others: [Change]) {
        if others.isEmpty { return }
        let named = Set(changes.map(\.path))
        let all = (changes + others.filter { !named.contains($0.path) }).sorted { $0.path < $1.path }
        var fitting = FittingChanges(bytes: orders.reduce(0) { $0 + $1.storedSize })
        for change in all { fitting.offer(change) }
        self = HistoryEntry(
            time: time, origin: origin, changes: fitting.changes, more: more + fitting.left, orders: orders,
            lowered: lowered, moreLowered: moreLowered)
    }
}
