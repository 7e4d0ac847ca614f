/// A set that mostly has one element, and then takes no memory of its own.
package enum SmallSet<Element: Hashable & Comparable> {
    case one(Element)
    /// Never of one element only, nor empty.
    case several(Set<Element>)

    /// The set with one more element.
    package func with(_ element: Element) -> SmallSet {
        let all = elements.union([element])
        return all.count == 1 ? .one(element) : .several(all)
    }

    /// The set without an element; `nil` where nothing is left.
    package func without(_ element: Element) -> SmallSet? {
        let rest = elements.subtracting([element])
        return rest.count > 1 ? .several(rest) : rest.first.map { .one($0) }
    }

    /// The elements in ascending order.
    package var sorted: [Element] {
        switch self {
        case .one(let element): [element]
        case .several(let elements): elements.sorted()
        }
    }

    private var elements: Set<Element> {
        switch self {
        case .one(let element): [element]
        case .several(let elements): elements
        }
    }
}

extension SmallSet: Sendable where Element: Sendable {}

extension Dictionary {
    /// Adds an element to the set under a key.
    package mutating func insert<Element>(_ element: Element, at key: Key) where Value == SmallSet<Element> {
        self[key] = self[key]?.with(element) ?? .one(element)
    }

    /// Removes an element from the set under a key, and the set with its last element.
    package mutating func remove<Element>(_ element: Element, at key: Key) where Value == SmallSet<Element> {
        self[key] = self[key].flatMap { $0.without(element) }
    }
}
