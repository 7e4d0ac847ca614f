import MergeCore

/// The remarks and the questions about the saves of one profile that the player has not answered. They are kept in the
/// record, so that they survive a restart.
package struct SaveNotices: Hashable, Sendable {
    /// The subject of a remark.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Hearth guessed which state the game had read.
        case guessed
        /// By such a guess the save was taken for a copy of what had come in.
        case takenForCopy
        /// By such a guess some of what the save holds does not count.
        case leftOut
        /// The save lowered places that their rule keeps.
        case lowered
        /// The save held values that their rule cannot read, and the former ones were put back.
        case notRead
        /// Progress that was made concurrently with a reset or a restore is hidden by it.
        case overridden
        /// What had come in of a device's writes was not what that device wrote.
        case corrected
        /// Rules that this device had put in force lost against others that were put in force apart.
        case rulesLost
        /// Rules of another device keep places on each device for itself that were in step before.
        case madeLocal
        /// Amounts that were played under another rule do not count, since the place was a counter before.
        case uncounted
        /// The game started over.
        case startedOver
        /// A file that is no save was quarantined.
        case quarantined
        /// The stored remarks and questions cannot be read.
        case unread
    }

    /// One remark.
    package struct Remark: Hashable, Sendable {
        package let kind: Kind
        /// What the remark is about, such as a place of the save. A newer remark of the same kind about the same
        /// subject replaces it.
        package let subject: String
        /// The words about the subject; ``Remark/sentence(_:)`` joins those of one kind.
        package let words: String
        /// The places of the save that a guess is about, as ``SaveNotices/named(_:)`` gives them; `nil` where it names none.
        package var places: String?
        /// The backup of the save that the words are about, where they say that there is one.
        package var backup: String?
    }

    /// The most remarks of one kind that are kept. If there are more, the oldest is dropped.
    static var limit: Int { 100 }
    /// The most backups that remarks keep, the newest ones.
    private static var keptBackups: Int { 5 }

    /// The question about a save that was set aside.
    package internal(set) var setAside: SaveQuestion? {
        get { aside.value }
        set { aside.value = newValue }
    }
    /// The question about amounts of a purse.
    package internal(set) var purse: SaveQuestion? {
        get { amounts.value }
        set { amounts.value = newValue }
    }
    /// The question whether a file was carried over by hand.
    package internal(set) var savedTwice: SaveQuestion? {
        get { twice.value }
        set { twice.value = newValue }
    }
    private var aside = Rare<SaveQuestion>.none
    private var amounts = Rare<SaveQuestion>.none
    private var twice = Rare<SaveQuestion>.none
    /// The remarks in the order in which they were made.
    package private(set) var remarks: [Remark] = []

    /// Whether the game's last save was asked about and not accepted, so that the file does not show the game's save.
    /// The player does not see this; it is used when the next save is measured.
    package internal(set) var isLastSaveSetAside = false {
        didSet { if !isLastSaveSetAside { setAsideBackups = [] } }
    }

    /// After such an answer: the backups of that save and of those that were set aside before it, the oldest first. While its
    /// game runs, the file holds that save still.
    var setAsideBackups: [String] = []

    /// Whether the game's last save holds values that were set aside with an earlier save, because its game had gone on
    /// from that one. The profile has none of these values, so the file must not show them.
    package internal(set) var lastSaveHoldsSetAside = false {
        didSet { if !lastSaveHoldsSetAside { lastSaveHoldsEmptied = false } }
    }

    /// Whether that earlier save, or one since, lacked over half of what there was: the game goes on from next to nothing.
    var lastSaveHoldsEmptied = false

    package init() {}

    /// Whether it is asked if the game's last save, or one before it from which it goes on, was played again.
    var asksOfTakenBack: Bool {
        guard let setAside, setAside.reason == .heldLess(.takenBack) else { return false }
        return !setAside.isOvertaken && !setAside.isFollowed
    }

    /// Whether that was answered: it was not. Such a save was not set aside, so there is no backup of what it replaced.
    var isLastSaveKeptAsTakenBack: Bool { isLastSaveSetAside && setAsideBackups.isEmpty }

    package var isEmpty: Bool { question == nil && remarks.isEmpty }

    /// The backups that stay until there is an answer: those of saves that were set aside, and those that remarks name.
    var backups: [String] {
        (setAside?.backups ?? setAsideBackups) + remarks.compactMap(\.backup).suffix(Self.keptBackups)
    }

    /// The open questions, in the order in which they are to be answered: first the one about the newest save.
    package var questions: [SaveQuestion] {
        let isFormer = setAside?.isOvertaken == true
        return [isFormer ? nil : setAside, purse, savedTwice, isFormer ? setAside : nil].compactMap(\.self)
    }

    /// Whether something that a game wrote waits for an answer. What two machines have each saved counts on both meanwhile.
    package var keepsFileBehind: Bool { setAside != nil || purse != nil }

    /// The question that is to be answered first.
    package var question: SaveQuestion? { setAside?.isOvertaken == false ? setAside : purse ?? savedTwice ?? setAside }

    /// Takes over the notices about the last save of a profile whose file comes along.
    mutating func takeOver(_ other: SaveNotices) {
        for remark in other.remarks { say(remark.kind, about: remark.subject, remark.words, places: remark.places) }
        setAside = setAside ?? other.setAside
        purse = purse ?? other.purse
        savedTwice = savedTwice ?? other.savedTwice
        (isLastSaveSetAside, lastSaveHoldsSetAside) = (other.isLastSaveSetAside, other.lastSaveHoldsSetAside)
        lastSaveHoldsEmptied = other.lastSaveHoldsEmptied
        setAsideBackups = other.setAsideBackups
    }

    /// The notices after an answer: without the question and the remarks. Whether the last save holds what was set
    /// aside stays known, because an answer does not change what the game has in memory.
    ///
    /// - Parameter isAccepted: Whether the answer lets the last save count as it is.
    func settled(isAccepted: Bool) -> SaveNotices {
        var rest = SaveNotices()
        rest.lastSaveHoldsSetAside = lastSaveHoldsSetAside && !isAccepted
        return rest
    }

    /// Drops what was said of rules that are in force by now.
    mutating func forget(rulesInForce rules: Set<String>) {
        remarks.removeAll { $0.kind == .rulesLost && rules.contains($0.subject) }
    }

    /// Drops what was said of places that are in step again by the rules in force.
    ///
    /// - Parameter places: The places that are `local` now.
    mutating func forget(madeLocalBut places: OverlappingPlaces) {
        remarks.removeAll { $0.kind == .madeLocal && !places.touches($0.subject) }
    }

    /// Adds a remark, in place of an older one about the same subject.
    ///
    /// - Parameters:
    ///   - places: The places that a guess is about.
    ///   - backup: The backup of the save that it is about, to be kept until there is an answer.
    mutating func say(
        _ kind: Kind, about subject: String = "", _ words: String, places: String? = nil, backup: String? = nil
    ) {
        remarks.removeAll { $0.kind == kind && $0.subject == subject }
        remarks.append(Remark(kind: kind, subject: subject, words: words, places: places, backup: backup))
        guard remarks.count(where: { $0.kind == kind }) > Self.limit else { return }
        remarks.remove(at: remarks.firstIndex { $0.kind == kind }!)
    }
}
