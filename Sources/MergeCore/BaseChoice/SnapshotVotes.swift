/// The votes for one snapshot, and where they come from; see ``BaseVotes``.
struct SnapshotVotes {
    /// All of them.
    var count = 0
    /// The part that comes from elements and values that both the snapshot and the save lack: the game may have read
    /// another snapshot, and have removed them.
    var ofAbsence = 0
    /// The part that comes from numbers that another snapshot lacks and that are hardly nearer to the snapshot's number
    /// than to zero: the game may as well have started them over.
    var ofNewNumbers = 0
    /// The part that comes from numbers, lists and objects that are near, see ``BaseVotes/nearer``.
    var ofNearness = 0
    /// The part that comes from elements, see ``BaseVotes/element``.
    var ofElements = 0
    /// The part that comes from flags: there are two values only, so two flags are often equal by chance.
    var ofFlags = 0
    /// The part that comes from counters that are unchanged.
    var ofAmounts = 0
    /// The part that comes from values, except flags, in an element that another snapshot lacks. A game that adds such
    /// an element again mostly writes the same values into it.
    var inElements = 0

    /// The votes without those of elements and values that both the snapshot and the save lack.
    var presence: Int { count - ofAbsence }

    /// The votes without those of numbers, lists and objects that are near.
    var withoutNearness: Int { count - ofNearness }

    /// Whether nearly all votes come from places that the snapshot and the save both lack.
    var restOnAbsence: Bool { ofAbsence > 0 && presence <= BaseVotes.equal }

    /// Whether the votes all come from numbers that another snapshot lacks, none clearly nearer to the snapshot's number
    /// than to zero.
    var restOnNewNumbers: Bool { count > 0 && count == ofNewNumbers }

    /// Whether only a value or two speak for the snapshot, or a single element with its content, flags, and numbers that
    /// may have started over: the game may have set them back.
    var restOnLittle: Bool {
        let easy = ofElements > 0 ? ofFlags + ofNewNumbers + inElements : 0
        return count - easy <= 2 * BaseVotes.equal
    }

    /// Whether hardly anything speaks for the snapshot but near values, one or two flags, one amount, and elements whose
    /// other content changed. A game that started over may set the same flags again, and reach the same amount and
    /// elements: a first level has the same name each time.
    var mayHaveBegunAnew: Bool {
        let easy = ofNearness + ofFlags + ofElements + min(ofAmounts, BaseVotes.equal)
        return ofFlags <= 2 * BaseVotes.equal && count == easy
    }
}
