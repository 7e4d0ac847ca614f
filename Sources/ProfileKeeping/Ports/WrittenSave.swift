package import LosslessJSON
package import MergeCore

/// A save that a game in the agent's own process has written, durably. The game hands it over, so that the agent need
/// not read, parse and sync it again.
package struct WrittenSave: Sendable {
    /// The absolute path of the profile's file.
    package let path: String
    /// The content of the file.
    package let document: JSONDocument
    /// The file that holds it. If another file is at the path now, this save is out of date.
    package let file: FileIdentity

    package init(path: String, document: JSONDocument, file: FileIdentity) {
        (self.path, self.document, self.file) = (path, document, file)
    }
}

/// Distinguishes the file at a path from every other one that was or will be there, and from its own earlier content
/// after most changes.
///
/// A program that writes into the file, at the same size and within one tick of the file system's clock (some
/// milliseconds), leaves the identity as it was. So an identity may save a look at the file only if such a write is
/// also reported in another way, or if the file has looked the same for long when it was read.
package struct FileIdentity: Hashable, Sendable {
    private let numbers: [Int64]
    /// When the content was last changed.
    package let modified: WallTime

    /// - Parameter numbers: The numbers that the file system keeps for the file: device, inode, size, times.
    package init(_ numbers: [Int64], modified: WallTime) {
        (self.numbers, self.modified) = (numbers, modified)
    }

    /// A hash of the identity, for whoever keeps those of many files.
    package var fingerprint: UInt64 {
        var hash = FNV1a()
        for number in numbers {
            let bits = UInt64(bitPattern: number)
            for shift in stride(from: 0 as UInt64, to: 64, by: 8) { hash.add(UInt8(truncatingIfNeeded: bits >> shift)) }
        }
        return hash.value
    }
}
