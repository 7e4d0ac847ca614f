import LosslessJSON

/// The order of one array whose elements have names: the elements of a set or a union (the name is the canonical
/// bytes), and elements that a member tells apart (the name is that member's canonical bytes).
///
/// The position of an element is in its atom of kind ``AtomKind/order``; without one, it is the natural position. At
/// equal positions the bytes of the names decide.
struct ArrayOrder {
    /// The sort key of an element: its position, then its name.
    struct Rank: Comparable {
        let position: [UInt8]
        let name: [UInt8]

        static func < (a: Rank, b: Rank) -> Bool {
            if a.position != b.position { return a.position.lexicographicallyPrecedes(b.position) }
            return a.name.lexicographicallyPrecedes(b.name)
        }
    }

    private var positions: [[UInt8]: [UInt8]] = [:]

    init(_ state: ProfileState, _ path: DocumentPath) {
        for (sub, atom) in state.liveParts(path, .order) {
            if case .position(_, let position) = atom.content { positions[sub] = position }
        }
    }

    func rank(_ name: [UInt8]) -> Rank {
        let own = positions.isEmpty ? nil : positions[Self.sub(name)]
        return Rank(position: own ?? Position.natural(name), name: name)
    }

    /// Sorts elements by the ranks of their names.
    func sorted<Element>(_ elements: [Element], by name: (Element) -> [UInt8]) -> [Element] {
        elements.map { (element: $0, rank: rank(name($0))) }.sorted { $0.rank < $1.rank }.map(\.element)
    }

    /// The index of each name; of a repeated name the first.
    static func places<Name: Hashable>(of names: [Name]) -> [Name: Int] {
        Dictionary(names.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
    }

    /// The name of an element as the key of its position holds it: the name itself, or its hash where the name is
    /// longer than 24 bytes. Two elements with one hash share a position, and nothing else.
    static func sub(_ name: [UInt8]) -> [UInt8] {
        guard name.count > 24 else { return name }
        let hash = FNV1a(name).value
        // No canonical JSON begins with this byte.
        return [0] + (0..<8).map { UInt8(truncatingIfNeeded: hash >> (56 - 8 * UInt64($0))) }
    }
}

extension Sequence {
    /// The offsets of a longest strictly ascending subsequence. O(n log n).
    func longestAscent() -> [Int] where Element: Comparable {
        // For each length, the ascending subsequence with the smallest last value: that value and its offset.
        var ends: [(offset: Int, value: Element)] = []
        var before: [Int?] = []
        for (offset, value) in enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if ends[middle].value < value { low = middle + 1 } else { high = middle }
            }
            before.append(low > 0 ? ends[low - 1].offset : nil)
            if low < ends.count { ends[low] = (offset, value) } else { ends.append((offset, value)) }
        }
        var result: [Int] = []
        var next = ends.last?.offset
        while let offset = next {
            result.append(offset)
            next = before[offset]
        }
        return result.reversed()
    }
}

extension PathStep {
    /// The name of a keyed element.
    var elementID: [UInt8]? {
        guard case .element(let id) = self else { return nil }
        return id
    }
}
