/// One change to a parsed text; all edits of one patch speak of the document as it was parsed.
public enum JSONEdit: Sendable {
    /// Puts a new value exactly where the old one is.
    case replace(JSONNode, JSONValue)
    /// Takes a member or element out, with one comma.
    case remove(JSONNode)
    /// Adds a member after the last one.
    case insertMember(into: JSONNode, key: JSONString, JSONValue)
    /// Adds an element after the last one.
    case appendElement(to: JSONNode, JSONValue)
    /// Gives the elements of an array another order, each with its own bytes. The numbers index one list: the elements
    /// that stay, in the order of the text, and then those that the same patch appends. Each index comes once. The text
    /// between two elements stays where it is.
    case reorder(JSONNode, [Int])
}

/// The error for a patch that contradicts itself or the document. Nothing was changed.
public struct JSONPatchError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of contradiction.
    public enum Reason: Hashable, Sendable {
        /// Two edits of one value, or an edit inside a value that is removed or replaced.
        case overlap
        /// A member for something that is no object, or an element for something that is no array.
        case wrongKind
        /// The key to insert is there already, or is inserted twice.
        case duplicateKey
        /// The node is not one of this document.
        case unknownNode
        /// An edit that removes the whole document.
        case removedRoot
        /// An order does not name each element of the array once.
        case wrongOrder
    }

    /// Which kind of contradiction it is.
    public var reason: Reason
    /// The line, from 1, of the value that the edit names; 0 for an unknown node.
    public var line: Int
    /// Column, from 1, of the value that the edit names; 0 for an unknown node.
    public var column: Int
    /// What is wrong, as one sentence without a place.
    public var message: String

    /// `LINE:COLUMN: message`, as compilers and editors write places.
    public var description: String { "\(line):\(column): \(message)" }
}
