package import LosslessJSON

/// A snapshot with the arrays that its rules cannot tell apart by a key (two elements share one, or one has none) as
/// they were when that could be done last.
///
/// Of such an array nothing was written while it stood in the file, and nothing that other devices wrote there came into
/// the file. So once a save holds it readable again, what the game did since is the difference to that earlier array: an
/// element that is gone was removed, and one that other devices changed or added meanwhile was not read. That is why
/// these arrays are measured against the writes that the *earlier* snapshot contains.
package struct LastReadable: Sendable {
    /// The snapshot, with these arrays.
    package let document: JSONDocument
    /// Where they are.
    package let arrays: Set<DocumentPath>

    /// A snapshot in which every array can be read, or of which nothing earlier is known.
    package init(_ document: JSONDocument) { self.init(document, []) }

    private init(_ document: JSONDocument, _ arrays: Set<DocumentPath>) {
        (self.document, self.arrays) = (document, arrays)
    }

    /// - Parameters:
    ///   - snapshot: A content of the file.
    ///   - former: An earlier one that holds the arrays as they could be read.
    /// - Complexity: O(snapshot).
    package init(_ snapshot: JSONDocument, former: JSONDocument, _ rules: RuleSet) {
        var search = Search(snapshot: snapshot, former: former)
        search.visit(snapshot.root, former.root, .root, RuleMatcher(rules))
        guard !search.edits.isEmpty, let bytes = try? snapshot.patched(search.edits),
            let document = try? JSONDocument(parsing: bytes)
        else {
            self.init(snapshot)
            return
        }
        self.init(document, search.arrays)
    }

    /// Parts the changes of a save into those in the arrays and all others. A container that goes with such an array
    /// in it belongs to the arrays, with all that is in it.
    package func parted(_ changes: [LeafChange]) -> (inArrays: [LeafChange], others: [LeafChange]) {
        guard !arrays.isEmpty else { return ([], changes) }
        var places = arrays
        for change in changes {
            switch change.change {
            case .containerVanished, .elementVanished:
                if arrays.contains(where: { $0.isAtOrBelow(change.path) }) { places.insert(change.path) }
            default: continue
            }
        }
        return (
            changes.filter { $0.path.nearest(in: places) != nil }, changes.filter { $0.path.nearest(in: places) == nil }
        )
    }

    /// Walks a snapshot and an earlier one in step, and finds the arrays that only the earlier one tells apart.
    private struct Search {
        let snapshot: JSONDocument
        let former: JSONDocument
        var edits: [JSONEdit] = []
        var arrays: Set<DocumentPath> = []

        mutating func visit(_ node: JSONNode, _ old: JSONNode, _ path: DocumentPath, _ matcher: RuleMatcher) {
            if matcher.isPastEveryRule { return }
            switch DocumentShape(snapshot, node, matcher) {
            case .local, .leaf, .elements: return
            case .object:
                guard former.kind(old) == .object else { return }
                for (name, member) in snapshot.members(node) {
                    guard let before = former.member(old, named: name) else { continue }
                    visit(member, before, path.appending(.member(name)), matcher.stepping(.member(name)))
                }
            case .indexed:
                guard former.kind(old) == .array else { return }
                for (index, pair) in zip(snapshot.elements(node), former.elements(old)).enumerated() {
                    visit(pair.0, pair.1, path.appending(.index(index)), matcher.stepping(.index(index)))
                }
            case .keyed(let key):
                // An empty array can be read as well.
                guard former.kind(old) == .array, let before = keyedElements(former, old, by: key) else { return }
                guard let elements = keyedElements(snapshot, node, by: key) else {
                    edits.append(.replace(node, former.value(old)))
                    arrays.insert(path)
                    return
                }
                let formers = Dictionary(before.map { ($0.id, $0.node) }) { first, _ in first }
                for element in elements {
                    guard let before = formers[element.id] else { continue }
                    let step = PathStep.element(element.id)
                    visit(element.node, before, path.appending(step), matcher.stepping(step))
                }
            }
        }
    }
}
