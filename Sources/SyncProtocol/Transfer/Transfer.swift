import Crypto
package import LosslessJSON
package import MergeCore

/// A save that one device hands to another in a file: a profile, as a link would send it to a device that has no writes
/// of it.
package struct Transfer: Sendable {
    /// The key of the device that signed the file.
    package let signer: DeviceKey
    /// The name that people gave that device; cleaned.
    package let deviceName: String
    /// The household in which that device was.
    package let household: HouseholdID
    /// The date of the export by that device's clock.
    package let time: WallTime
    /// The roster of that device; the statements are not verified yet.
    package let roster: [RosterStatement]
    /// All atoms that the device had of the profile: `from` is empty. The signatures are not verified yet.
    package let delta: IncomingDelta
    /// The JSON text of a new file of the profile; empty if nothing was known. It is for people and for programs
    /// without deltas: an import uses the delta.
    package let document: [UInt8]

    /// The id of the new profile that an import makes if the signer is unknown.
    ///
    /// It is not the profile's own id, because the values come in as a start: if the two households become one, a
    /// counter's start and the earnings behind it would add up. Under another id the two profiles stay apart until the
    /// player joins them. The new id is derived from the profile's id, so that importing the file twice, or on two
    /// devices, gives one profile.
    package var adoptedID: ProfileID {
        var text = CanonicalBytes(label: "hearth adopted profile 1")
        text.add(delta.profile.bytes)
        let hash = Array(SHA256.hash(data: text.bytes))
        guard let id = ProfileID(bytes: hash.prefix(16)) else { preconditionFailure("16 bytes are an id") }
        return ProfileID(random: id.high, id.low)
    }

    /// The profile's state as the delta gives it: with its rules and its name, and with the reason if the rules cannot
    /// be used.
    package var state: ProfileState {
        var state = ProfileState()
        state.join(delta.atoms, vector: delta.to)
        return state
    }

    /// The document of a new file as if some replicas had counted nothing. The reader has the counts of these replicas
    /// already, and they must not come in a second time as part of a start.
    package func document(without isKnown: (ReplicaID) -> Bool) throws(JSONSyntaxError) -> JSONDocument? {
        var state = ProfileState()
        let atoms = delta.atoms.filter { atom in
            guard atom.key.kind.base == .counter, !atom.key.sub.isEmpty else { return true }
            return !isKnown(ReplicaID(bytes: atom.key.sub) ?? atom.atom.dot.replica)
        }
        state.join(atoms, vector: delta.to)
        state.isIncomplete = atoms.count < delta.atoms.count
        guard let value = Projection.newDocument(of: state) else { return nil }
        return try JSONDocument(parsing: value.jsonBytes)
    }
}
