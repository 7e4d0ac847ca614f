package import LosslessJSON
package import MergeCore

/// A save that a game in the agent's own process has written, durably. The game hands it over, so that the agent need
/// not read, parse and sync it again.
package struct WrittenSave: Sendable {
    /// The absolute path of the profile's file.
    package let path: String
    /// The content of the file.
    package let document: JSONDocument
    /// The file that holds it. Where another one is at the path by now, this save is out of date.
    package let file: FileIdentity

    package init(path: String, document: JSONDocument, file: FileIdentity) {
        (self.path, self.document, self.file) = (path, document, file)
    }
}

/// Tells the file at a path from every other one that was or will be there, and from itself after most changes.
///
/// A program that writes into the file, at the same size and within one tick of the file system's clock (some
/// milliseconds), leaves the identity as it was. So an identity may save a look at the file only where such a write is
/// reported by itself.
package struct FileIdentity: Hashable, Sendable {
    private let numbers: [Int64]
    /// When the content was last changed.
    package let modified: WallTime

    /// - Parameter numbers: What the file system knows of the file: device, inode, size, times.
    package init(_ numbers: [Int64], modified: WallTime) {
        (self.numbers, self.modified) = (numbers, modified)
    }
}
