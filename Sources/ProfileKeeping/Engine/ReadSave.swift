import LosslessJSON
import MergeCore

/// A save beside the snapshots of its file, and the one that its game is taken to have read.
struct ReadSave {
    /// A snapshot that the game can have read.
    struct Candidate {
        let snapshot: BaseHistory.Snapshot
        /// Its content, as a document of the version that the rules describe.
        let document: JSONDocument
        /// Whether the game took it to a later version by itself.
        let isMigrated: Bool
        /// Whether it did so in a way that no steps describe, so that a comparison tells little.
        let isConverted: Bool
        /// Whether it is the last one of all snapshots.
        let isLast: Bool
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
    init?(
        _ save: JSONDocument, amongst snapshots: [BaseHistory.Snapshot], of profile: KeptProfile,
        _ seen: BaseChoice.Sightings
    ) {
        let rules = profile.state.rules
        let measured = MeasuredSave(save, against: snapshots.map { profile.document($0) }, rules)
        let usable = snapshots.indices.filter { measured.snapshots[$0] != nil }
        guard !usable.isEmpty else { return nil }
        self.save = measured.save
        isStale = measured.isStale
        candidates = usable.map { index in
            Candidate(
                snapshot: snapshots[index], document: measured.snapshots[index]!, isMigrated: measured.migrated[index],
                isConverted: measured.converted[index], isLast: index == snapshots.count - 1)
        }
        var sightings = seen
        sightings.startedAfter = seen.startedAfter.map { started in usable.lastIndex { $0 <= started } ?? 0 }
        sightings.openedAfterSwap = Set(usable.indices.filter { seen.openedAfterSwap.contains(usable[$0]) })
        sightings.unread = Set(usable.indices.filter { seen.unread.contains(usable[$0]) })
        sightings.outdated = Set(
            usable.indices.filter { !profile.state.coversEveryEpoch(snapshots[usable[$0]].vector) })
        if profile.notices.isLastSaveSetAside, candidates[0].snapshot.kind == .game { sightings.notAccepted = [0] }
        self.sightings = sightings
        choice = BaseChoice(
            among: candidates.map(\.document), for: measured.save, rules: rules, sightings: sightings)
    }

    var base: Candidate { candidates[choice.base] }

    var isBaseNewest: Bool { choice.base == candidates.count - 1 }

    /// The choice of the base for what a save does beside starting over at some places.
    func choice(startingOverAt places: PathSelector, rules: RuleSet) -> BaseChoice {
        BaseChoice(
            among: candidates.map(\.document), for: save, rules: rules, sightings: sightings, startedOver: places)
    }
}
