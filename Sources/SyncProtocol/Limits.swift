/// Every limit on what another device may send. All are checked before memory is taken for what they bound.
///
/// One frame is the unit that is decoded at once: of its 1 MiB, two bytes can announce an empty message, so a hostile
/// frame costs at most about 60 MiB for the moment of its decoding. A compressed field counts as what it holds.
package enum Limits {
    // MARK: Frames

    /// Bytes of a frame before the peer's Hello was accepted.
    package static let frameBeforeHello = 1 << 10
    /// Bytes of a frame between members.
    package static let frame = 1 << 20
    /// Bytes of a frame while pairing, after the peer's PairHello: a whole roster fits.
    package static let pairingFrame = 512 << 10
    /// Bytes a frame of a delta or of vectors should have at most. A sender's choice, not checked by the receiver.
    package static let chunk = 256 << 10
    /// Bytes that a compressed field may hold: what a frame could hold as well.
    package static let inflated = 1 << 20
    /// Bytes from which on a frame's atoms are compressed. A sender's choice.
    package static let worthPacking = 512

    // MARK: Time, milliseconds

    /// A connected peer must say Hello within this.
    package static let helloTime: Int64 = 5_000
    /// Silence after which a Ping asks whether the peer is there.
    package static let quietTime: Int64 = 20_000
    /// A Ping that goes without an answer for so long leaves open whether the peer is there.
    package static let answerTime: Int64 = 10_000
    /// Silence after which the peer is gone.
    package static let deadTime: Int64 = 45_000
    /// A whole pairing must be done within this.
    package static let pairingTime: Int64 = 30_000

    // MARK: Vectors

    /// Profiles on one link.
    package static let profiles = 100_000
    /// Replicas in one profile's vector.
    package static let vectorEntries = 4_096
    /// Vector entries of all profiles together that one peer may have stated.
    package static let entriesPerLink = 1 << 20
    /// The highest sequence number: far beyond any use, and far from any overflow.
    package static let sequence: UInt64 = 1 << 48
    /// How often one profile may be stated anew on one link. A sound pair needs one or two.
    package static let restatements: UInt32 = 10_000
    /// Entries of a link's dictionary of profiles, and of replicas.
    package static let names = 65_536
    /// Entries of a link's dictionary of device keys.
    package static let deviceNames = 1_024
    /// Entries of a link's dictionary of epochs.
    package static let epochNames = 4_096
    /// Entries of a link's dictionary of atoms' keys.
    package static let keyNames = 131_072
    /// Bytes of paths and subs in a link's dictionary of atoms' keys.
    package static let keyNameBytes = 4 << 20
    /// Bytes of path and sub that one key in that dictionary may have.
    package static let keyName = 1_024

    // MARK: Deltas

    /// Atoms in one delta, all its frames together.
    package static let atoms = 1_000_000
    /// Bytes of paths, subs and contents in one delta, prefixes expanded; held until its last frame.
    package static let deltaBytes = 64 << 20
    /// Bytes of an atom's path.
    package static let path = 4 << 10
    /// Bytes of an atom's sub.
    package static let sub = 512 << 10

    /// Atoms up to which a sender looks whether an entry's history can be left out: the hash of more costs more than
    /// its 8 bytes do. A sender's choice.
    package static let hashedAtoms = 256

    // MARK: Copies of backups

    /// Copies listed of one profile: the days that a device keeps.
    package static let copies = 7
    /// Bytes of one copy: the largest profile file there is, and what compressing and sealing may add to it.
    package static let copySize = 65 << 20
    /// Bytes of one part of a copy: what a delta waits for at most.
    package static let copyPart = 64 << 10
    /// Bytes of a checksum (SHA-256).
    package static let checksum = 32

    // MARK: Forms of saves

    /// Bytes of the form of a save: the largest profile file there is.
    package static let formSize = 64 << 20
    /// Bytes of one part of it: what a delta waits for at most.
    package static let formPart = 64 << 10

    // MARK: Words of others

    /// Members whose words one peer may want; and through whom one word may have come, with the two ends of the link.
    package static let words = 64

    // MARK: Texts

    /// Bytes of a device's name.
    package static let name = 64
    /// Bytes of the reason in a Goodbye.
    package static let reason = 512
    /// Optional abilities named in a Hello, and bytes of each.
    package static let features = 32
    package static let feature = 64

    // MARK: Trust

    /// Bytes of a public key (DER SubjectPublicKeyInfo). The two kinds in use have 91 and 44.
    package static let key = 256
    /// Members of a household.
    package static let members = 64
    /// Statements in a roster. A member that vouches for every other makes their number the square of the members'.
    package static let statements = 1_024
    /// The highest serial of a statement.
    package static let serial: UInt64 = 1 << 48

    /// `now` plus a duration, without overflow.
    static func time(_ now: Int64, plus milliseconds: Int64) -> Int64 {
        let (sum, overflow) = now.addingReportingOverflow(milliseconds)
        return overflow ? .max : sum
    }
}
