/// Runs the work for all items, two at a time, because it mostly waits for other processes. Returns how often it
/// returned true.
func inParallel<Item: Sendable>(
    _ items: [Item], _ work: @escaping @Sendable (Int, Item) async throws -> Bool
) async throws -> Int {
    try await withThrowingTaskGroup(of: Bool.self) { group in
        var hits = 0
        for (number, item) in items.enumerated() {
            if number >= 2, try await group.next() == true { hits += 1 }
            group.addTask { try await work(number, item) }
        }
        for try await hit in group where hit { hits += 1 }
        return hits
    }
}
