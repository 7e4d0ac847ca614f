import LosslessJSON
import MergeCore

/// A save beside the snapshots of its file, and the one that its game is taken to have read.
struct ReadSave {
    /// A snapshot that the game can have read.
    struct Candidate {
        let snapshot: BaseHistory.Snapshot
        /// Its content, as a document of the version that the rules describe, with the arrays that no longer could be
        /// told apart by a key as they last could.
        let readable: LastReadable
        /// The writes that those arrays contain.
        let readableVector: VersionVector
        /// Whether the game took it to a later version by itself.
        let isMigrated: Bool
        /// Whether it did so in a way that no steps describe, so that a comparison tells little.
        let isConverted: Bool
        /// Whether it is the last one of all snapshots.
        let isLast: Bool

        var document: JSONDocument { readable.document }

        /// What later saves are compared with where a save that was made on this snapshot holds arrays that cannot be told
        /// apart by a key; `nil` where this snapshot has none of them either.
        func lastReadable(of save: JSONDocument, _ diff: DocumentDiff, _ rules: RuleSet) -> BaseHistory.Snapshot? {
            guard !diff.unreadable.isEmpty,
                case let arrays = LastReadable(save, former: document, rules).arrays, !arrays.isEmpty
            else { return nil }
            let isOlder = !arrays.isDisjoint(with: readable.arrays)
            return BaseHistory.Snapshot(
                kind: .dropped, bytes: document.bytes, vector: isOlder ? readableVector : snapshot.vector)
        }
    }

    /// The save, as a document of the version that the rules describe.
    let save: JSONDocument
    /// The oldest first; not empty.
    let candidates: [Candidate]
    /// The observations of processes; their numbers are indexes of ``candidates``.
    let sightings: BaseChoice.Sightings
    let choice: BaseChoice
    /// Whether every snapshot is of a later version than the save.
    let isStale: Bool
    /// The reset, restore or undo after which the save seems to go on from what that took back; `nil` where there is none.
    private let wayBack: WayBack?

    /// Places where the save holds what the newest snapshot does not, and nothing counts of it, because its game is guessed
    /// to have read an older snapshot that held the same. Had it read the newest, it was played. `nil` where there is no
    /// such guess or no such place.
    ///
    /// - Parameters:
    ///   - choice: Which snapshot was taken, and what that rests on.
    ///   - places: Where the game starts over, if it does. Everything counts there.
    func leftOut(
        by choice: BaseChoice, startingOverAt places: PathSelector? = nil, rules: RuleSet
    ) -> (places: [DocumentPath], evidence: String)? {
        guard choice.evidence.certainty == .guess, choice.base < candidates.count - 1, let newest = candidates.last
        else {
            return nil
        }
        let counted = Set(choice.diff.changes.map(\.path))
        let gains = DocumentDiff(from: newest.document, to: save, rules: rules).changes.filter { change in
            change.holdsNew && places?.covers(change.path) != true
        }
        let left = Set(gains.map(\.path)).subtracting(counted).sorted()
        return left.isEmpty ? nil : (left, choice.words)
    }

