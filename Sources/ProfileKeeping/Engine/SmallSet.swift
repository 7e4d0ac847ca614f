/// A set that mostly has one element, and then takes no memory of its own.
package enum SmallSet<Element: Hashable & Comparable> {
    case one(Element)
    /// Never of one element only, nor empty.
    case several(Set<Element>)

    /// Adds an element. O(1).
    package mutating func insert(_ element: Element) {
        switch self {
        case .one(let only): if only != element { self = .several([only, element]) }
        case .several(var elements):
            // It has one owner then, so nothing is copied.
            self = .one(element)
            elements.insert(element)
            self = .several(elements)
        }
    }

    /// Removes an element. Returns whether nothing is left; then the set is not to be used any more. O(1).
    package mutating func remove(_ element: Element) -> Bool {
        switch self {
        case .one(let only): return only == element
        case .several(var elements):
            self = .one(element)
            elements.remove(element)
            self = elements.count > 1 ? .several(elements) : .one(elements.first ?? element)
            return false
        }
    }

    package var count: Int {
        switch self {
        case .one: 1
        case .several(let elements): elements.count
        }
    }

    /// Whether an element passes a test; they come in no order.
    package func contains(where passes: (Element) -> Bool) -> Bool {
        switch self {
        case .one(let element): passes(element)
        case .several(let elements): elements.contains(where: passes)
        }
    }

    /// The elements in ascending order.
    package var sorted: [Element] {
        switch self {
        case .one(let element): [element]
        case .several(let elements): elements.sorted()
        }
    }
}

extension SmallSet: Sendable where Element: Sendable {}

extension Dictionary {
    /// Adds an element to the set under a key.
    package mutating func insert<Element>(_ element: Element, at key: Key) where Value == SmallSet<Element> {
        self[key, default: .one(element)].insert(element)
    }

    /// Removes an element from the set under a key, and the set with its last element.
    package mutating func remove<Element>(_ element: Element, at key: Key) where Value == SmallSet<Element> {
        if self[key]?.remove(element) == true { self[key] = nil }
    }
}
