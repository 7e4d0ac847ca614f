import LosslessJSON

/// The order of one array whose elements have names of their own: those of a set or a union (their canonical bytes) and
/// those that a member tells apart (that member's canonical bytes).
///
/// An element stands where its atom of kind ``AtomKind/order`` says, else at its natural position. Of two at one
/// position the bytes of their names decide.
struct ArrayOrder {
    /// By which the elements of an array are sorted.
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

    /// Sorts what has names.
    func sorted<Element>(_ elements: [Element], by name: (Element) -> [UInt8]) -> [Element] {
        elements.map { (element: $0, rank: rank(name($0))) }.sorted { $0.rank < $1.rank }.map(\.element)
    }

    /// Where each of several elements stands.
    static func places<Name: Hashable>(of names: [Name]) -> [Name: Int] {
        Dictionary(names.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
    }

    /// How an element is named in the key of its position: as it is, or, where that is long, by a hash. Two elements
    /// under one hash share a position, and no more.
    static func sub(_ name: [UInt8]) -> [UInt8] {
        guard name.count > 24 else { return name }
        let hash = Position.hash(name)
        // No canonical JSON begins with this byte.
        return [0] + (0..<8).map { UInt8(truncatingIfNeeded: hash >> (56 - 8 * UInt64($0))) }
    }
}

extension Sequence {
    /// The offsets of a longest strictly ascending part. O(n log n).
    func longestAscent() -> [Int] where Element: Comparable {
        // Of each length the ascent with the least end, by offset.
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
