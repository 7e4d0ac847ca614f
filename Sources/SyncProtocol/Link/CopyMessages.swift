package import MergeCore

/// What a device says of one of its daily backups, so that another can keep a copy.
package struct CopyFacts: Hashable, Sendable {
    /// The day it stands for where it was made, such as 20261121.
    package let day: UInt32
    /// Bytes of its file.
    package let size: Int
    /// SHA-256 over the file.
    package let checksum: [UInt8]

    package init(day: UInt32, size: Int, checksum: [UInt8]) {
        (self.day, self.size, self.checksum) = (day, size, checksum)
    }
}

/// Asks for a part of a daily backup's file.
package struct CopyQuestion: Hashable, Sendable {
    package let profile: ProfileID
    package let checksum: [UInt8]
    /// Where the part begins.
    package let offset: Int

    package init(profile: ProfileID, checksum: [UInt8], offset: Int) {
        (self.profile, self.checksum, self.offset) = (profile, checksum, offset)
    }
}

/// What a link knows of copies: who keeps them, and which question is open in either direction.
struct CopyTalk {
    /// What this side said last.
    var keeps = false
    /// Whether it ever did, so that lists may still be under way.
    var everKept = false
    var peerKeeps = false
    /// What this side asked, and how many bytes the file has from there.
    var asked: (question: CopyQuestion, rest: Int)?
    /// Whether the peer waits for an answer.
    var isAsked = false
}
