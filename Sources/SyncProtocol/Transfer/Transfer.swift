package import MergeCore
import Crypto
package import LosslessJSON

/// What one device hands to another by file: a profile as it would send it over a link to somebody who has nothing.
package struct Transfer: Sendable {
    /// Whose signature the file bears.
    package let signer: DeviceKey
    /// What people call that device; cleaned.
    package let deviceName: String
    /// The household it was in.
    package let household: HouseholdID
    /// When it was exported, by that device's clock: milliseconds since 1970.
    package let time: Int64
    /// Whom that device trusted; statements are not verified yet.
    package let roster: [RosterStatement]
    /// All it knew of the profile: `from` is empty. Certificates are not verified yet.
    package let delta: IncomingDelta
    /// What a new file of the profile reads; empty where nothing was known. For people and programs that know nothing
    /// of deltas: an import goes by the delta.
    package let document: [UInt8]

    /// The id under which the profile is taken up as one's own where its signer is a stranger.
    ///
    /// Not the profile's own id: its values come as a start then, and should the two households become one, a counter's
    /// start and what it was earned with would add up. Under another id the two stay apart until the player says
    /// otherwise. It follows from the profile's id, so that taking the file up twice, or on two devices, is one
    /// profile.
    package var adoptedID: ProfileID {
        var text = CanonicalBytes(label: "hearth adopted profile 1")
        text.add(delta.profile.bytes)
        let hash = Array(SHA256.hash(data: text.bytes))
        guard let id = ProfileID(bytes: hash.prefix(16)) else { preconditionFailure("16 bytes are an id") }
        return ProfileID(random: id.high, id.low)
    }

    /// The rules and the name that came along, and why the rules cannot be used where that is so.
    package var state: ProfileState {
        var state = ProfileState()
        state.join(delta.atoms, vector: delta.to)
        return state
    }

    /// What a new file would read if some replicas had counted nothing: what they counted is known to the reader, and
    /// must not come again as part of a start.
    package func document(without isKnown: (ReplicaID) -> Bool) throws(JSONSyntaxError) -> JSONDocument? {
        var state = ProfileState()
        let atoms = delta.atoms.filter { atom in
            guard atom.key.kind.base == .counter, let replica = ReplicaID(bytes: atom.key.sub) else { return true }
            return !isKnown(replica)
        }
        state.join(atoms, vector: delta.to)
        guard let value = Projection.newDocument(of: state) else { return nil }
        return try JSONDocument(parsing: value.jsonBytes)
    }
}
