/// The limits on everything that another device may send. Each limit is checked before memory is taken for what it
/// bounds.
///
/// A frame is decoded as one unit. In its 1 MiB, every two bytes can announce an empty message, so a hostile frame
/// costs at most about 60 MiB while it is decoded. A compressed field counts with its inflated size.
package enum Limits {
    // MARK: Frames

    /// Bytes of a frame before the peer's Hello was accepted.
    package static let frameBeforeHello = 1 << 10
    /// Bytes of a frame between members.
    package static let frame = 1 << 20
    /// Bytes of a frame while pairing, after the peer's PairHello: a whole roster fits.
    package static let pairingFrame = 512 << 10
    /// Bytes that a frame of a delta or of vectors should have at most. A choice of the sender, not checked by the
    /// receiver.
    package static let chunk = 256 << 10
    /// Bytes that a compressed field may hold when inflated: as many as a frame could hold.
    package static let inflated = 1 << 20
    /// Bytes from which on the atoms of a frame are compressed. A choice of the sender.
    package static let worthPacking = 512

    // MARK: Time

    /// Time within which a connected peer must say Hello.
    package static let helloTime = Duration.seconds(5)
    /// Silence after which a Ping asks whether the peer is there, at the least.
    package static let quietTime = Duration.seconds(20)
    /// How much longer than ``quietTime`` a link's silence may be, by chance: so one side asks, and not both at once.
    package static let quietSpread = Duration.seconds(5)
    /// Time after which a Ping without an answer means that the peer may be gone.
    package static let answerTime = Duration.seconds(10)
    /// Silence after which the peer counts as gone, and the link ends.
    package static let deadTime = Duration.seconds(45)
    /// Time within which a whole pairing must be done.
    package static let pairingTime = Duration.seconds(30)

    // MARK: Vectors

    /// Profiles that each side may name on one link: a link keeps at most twice as many.
    package static let profiles = 100_000
    /// Profiles of one other device that are kept although nobody took them up here: they have no file here, and this
    /// device never wrote in them. A household may well keep 10,000 on one machine and restore none of them on another
    /// one; each costs memory for as long as the agent runs.
    package static let begunProfiles = 16_384
    /// Replicas in one profile's vector.
    package static let vectorEntries = 4_096
    /// Replicas that one device can begin in a profile. A device needs a new one if its record was lost or copied. A
    /// device that has used all of them goes on with the last one.
    package static let slots = 16
    /// Replicas of one device that a profile may have from profiles that were joined into it.
    package static let joinedReplicas = 16
    /// Bytes of a signature.
    package static let signature = 64
    /// Vector entries of all profiles together that one peer may have stated.
    package static let entriesPerLink = 1 << 20
    /// The highest sequence number: far above any real use, and far below any overflow.
    package static let sequence: UInt64 = 1 << 48
    /// How often one profile may be restated on one link. Two correct devices need one or two restatements.
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

    // MARK: Ranges

    /// Profiles up to which a device lists all of them at the start of a link. A choice of the sender.
    package static let listedProfiles = 32
    /// Profiles of a range up to which they are listed and not hashed once more. A choice of the sender.
    package static let listedOfRange = 4

    // MARK: Deltas

    /// Atoms in one delta, all its frames together.
    package static let atoms = 1_000_000
    /// Bytes of paths, subs and contents in one delta, with shared beginnings written out. They are held in memory
    /// until the last frame.
    package static let deltaBytes = 64 << 20
    /// Most bytes of the paths, subs and contents in one delta frame, decompressed and with shared beginnings written
    /// out. A sender fills a frame up to ``chunk`` of them, or with one atom and the rest of another.
    package static let unfolded = 1 << 20
    /// Bytes of an atom's path.
    package static let path = 4 << 10
    /// Bytes of an atom's sub.
    package static let sub = 512 << 10

    /// How often a delta that is too large to be sent is tried again after one statement of the peer, because the peer
    /// covers more meanwhile. Each time all its atoms are gathered.
    package static let unsendableTries = 4

    /// Atoms in a delta up to which a sender checks whether the history of an entry can be left out. For more atoms the
    /// hash costs more than the 8 bytes that it saves. A choice of the sender.
    package static let hashedAtoms = 256

    // MARK: Copies of backups

    /// Copies that may be listed of one profile: one for each day that a device keeps.
    package static let copies = 7
    /// Bytes of one copy: the largest profile file, and what compression and encryption may add to it.
    package static let copySize = 65 << 20
    /// Bytes of one part of a copy: a delta waits at most as long as this takes.
    package static let copyPart = 64 << 10
    /// Bytes of a checksum (SHA-256).
    package static let checksum = 32

    // MARK: Forms of saves

    /// Bytes of the form of a save: the size of the largest profile file.
    package static let formSize = 64 << 20
    /// Bytes of one part of a form: a delta waits at most as long as this takes.
    package static let formPart = 64 << 10

    // MARK: Acknowledgements of others

    /// Members whose acknowledgements one peer may want. Also the devices that one acknowledgement may pass through,
    /// the two ends of the link included.
    package static let relayedAcks = 64

    // MARK: Digests

    /// Spans of one question for digests.
    package static let spans = 64
    /// Bytes of a digest (SHA-256).
    package static let digest = 32

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
    package static let members = 128
    /// Devices that another member can bring into the household by pairing. More do not count.
    package static let broughtIn = 32
    /// Statements in a roster. Their number is the square of the number of members if every member vouches for every
    /// other.
    package static let statements = 1_024
    /// The largest distance between the serial of a statement and the highest one known about the same device. A serial
    /// far above all others would leave no room for a later statement.
    package static let serialGap: UInt64 = 1_000
    /// The highest serial of a statement.
    package static let serial: UInt64 = 1 << 48
}