    /// Chooses the base of a save; `nil` where no snapshot is a document.
    ///
    /// - Parameters:
    ///   - snapshots: The snapshots of the file, the oldest first.
    ///   - seen: The observations of processes; their numbers are indexes of `snapshots`.
    ///   - steps: Called where the save seems to go on from an older snapshot: the last steps of the history, the newest
    ///     first.
    init?(
        _ save: JSONDocument, amongst snapshots: [BaseHistory.Snapshot], of profile: KeptProfile,
        _ seen: BaseChoice.Sightings, steps: () -> [HistoryEntry] = { [] }
    ) {
        let rules = profile.state.rules
        let measured = MeasuredSave(save, against: snapshots.map { profile.document($0) }, rules)
        let usable = snapshots.indices.filter { measured.snapshots[$0] != nil }
        guard !usable.isEmpty else { return nil }
        self.save = measured.save
        isStale = measured.isStale
        let former = profile.baseHistory.lastReadable.flatMap { held in
            profile.document(held).flatMap { Self.measured($0, save, rules) }.map { ($0, held.vector) }
        }
        candidates = usable.map { index in
            let document = measured.snapshots[index]!
            return Candidate(
                snapshot: snapshots[index],
                readable: former.map { LastReadable(document, former: $0.0, rules) } ?? LastReadable(document),
                readableVector: former?.1 ?? snapshots[index].vector, isMigrated: measured.migrated[index],
                isConverted: measured.converted[index], isLast: index == snapshots.count - 1)
        }
        var sightings = seen
        sightings.startedAfter = seen.startedAfter.map { started in usable.lastIndex { $0 <= started } ?? 0 }
        sightings.runningSince = seen.runningSince.map { since in usable.lastIndex { $0 <= since } ?? 0 }
        sightings.openedAfterSwap = Set(usable.indices.filter { seen.openedAfterSwap.contains(usable[$0]) })
        sightings.unread = Set(usable.indices.filter { seen.unread.contains(usable[$0]) })
        sightings.passing = Set(usable.indices.filter { seen.passing.contains(usable[$0]) })
        let candidates = candidates
        sightings.outdated = Set(
            candidates.indices.filter { index in
                func changes(from snapshot: Candidate) -> [LeafChange] {
                    DocumentDiff(from: snapshot.document, to: measured.save, rules: rules).changes
                }
                return profile.state.putsAside(
                    { changes(from: candidates[index]) }, read: candidates[index].snapshot.vector,
                    others: { changes(from: candidates[candidates.count - 1]) })
            })
        if profile.notices.isLastSaveSetAside, !profile.notices.isLastSaveKeptAsTakenBack,
            candidates[0].snapshot.kind == .game
        {
            sightings.notAccepted = [0]
        }
        let documents = candidates.map(\.document)
        var choice = BaseChoice(among: documents, for: measured.save, rules: rules, sightings: sightings)
        let wayBack = choice.base < candidates.count - 1 ? WayBack(shownBy: candidates, steps()) : nil
        if let wayBack {
            sightings.playedAgain = wayBack.playedAgain(measured.save, candidates, rules)
            if !sightings.playedAgain.isEmpty {
                choice = BaseChoice(among: documents, for: measured.save, rules: rules, sightings: sightings)
            }
        }
        self.wayBack = wayBack.flatMap { $0.isOpened(sightings) ? $0 : nil }
        self.sightings = sightings
        self.choice = choice
    }

    /// The places about which only the player can tell: by its content, the save goes on from what a reset, a restore or an
    /// undo took back; but a program has opened the file since, so that its game may have read that and have come to the same
    /// again. There the save holds more than the file showed, and it would be lost. Empty where nobody is to be asked.
    func placesPlayedAgain(rules: RuleSet) -> [LeafChange] {
        guard let wayBack, wayBack.takenBack.contains(choice.base), let newest = candidates.last else { return [] }
        let known = Set(choice.diff.changes)
        return DocumentDiff(from: newest.document, to: save, rules: rules).changes.filter {
            $0.holdsNew && !known.contains($0)
        }
    }

    /// A snapshot as a document of the version that the rules describe; `nil` where no steps lead there.
    private static func measured(_ snapshot: JSONDocument, _ save: JSONDocument, _ rules: RuleSet) -> JSONDocument? {
        let measured = MeasuredSave(save, against: [snapshot], rules)
        return measured.converted[0] ? nil : measured.snapshots[0]
    }

    var base: Candidate { candidates[choice.base] }

    var isBaseNewest: Bool { choice.base == candidates.count - 1 }

    /// The snapshots that the game may have read in place of the base, by all that was seen of processes, each with what
    /// it did then. Of snapshots of equal content there is one reading. The base is among them where its game is taken
    /// not to have read the order of its arrays.
    func otherReadings(rules: RuleSet) -> [(base: Candidate, diff: DocumentDiff)] {
        let first = sightings.startedAfter ?? 0
        return candidates.indices.compactMap { index -> (base: Candidate, diff: DocumentDiff)? in
            if index < first, choice.base >= first { return nil }
            let isOpenedLess = sightings.unread.contains(index) && !sightings.unread.contains(choice.base)
            if index != choice.base, isOpenedLess, choice.evidence != .heldByUnread { return nil }
            let diff = DocumentDiff(from: candidates[index].document, to: save, rules: rules)
            let isOtherOrder = index == choice.base && choice.isOrderUnread
            return isOtherOrder || !diff.isFromSameContent(as: choice.diff) ? (candidates[index], diff) : nil
        }
    }

    /// The choice of the base for what a save does beside starting over at some places.
    func choice(startingOverAt places: PathSelector, rules: RuleSet) -> BaseChoice {
        BaseChoice(
            among: candidates.map(\.document), for: save, rules: rules, sightings: sightings, startedOver: places)
    }
}
