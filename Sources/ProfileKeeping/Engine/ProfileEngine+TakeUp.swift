import LosslessJSON
import MergeCore

/// What a save means for its profile: the writes in it, the question that it raises, or the reset that it asks for.
extension ProfileEngine {
    /// The meaning of a save, written into the profile's state in memory only. The caller commits it.
    struct IngestedSave {
        var atoms: [KeyedAtom]
        /// The writes that the save contains: those of its base snapshot, and its own.
        var vector: VersionVector
        /// Places whose change came too late, after a reset or restore that the game had not read.
        var overridden: Set<DocumentPath>
        /// The question that only the player can answer; `nil` for none.
        var question: SaveQuestion?
        /// Places where the profile shows another value than the save. The file is brought to what the profile shows.
        var unlike: [AtomKey] = []
        /// Places that the save lowered and whose rules kept the former value, though the save counts.
        var lowered: [SaveMeaning.Lowered] = []
        /// What the game wrote and never showed, because another device had written the place later.
        var lost: [LostWrite] = []
        /// Whether the game started over and said so in the save.
        var isReset = false
        /// Whether the game took the save to another version in a way that no steps describe, so that a comparison
        /// tells little.
        var isConverted = false
        /// Whether only the order of arrays changed. That is no progress in the game, and needs no backup.
        var isOrderAlone = false
        /// What the next save is compared with at the arrays of this one that cannot be told apart by a key; `nil` where
        /// it has none.
        var lastReadable: BaseHistory.Snapshot?
        /// Whether only the places that the save changes can differ from the state: the game had read the last content
        /// of the file, and adds no element again that the state knew.
        var differsWhereTouched: Bool
        /// Whether the game has gone on from a projection of this device, and not only from its own save, or has started
        /// over; `nil` where it has not, or where that makes no difference.
        var projection: Reading?
        /// Whether the save shows that its game had read the newest projection.
        var hasReadNewest = false
        /// Places of the save that do not count, because of a guess of what its game had read, and what that rests on.
        /// Where there are any, the save is to be kept and ``ProfileEngine/remark(leftOut:by:_:)`` called.
        var leftOut: (places: [DocumentPath], evidence: String)?

        var isQuestion: Bool { question != nil }

        /// How it is known what a game has read.
        enum Reading { case guessed, known }
    }

    /// The steps of the history in which a way back, and the play before it, is looked for.
    private static var stepsOfPlay: Int { 12 }

