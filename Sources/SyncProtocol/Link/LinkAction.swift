package import MergeCore

/// An action that a link asks its owner to carry out. Actions are carried out in order.
package enum LinkAction: Sendable {
    /// Send these bytes (one or more whole frames).
    case send([UInt8])
    /// Send what is queued, then close the connection. The last action of a link.
    case close(LinkClosure)
    /// The peer has introduced itself. This action comes before all others about the peer.
    case greeted(PeerGreeting)
    /// Statements of the peer's roster, unverified, and its word of the household's secret. The owner verifies and stores
    /// them, and closes the link if the peer turns out to be removed. Where both devices hold the same, it comes after
    /// the Hello with no statement and with that secret.
    case roster([RosterStatement], secret: HouseholdSecret?)
    /// The peer stated its version vector of a profile: at the start, and whenever it restates the vector. The owner
    /// looks for its own replica in it (which reveals a cloned or rolled back record). The link itself asks for the
    /// delta if one is due.
    case stated(ProfileID, VersionVector)
    /// The peer has stated its vectors of all its profiles; the list is complete.
    case listed
    /// The peer lacks atoms of this profile. The owner answers with
    /// ``PeerLink/sendDelta(answering:atoms:to:proof:)``. The link makes no further request for the profile
    /// before that answer.
    case needsDelta(DeltaRequest)
    /// A complete delta. If the profile's vector covers `from`, the owner commits it and then calls
    /// ``PeerLink/acknowledge(_:vector:)``; else it calls ``PeerLink/offer(_:vector:)``. Deltas of one profile must be
    /// handled one after the other, each after the commit of the one before.
    case delta(IncomingDelta)
    /// The peer has committed a delta and covers this vector now, or has said whether its file shows that.
    case acked(ProfileID, VersionVector)
    /// A delta that cannot be sent, and never will be as the profile is now. The reason is a clause for people.
    case unsendable(ProfileID, reason: String)
    /// The peer says whether it keeps copies of daily backups from now on. If so, the owner lists its daily backups.
    case keepsCopies(Bool)
    /// The peer's daily backups of a profile, oldest first, each of another day. Comes only while this side keeps
    /// copies.
    case copies(ProfileID, [CopyFacts])
    /// The peer asks for a part of a daily backup. The owner answers with ``PeerLink/answerCopy(_:)``, after everything
    /// else that it has to send. The next question comes after that answer.
    case copyAsked(CopyQuestion)
    /// The peer's answer to ``PeerLink/askForCopy(of:_:from:)``: bytes from the asked offset on; none if the peer does
    /// not have the backup any more. They are never more than was listed; whether they are the right bytes is not
    /// checked here.
    case copyPart(CopyQuestion, [UInt8])
    /// The peer asks for a part of the form of a save. The owner answers with ``PeerLink/answerForm(_:)``, after
    /// everything else that it has to send. The next question comes after that answer.
    case formAsked(FormQuestion)
    /// The peer's answer to ``PeerLink/askForForm(of:from:size:)``: bytes from the asked offset on; none if it has no
    /// text of the profile, or no longer that text. They are never more than the size that the peer gave; their content
    /// is not checked here.
    case formPart(FormQuestion, FormAnswer)
    /// The peer wants the acknowledgements of the members in ``PeerLink/peerWantsAcks`` passed on to it. An
    /// acknowledgement says which writes of a profile a member covers, and whether its file shows all of them.
    case acksWanted
    /// The peer asks whether this device is there. It is answered with ``PeerLink/answer()``, after what the peer shall know
    /// by then.
    case asked
    /// The peer passed on another member's acknowledgement about a profile, or said that it no longer has any.
    case ack(ProfileID, of: DeviceID)
    /// The peer asks for the digests of some of this device's writes. The owner answers with
    /// ``PeerLink/answerDigests(_:)``. The next question comes after that answer.
    case digestsAsked(DigestQuestion)
    /// The peer's answer to ``PeerLink/askForDigests(_:)``.
    case digests(DigestQuestion, DigestAnswer)
}

/// The end of a link: the reason, and which side caused it.
package struct LinkClosure: Hashable, Sendable, CustomStringConvertible {
    package enum Blame: Hashable, Sendable {
        /// This side ended the link with a goodbye.
        case us
        /// The peer broke the protocol.
        case peer
        /// Neither side: silence, a newer version, or a goodbye of the peer.
        case nobody
    }

    /// The reason in one sentence.
    package let reason: String
    package let blame: Blame

    package init(reason: String, blame: Blame) {
        self.reason = reason
        self.blame = blame
    }

    package var description: String { reason }
}

/// The introduction of a peer: the fields of its Hello.
package struct PeerGreeting: Hashable, Sendable {
    /// The name that people gave the peer; cleaned, at most 64 bytes.
    package let name: String
    package let version: UInt32
    /// The optional abilities that the peer names.
    package let features: [String]
    /// The peer's wall clock when it sent the Hello. It comes from outside: it may be any value.
    package let clock: WallTime
}

/// A request of the link to send a peer the atoms of a profile that it lacks.
package struct DeltaRequest: Hashable, Sendable {
    package let profile: ProfileID
    /// The vector that the peer is believed to cover. The answer holds every atom beyond it.
    package let beyond: VersionVector
    /// A number that differs between the requests of one link, so that an answer to an outdated one is recognised.
    let number: UInt64
}

/// A complete delta that a peer sent for a profile.
package struct IncomingDelta: Hashable, Sendable {
    package let profile: ProfileID
    /// The vector that this device must cover before it may join the delta.
    package let from: VersionVector
    /// The vector that is covered afterwards; only the replicas that advance.
    package let to: VersionVector
    /// The atoms, ascending by dot; every dot lies within `to`. Keys and contents have been parsed, so they are well
    /// formed.
    package let atoms: [KeyedAtom]
    /// The origin of each replica in `to` that was not sent on this link before.
    package let origins: [ReplicaOrigin]
    /// For each replica in `to`, the signature of its device (``ReplicaHead``); not verified yet.
    package let signatures: [ReplicaID: [UInt8]]
    /// For each replica in `to`: the sequence number after which the delta has its writes.
    package var begins: [ReplicaID: UInt64] = [:]
    /// The replicas in `to` whose device is no member any more, and whose writes the sender had before it learned of
    /// that, as it says.
    package var cut: Set<ReplicaID> = []
    /// Whether it is the answer to ``PeerLink/askForAll(of:vector:)``. One that was read before the question is not.
    package var isAskedFor = false
    /// Whether it is that answer, and holds everything that the peer holds.
    package var isWhole = false

    /// The delta without the writes of some replicas.
    package func without(_ replicas: Set<ReplicaID>) -> IncomingDelta {
        guard !replicas.isEmpty else { return self }
        func rest(_ vector: VersionVector) -> VersionVector {
            VersionVector(vector.entries.filter { !replicas.contains($0.key) })
        }
        return IncomingDelta(
            profile: profile, from: rest(from), to: rest(to),
            atoms: atoms.filter { !replicas.contains($0.atom.dot.replica) },
            origins: origins.filter { !replicas.contains($0.replica) }, signatures: signatures)
    }
}
