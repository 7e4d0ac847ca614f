package import MergeCore

/// What a link asks its owner to do. Actions are to be carried out in order.
package enum LinkAction: Sendable {
    /// Send these bytes (one or more whole frames).
    case send([UInt8])
    /// Send what is queued, then close the connection. The last action of a link.
    case close(LinkClosure)
    /// The peer said who it is. Comes first.
    case greeted(PeerGreeting)
    /// The peer's roster statements; unverified. Verify, store, and close the link if it turns out to be over.
    case roster([RosterStatement])
    /// The peer stated what it covers of a profile: at the start, and whenever it states it anew. For whoever looks for
    /// its own replica in it (a cloned or rolled back record); the link itself asks for the delta where one is due.
    case stated(ProfileID, VersionVector)
    /// The peer has stated what it covers of every profile it has.
    case listed
    /// The peer lacks something of this profile. Answer with ``PeerLink/sendDelta(answering:atoms:to:certificates:)``.
    /// No further request for the profile comes before that.
    case needsDelta(DeltaRequest)
    /// A complete delta. Commit it if the profile's vector covers `from`, then call
    /// ``PeerLink/acknowledge(_:vector:)``; else call ``PeerLink/offer(_:vector:)``. Deltas of one profile must be
    /// taken one after the other, each after the commit of the one before.
    case delta(IncomingDelta)
    /// The peer has committed, and now covers this; or it said whether its file shows all that it covers.
    case acked(ProfileID, VersionVector)
    /// A delta cannot be sent, and never will be as it is; one sentence for the status.
    case unsendable(ProfileID, reason: String)
    /// The peer keeps copies of daily backups from now on, or does no longer. Where it does, list them.
    case keepsCopies(Bool)
    /// The peer's daily backups of a profile, oldest first, each of another day. Only while this side keeps copies.
    case copies(ProfileID, [CopyFacts])
    /// The peer asks for a part of a daily backup. Answer with ``PeerLink/answerCopy(_:)``, once what is to be said
    /// besides is said. No further question comes before that.
    case copyAsked(CopyQuestion)
    /// What the peer answered to ``PeerLink/askForCopy(of:_:from:)``: bytes from there on, none where it has the backup
    /// no more. Never more than was listed; whether they are the right ones is not known.
    case copyPart(CopyQuestion, [UInt8])
    /// The peer asks for a part of the form of a save. Answer with ``PeerLink/answerForm(_:)``, once what is to be said
    /// besides is said. No further question comes before that.
    case formAsked(FormQuestion)
    /// What the peer answered to ``PeerLink/askForForm(of:from:size:)``: bytes from there on, none where it has no text
    /// of the profile, or not that one any more. Never more than the size it said; anything at all may stand in it.
    case formPart(FormQuestion, FormAnswer)
    /// The peer wants the words of other members passed on: those in ``PeerLink/peerWantsWords``.
    case wordsWanted
    /// The peer passed on the word of another member about a profile, or said that it has none any more.
    case word(ProfileID, of: DeviceID)
}

/// Why a link ended.
package struct LinkClosure: Hashable, Sendable, CustomStringConvertible {
    package enum Blame: Hashable, Sendable {
        /// Our own doing: we said goodbye.
        case us
        /// The peer broke the protocol.
        case peer
        /// Nobody's fault: silence, a newer version, the peer said goodbye.
        case nobody
    }

    /// One sentence.
    package let reason: String
    package let blame: Blame

    package init(reason: String, blame: Blame) {
        self.reason = reason
        self.blame = blame
    }

    package var description: String { reason }
}

/// What a peer says of itself.
package struct PeerGreeting: Hashable, Sendable {
    /// What people call it; cleaned, at most 64 bytes.
    package let name: String
    package let version: UInt32
    /// Optional abilities it names.
    package let features: [String]
    /// Its wall clock when it sent this, milliseconds since 1970. Foreign: any value at all.
    package let clock: Int64
}

/// Asks for what a peer lacks of a profile.
package struct DeltaRequest: Hashable, Sendable {
    package let profile: ProfileID
    /// What the peer is believed to cover. The answer holds every atom beyond this.
    package let beyond: VersionVector
    /// Tells requests of one link apart, so that an answer to an outdated one is recognised.
    let number: UInt64
}

/// What a peer sent of a profile, complete.
package struct IncomingDelta: Hashable, Sendable {
    package let profile: ProfileID
    /// What must be covered before this may be joined.
    package let from: VersionVector
    /// What is covered after; only the replicas that advance.
    package let to: VersionVector
    /// Ascending by dot; every dot within `to`. Keys and contents have been read, so they are well formed.
    package let atoms: [KeyedAtom]
    /// Certificates of replicas in `to` that were not sent on this link before; signatures not yet verified.
    package let certificates: [ReplicaCertificate]
}