    /// - Parameter isLastUnshown: Whether the last snapshot is what the file held before a save that was set aside, and has
    ///   not shown again yet.
    mutating func takeUp(
        _ profile: inout KeptProfile, _ content: FileContent, _ save: JSONDocument,
        amongst snapshots: [BaseHistory.Snapshot], isLastUnshown: Bool = false,
        _ sightings: BaseChoice.Sightings = BaseChoice.Sightings(), now: Moment
    ) throws(StorageFault) -> IngestedSave {
        // Every snapshot was parsed when it came in. One that cannot be parsed now means a damaged record.
        let read = ReadSave(save, amongst: snapshots, of: profile, sightings) { [self, id = profile.id] in
            // Without them, the choice rests on the contents alone.
            (try? history(id, limit: Self.stepsOfPlay).map(\.entry)) ?? []
        }
        guard let read else {
            throw StorageFault(
                .record,
                "no snapshot of \(profile.name) in the record is a document; restore the record from a backup, or "
                    + "remove it and add the save again")
        }
        let wasKept = profile.notices.isLastSaveKeptAsTakenBack
        profile.notices.isLastSaveSetAside = false
        let (save, choice, base) = (read.save, read.choice, read.base.snapshot)
        let heldSetAside = profile.notices.lastSaveHoldsSetAside
        // If a game read the file that Hearth wrote, its save holds nothing that was set aside. If it goes on from
        // its own last save, it writes what was set aside again with each save.
        if base.kind != .game { profile.notices.lastSaveHoldsSetAside = false }
        let isConverted = read.base.isConverted
        var context = context(profile, now: now.wall, fileTime: content.modified, base: base.vector)
        context.baseHoldsSetAside = profile.notices.lastSaveHoldsSetAside
        if let last = read.candidates.last,
            let asked = profile.state.rules.resetAsked(by: save, since: last.document)
        {
            let rest = read.choice(startingOverAt: asked.selector, rules: profile.state.rules)
            var context = context
            context.base = read.candidates[rest.base].snapshot.vector
            if let ingested = takeReset(&profile, read, asked, rest, context) { return ingested }
        }
        let meaning = SaveMeaning(
            choice.diff, of: read.base.document, rules: profile.state.rules,
            wasSpent: profile.state.wasSpent
        ) { isOlderCopy(save, of: profile) }
        // After a save that lacked over half, `played` leaves out what would overwrite the rest; `nil` for any other save.
        let played =
            isConverted || read.isStale || meaning.isQuestion || !profile.notices.lastSaveHoldsEmptied
            ? nil : profile.state.played(choice.settledChanges, since: read.base.document)
        let doubt = isConverted ? nil : read.isStale ? .olderCopy : meaning.doubt ?? played.map { _ in .afterEmpty }
        let open = doubt == nil && !isConverted ? choice.openAmounts : []
        var changes =
            doubt != nil
            ? played ?? profile.state.safeGains(of: choice.diff)
            : isConverted ? choice.diff.converted + choice.diff.orders : choice.settledChanges
        let isPlay = doubt == nil || played != nil
        // The player is asked, once: whoever goes on from the save that was asked about says nothing new. Until there is an
        // answer, it counts as the save of a game that had in memory what was taken back.
        let again =
            doubt == nil && open.isEmpty && !isConverted ? read.placesPlayedAgain(rules: profile.state.rules) : []
        let wasAsked = base.kind == .game && (wasKept || profile.notices.asksOfTakenBack)
        if wasKept, base.kind == .game { profile.notices.isLastSaveSetAside = true }
        let isAgain = !again.isEmpty && !wasAsked
        if isPlay, context.baseHoldsSetAside { changes += profile.state.restOfHidden(changes, of: save) }
        let addsKnown = profile.state.knowsElement(addedBy: changes)
        // Held only where it is needed: while a copy of the state is held, writing copies all of it.
        let former = doubt == nil && open.isEmpty && choice.evidence.certainty == .guess ? profile.state : nil
        var written = profile.state.write(changes, on: read.base, context)
        if !open.isEmpty, let older = choice.purse?.older {
            var olderContext = context
            // If it were written as before a reset, a choice would not count.
            if !read.sightings.outdated.contains(older) {
                olderContext.base = read.candidates[older].snapshot.vector
            }
            written.add(profile.state.write(choice.choicesOfOlder, olderContext))
        }
        if isPlay, !isConverted { written.add(profile.state.makeWhole(changes, of: save, context)) }
        // Where another reading leads to something else, and at which places.
        var (isGuess, doubtful) = (former != nil && isConverted, Set<DocumentPath>())
        if let former, !isConverted {
            for other in read.otherReadings(rules: former.rules) {
                if heldSetAside, (other.base.snapshot.kind == .game) != (base.kind == .game) { isGuess = true }
                guard let places = unlike(written, as: other, of: read, former, context, profile) else { continue }
                isGuess = true
                doubtful.formUnion(places)
            }
        }
        profile.file.foundUnread(choice.diff.unreadable + choice.diff.repeated + written.unreadable)
        remark(overridden: written.overridden, &profile)
        // A question about a purse shows both readings. Any other remark is about the one state that the game is
        // taken to have read; there is nothing to say where any other one leads to the same.
        // The last snapshot tells what a guess leaves out. One that the file has not shown again does not tell it.
        let leftOut = isGuess && !isLastUnshown && !isAgain ? read.leftOut(by: choice, rules: profile.state.rules) : nil
        if leftOut == nil, doubt != nil ? played == nil && !read.isBaseNewest : isGuess && !isAgain {
            remark(on: choice, isNewest: read.isBaseNewest, isSetAside: doubt != nil, at: doubtful, &profile)
        } else if let leftOut {
            // The places that the guess leaves out are named by another remark (`remark(leftOut:by:_:)`). This one names the
            // other places in doubt, such as a counter that may have counted twice.
            let others = doubtful.filter { place in !leftOut.places.contains { place.isAtOrBelow($0) } }
            if !others.isEmpty {
                remark(on: choice, isNewest: read.isBaseNewest, isSetAside: false, at: others, &profile)
            }
        }
        if doubt == nil, open.isEmpty { remark(on: meaning.lowered, &profile) }
        if doubt == nil { remark(onPutBack: profile.state.putBack(written.unreadable, in: save), &profile) }
        var vector = base.vector
        // A reset by this device that the game had not read must not count as read: the old progress would come
        // back.
        if let own = profile.state.vector.entries[profile.replica],
            !profile.state.beganEpoch(profile.replica, after: base.vector.sequence(of: profile.replica))
        {
            vector.advance(profile.replica, to: own)
        }
        var ingested = IngestedSave(
            atoms: written.atoms, vector: vector, overridden: written.overridden, isConverted: isConverted,
            isOrderAlone: choice.diff.changes.isEmpty && !choice.diff.orders.isEmpty,
            differsWhereTouched: read.base.isLast && !choice.isOrderUnread && !choice.areRemovalsUnread && !addsKnown
                && !choice.diff.isFirstRead && read.base.readable.arrays.isEmpty, leftOut: leftOut)
        ingested.lastReadable = read.base.lastReadable(of: save, choice.diff, profile.state.rules)
        if base.kind != .game, choice.evidence != .snapshotsAgree {
            ingested.projection = choice.evidence.certainty > .guess ? .known : .guessed
            ingested.hasReadNewest = read.base.isLast && ingested.projection == .known
        }
        if doubt == nil {
            ingested.lowered = meaning.lowered
            ingested.lost = profile.state.lost(of: changes, except: written.overridden, context)
        }
        if let doubt {
            profile.notices.lastSaveHoldsSetAside = true
            if doubt == .mostlyGone { profile.notices.lastSaveHoldsEmptied = true }
            ingested.question = SaveQuestion(.heldLess(doubt), time: now.wall, vector: vector, lowered: meaning.lowered)
        } else if !open.isEmpty {
            ingested.question = SaveQuestion(.purse(open), time: now.wall, vector: vector, lowered: [])
            for case (let path, .value(let read?, let saved)) in choice.choicesOfOlder.map({ ($0.path, $0.change) }) {
                ingested.question?.choices.append(SaveQuestion.Choice(path: path, read: read, saved: saved))
            }
        } else if isAgain {
            ingested.question = SaveQuestion(again, time: now.wall, vector: vector)
        } else {
            ingested.unlike = profile.state.unlike(choice.diff.changes)
        }
        return ingested
    }

