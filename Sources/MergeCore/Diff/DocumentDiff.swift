public import LosslessJSON

/// The difference of two documents, in the terms of the rules. Its cost is proportional to what differs: equal text is
/// skipped without a look inside.
public struct DocumentDiff: Sendable {
    /// The changes, in the order of the new document. Members that vanished from an object come after its other
    /// members.
    public private(set) var changes: [LeafChange]
    /// Arrays whose elements are in another order than before, or have new ones among them. They are not among
    /// ``changes``, because a new order alone is no play: it gives no vote in the choice of a base, is no loss, and is
    /// no step of the history.
    public private(set) var orders: [LeafChange]
    /// Arrays whose elements the rules tell apart by a key (`[key]`), but whose elements do not all have a key of their
    /// own. Scalars that their rule cannot read are found later, when they are written.
    public let unreadable: [UnreadableLeaf]

    /// Sets of the new document that hold an element more than once, where they are not as in the old one. A set holds it once.
    package let repeated: [UnreadableLeaf]

    /// Whether an array can be told apart by a key that could not be in the old document. What others wrote there never
    /// came into that document.
    package let isFirstRead: Bool

    /// Sets that held elements before and hold none now.
    let emptied: Set<DocumentPath>

    /// Lists that lost exactly the elements that the `limit` of their rule leaves out of what the old document held and
    /// what came. A game that had read the old document removes these by itself, so nothing is lost.
    let trimmed: Set<DocumentPath>

    /// The topmost places that the new document holds and the old one lacks, elements of arrays with a key among them.
    let newPlaces: Set<DocumentPath>

    /// The content of each element that vanished from an array with a key, by the element's place. ``changes`` has only
    /// the counters of such an element.
    let removedContents: [DocumentPath: Set<LeafChange>]

    /// All that is to be written: the changes, and the new orders.
    public var writes: [LeafChange] { changes + orders }

    /// This difference, with the orders taken from the difference to another snapshot.
    func ordered(as snapshot: DocumentDiff) -> DocumentDiff {
        var other = self
        other.orders = snapshot.orders
        return other
    }

    /// This difference with other changes.
    func replacing(_ changes: [LeafChange]) -> DocumentDiff {
        var other = self
        other.changes = changes
        return other
    }

    /// This difference without the changes and orders at the places that a selector covers. O(changes · patterns).
    func without(_ selector: PathSelector) -> DocumentDiff {
        var other = self
        other.changes.removeAll { selector.covers($0.path) }
        other.orders.removeAll { selector.covers($0.path) }
        return other
    }

    /// The arrays in which the elements that both documents hold are in another order, each with the smallest number of
    /// elements that have to move for that. O(n log n) in the elements of arrays that changed.
    var moves: [DocumentPath: Int] {
        var moves: [DocumentPath: Int] = [:]
        for list in orders {
            guard case .order(let before, let after) = list.change else { continue }
            let ranks = Dictionary(before.enumerated().map { ($1, $0) }) { first, _ in first }
            let places = after.compactMap { ranks[$0] }
            let moved = places.count - places.longestAscent().count
            if moved > 0 { moves[list.path] = moved }
        }
        return moves
    }

    /// Whether two differences have the same changes. Their orders are ignored. O(changes).
    package func hasChanges(of other: DocumentDiff) -> Bool {
        changes.count == other.changes.count && Set(changes) == Set(other.changes)
    }

    /// Whether two differences to one save come from snapshots that hold the same, also in what the save removed. Orders
    /// are ignored. O(changes).
    package func isFromSameContent(as other: DocumentDiff) -> Bool {
        hasChanges(of: other) && removedContents == other.removedContents
    }

    /// Compares two documents.
    ///
    /// - Parameters:
    ///   - old: The snapshot that the writer had read; `nil` if there is none, so that everything appeared.
    ///   - new: The document that it wrote.
    ///   - rules: The rules in force.
    public init(from old: JSONDocument?, to new: JSONDocument, rules: RuleSet) {
        let found = DocumentComparison(from: old, to: new, rules)
        (changes, orders, unreadable) = (found.changes, found.orders, found.unreadable)
        repeated = found.repeated
        (emptied, trimmed, isFirstRead) = (found.emptied, found.trimmed, found.isFirstRead)
        (newPlaces, removedContents) = (found.newPlaces, found.removedContents)
    }
}
