package import MergeCore

/// Copies of daily backups: which side keeps them, the lists of backups, and the parts of files.
extension PeerLink {
    /// Whether the peer keeps copies of this device's daily backups.
    package var peerKeepsCopies: Bool {
        switch phase {
        case .open(let open): open.session.copies.peerKeeps
        default: false
        }
    }

    /// Tells the peer whether this device keeps copies from now on.
    package mutating func keepCopies(_ keeps: Bool) -> [LinkAction] {
        withSession { session throws(ProtocolFault) in session.keepCopies(keeps) }
    }

    /// Lists this device's daily backups of a profile, oldest first, at most ``Limits/copies``. Nothing is sent to a
    /// peer that keeps no copies.
    package mutating func listCopies(of profile: ProfileID, _ copies: [CopyFacts]) -> [LinkAction] {
        withSession { session throws(ProtocolFault) in session.listCopies(of: profile, copies) }
    }

    /// Asks for the part of a listed backup that begins at `offset`. Ask one question at a time: the next one after
    /// ``LinkAction/copyPart(_:_:)``.
    package mutating func askForCopy(of profile: ProfileID, _ facts: CopyFacts, from offset: Int) -> [LinkAction] {
        withSession { session throws(ProtocolFault) in session.askForCopy(of: profile, facts, from: offset) }
    }

    /// Answers ``LinkAction/copyAsked(_:)`` with at most ``Limits/copyPart`` bytes; with none if the file is gone.
    package mutating func answerCopy(_ content: [UInt8]) -> [LinkAction] {
        withSession { session throws(ProtocolFault) in session.answerCopy(content) }
    }
}
