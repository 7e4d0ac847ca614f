import MergeCore

/// The items that will happen, ordered by time, then by the order in which they were added.
struct Agenda<Item> {
    private var items: [(time: MonotonicTime, number: UInt64, item: Item)] = []
    private var next: UInt64 = 0

    var nextTime: MonotonicTime? { items.first?.time }

    mutating func add(_ item: Item, at time: MonotonicTime) {
        let entry = (time: time, number: next, item: item)
        next += 1
        var low = 0
        var high = items.count
        while low < high {
            let middle = (low + high) / 2
            if items[middle].time <= time { low = middle + 1 } else { high = middle }
        }
        items.insert(entry, at: low)
    }

    mutating func pop() -> (time: MonotonicTime, item: Item)? {
        guard !items.isEmpty else { return nil }
        let first = items.removeFirst()
        return (first.time, first.item)
    }
}