    /// The places at which a save would have led to another state had its game read another snapshot; `nil` where all of
    /// it would be the same. Empty where the save would have been a question then.
    ///
    /// - Parameters:
    ///   - written: What was written for the save.
    ///   - other: The other snapshot, and what the game did if it had read that.
    ///   - former: The state before the save.
    ///   - context: Who writes, and when.
    private func unlike(
        _ written: WriteResult, as other: (base: ReadSave.Candidate, diff: DocumentDiff), of read: ReadSave,
        _ former: ProfileState, _ context: WriteContext, _ profile: KeptProfile
    ) -> Set<DocumentPath>? {
        let meaning = SaveMeaning(
            other.diff, of: other.base.document, rules: former.rules, wasSpent: former.wasSpent
        ) { isOlderCopy(read.save, of: profile) }
        guard meaning.doubt == nil, !other.base.isConverted else { return [] }
        var (state, context) = (former, context)
        context.base = other.base.snapshot.vector
        var result = state.write(other.diff.writes, on: other.base, context)
        result.add(state.makeWhole(other.diff.writes, of: read.save, context))
        let unlike = Set(result.atoms).symmetricDifference(written.atoms)
        guard !unlike.isEmpty || result.overridden != written.overridden else { return nil }
        let places = former.places(of: unlike.map(\.key).filter { $0.kind != .order })
        return Set(places).union(result.overridden.symmetricDifference(written.overridden))
    }

    /// Performs a reset that the game asked for: at the places that the rules name, the save's content is the new start
    /// for the whole household. `nil` if no epoch can begin.
    ///
    /// - Parameters:
    ///   - asked: The reset that the save asks for.
    ///   - rest: The base of the save's changes at all other places.
    private func takeReset(
        _ profile: inout KeptProfile, _ read: ReadSave, _ asked: (selector: PathSelector, scope: String?),
        _ rest: BaseChoice, _ context: WriteContext
    ) -> IngestedSave? {
        // Done in a copy of the state. If no epoch can begin, the save is read as an ordinary one, and nothing may
        // count twice.
        var state = profile.state
        let base = read.candidates[rest.base]
        let written = state.write(rest.diff.writes, on: base, context)
        do {
            let reset = try state.reset(asked.selector, scope: asked.scope, to: read.save, context)
            let leftOut = read.leftOut(by: rest, startingOverAt: asked.selector, rules: profile.state.rules)
            profile.state = state
            profile.file.noteUnread(nil)
            if leftOut == nil { remark(on: rest, isNewest: rest.base == read.candidates.count - 1, &profile) }
            profile.notices.say(
                .startedOver, about: asked.scope ?? "",
                "the game started \(asked.scope ?? "over"); what was there before is in the backups")
            var vector = context.base
            if let own = profile.state.vector.entries[profile.replica] { vector.advance(profile.replica, to: own) }
            var ingested = IngestedSave(
                atoms: written.atoms + reset.atoms, vector: vector, overridden: written.overridden,
                isReset: true, differsWhereTouched: false, projection: .known, leftOut: leftOut)
            ingested.lastReadable = base.lastReadable(of: read.save, rest.diff, profile.state.rules)
            return ingested
        } catch {
            profile.notices.say(
                .startedOver, about: asked.scope ?? "",
                "the game started \(asked.scope ?? "over"), which counts as play this time, so what other machines had may "
                    + "come back: \(error)")
            return nil
        }
    }
}

extension ProfileState {
    /// Writes what a game did since it had read a snapshot. In arrays that this snapshot did not hold so that they could
    /// be told apart by a key, the game had read what the snapshot before them contains, and no later write.
    fileprivate mutating func write(
        _ changes: [LeafChange], on base: ReadSave.Candidate, _ context: WriteContext
    ) -> WriteResult {
        let (inArrays, others) = base.readable.parted(changes)
        var written = write(others, context, asMigrated: base.isMigrated)
        guard !inArrays.isEmpty else { return written }
        var earlier = context
        earlier.base = base.readableVector
        written.add(write(inArrays, earlier, asMigrated: base.isMigrated))
        return written
    }
}
