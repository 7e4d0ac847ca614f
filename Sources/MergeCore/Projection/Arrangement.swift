import LosslessJSON

extension MergeRule {
    /// The elements that a file shows, in order. With a `sort`, the largest element comes first, and ties are ordered
    /// by bytes. With a `limit`, only that many of the largest are shown. Without `sort` the given order stays. O(n log
    /// n).
    func arranged(_ elements: [JSONValue]) -> [JSONValue] {
        guard sort != nil || limit != nil else { return elements }
        let ranked = elements.map { (element: $0, rank: rank($0), bytes: $0.canonicalBytes) }.sorted { a, b in
            if a.rank != b.rank {
                guard let x = a.rank else { return false }
                guard let y = b.rank else { return true }
                return y < x
            }
            return a.bytes.lexicographicallyPrecedes(b.bytes)
        }
        guard sort == nil else { return ranked.prefix(limit ?? .max).map(\.element) }
        let shown = Set(ranked.prefix(limit ?? .max).map(\.element))
        return elements.filter(shown.contains)
    }

    /// Whether `removed` is exactly what ``limit`` leaves out of a list to which elements came. O(n log n), and O(1)
    /// where the rule has no limit.
    ///
    /// - Parameters:
    ///   - removed: Elements of `before`.
    ///   - before: All elements that the list held.
    ///   - added: The elements that came.
    func leavesOut(_ removed: [JSONValue], of before: Set<JSONValue>, with added: [JSONValue]) -> Bool {
        guard let limit, !removed.isEmpty, removed.count <= added.count else { return false }
        let kept = before.count - removed.count + added.count
        guard kept >= limit else { return false }
        var rule = self
        rule.limit = kept
        return Set(rule.arranged(before + added)).isDisjoint(with: removed)
    }

    private func rank(_ element: JSONValue) -> Ordinal? {
        guard let sort else { return Ordinal(element, as: nil) }
        return element[sort].flatMap { Ordinal($0, as: nil) }
    }
}
