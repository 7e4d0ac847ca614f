/// The changes that a step of the history holds: as many as its limits allow, from the first one offered. From the first one
/// that does not fit, changes are only counted.
struct FittingChanges {
    private(set) var changes: [HistoryEntry.Change] = []
    /// The changes that are counted only.
    private(set) var left = 0
    /// The bytes that the step takes, as it is stored.
    private(set) var bytes: Int

    /// - Parameter bytes: What the step takes beside its changes.
    init(bytes: Int = 0) { self.bytes = bytes }

    mutating func offer(_ change: HistoryEntry.Change) {
        let fits = left == 0 && changes.count < HistoryEntry.changeLimit
        if fits, let size = change.storedSize, size <= HistoryEntry.byteLimit - bytes {
            bytes += size
            changes.append(change)
        } else {
            left += 1
        }
    }
}
