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

    private func rank(_ element: JSONValue) -> Ordinal? {
        guard let sort else { return Ordinal(element, as: nil) }
        return element[sort].flatMap { Ordinal($0, as: nil) }
    }
}
