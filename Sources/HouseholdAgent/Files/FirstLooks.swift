import MergeCore

/// The files that were not looked at since the start, and when it is the turn of the next ones. There may be thousands, and
/// none of them has anything to do before its turn.
struct FirstLooks {
    private var order: ArraySlice<ProfileID> = []
    private var waiting: Set<ProfileID> = []
    private var next = MonotonicTime.min

    /// When the next turn has come; `nil` where no file waits.
    var deadline: MonotonicTime? { waiting.isEmpty ? nil : next }

    /// Whether a file waits for its first look.
    func contains(_ id: ProfileID) -> Bool { waiting.contains(id) }

    mutating func begin(with ids: [ProfileID], now: MonotonicTime) {
        (order, waiting, next) = (ids[...], Set(ids), now)
    }

    /// Takes the files whose turn has come, in their order; `nil` where it is nobody's.
    mutating func takeTurn(now: MonotonicTime) -> [ProfileID]? {
        guard !waiting.isEmpty, next <= now else { return nil }
        let turn = order.prefix(FileWatches.rescanTurn)
        order = order.dropFirst(FileWatches.rescanTurn)
        next += FileWatches.startPause
        let taken = turn.filter { waiting.remove($0) != nil }
        if waiting.isEmpty { self = FirstLooks() }  // a set keeps its room
        return taken
    }

    /// Notes that a file is looked at for another reason, or need not be.
    mutating func remove(_ id: ProfileID) { waiting.remove(id) }
}
