package import MergeCore

/// The description of one daily backup, by which another device decides to copy it.
package struct CopyFacts: Hashable, Sendable {
    /// The local day of the backup at the device that made it, as a number such as 20261121.
    package let day: UInt32
    /// Bytes of the backup's file.
    package let size: Int
    /// SHA-256 over the file.
    package let checksum: [UInt8]

    package init(day: UInt32, size: Int, checksum: [UInt8]) {
        (self.day, self.size, self.checksum) = (day, size, checksum)
    }
}

/// A request for a part of a daily backup's file.
package struct CopyQuestion: Hashable, Sendable {
    package let profile: ProfileID
    package let checksum: [UInt8]
    /// The byte offset at which the part begins.
    package let offset: Int

    package init(profile: ProfileID, checksum: [UInt8], offset: Int) {
        (self.profile, self.checksum, self.offset) = (profile, checksum, offset)
    }
}

/// The state of a link about copies of backups: which side keeps copies, and the open question in each direction.
struct CopyExchange {
    /// Whether this side's last message says that it keeps copies.
    var keeps = false
    /// Whether this side ever said that it keeps copies: lists that the peer sent in answer may still arrive.
    var everKept = false
    var peerKeeps = false
    /// This side's open question, and the number of bytes of the file from the question's offset on.
    var asked: (question: CopyQuestion, rest: Int)?
    /// Whether the peer waits for this side's answer.
    var isAsked = false
}
