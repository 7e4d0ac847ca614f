package import MergeCore

/// Digests: a device that has writes from somebody else than their writer asks the writer whether they are right.
extension PeerLink {
    /// The feature that a Hello names if the device answers questions for digests.
    static var digestFeature: String { "digests" }

    /// Whether the peer answers questions for digests.
    package var peerHasDigests: Bool { greeting?.features.contains(Self.digestFeature) == true }

    /// Whether this side's question is still open. The next one must wait for the answer.
    package var isAskingForDigests: Bool {
        switch phase {
        case .greeting(let session): session.digests.asked != nil
        case .open(let open): open.session.digests.asked != nil
        default: false
        }
    }

    /// Asks for the digests of some writes of the peer. Ask one question at a time: the next one after
    /// ``LinkAction/digests(_:_:)``.
    package mutating func askForDigests(_ question: DigestQuestion) -> [LinkAction] {
        withSession { session throws(ProtocolFault) in session.ask(question) }
    }

    /// Answers ``LinkAction/digestsAsked(_:)``.
    package mutating func answerDigests(_ answer: DigestAnswer) -> [LinkAction] {
        withSession { session throws(ProtocolFault) in session.answer(answer) }
    }

    /// Asks for everything that the peer holds of a profile. It comes as a delta with ``IncomingDelta/isWhole``; after
    /// its commit the owner acknowledges it as any other.
    ///
    /// - Parameter vector: What this device covers all the same.
    package mutating func askForAll(of profile: ProfileID, vector: VersionVector) -> [LinkAction] {
        withSession { session throws(ProtocolFault) in try session.askForAll(of: profile, vector: vector) }
    }
}
