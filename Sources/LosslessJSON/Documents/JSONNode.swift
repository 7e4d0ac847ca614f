/// One value of a ``JSONDocument``; it means nothing without the document it came from.
///
/// The order of nodes is that of the text.
public struct JSONNode: Hashable, Comparable, Sendable {
    /// The place on the document's tape.
    let index: Int

    init(_ index: Int) {
        self.index = index
    }

    /// Whether one value begins before the other in the text. Of nodes of two documents this says nothing.
    public static func < (left: JSONNode, right: JSONNode) -> Bool { left.index < right.index }
}
