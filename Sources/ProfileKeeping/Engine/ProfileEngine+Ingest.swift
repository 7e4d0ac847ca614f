import LosslessJSON
package import MergeCore

/// The result of a look at a profile's file.
package enum IngestOutcome: Hashable, Sendable {
    /// The file holds the bytes that were seen last.
    case unchanged
    /// The game's save was read.
    case edited
    /// Only the player can say what the save means. Changes that cannot lose anything were made.
    case questioned
    /// There is no edit: the file is missing or cannot be used. The profile's status says why.
    case unusable
}

extension ProfileEngine {
    /// Looks at the file, and reads the game's changes. Call when the file has settled.
    ///
    /// - Parameters:
    ///   - written: A save that the game handed over. While its file is the one at the path, the path is not read, and
    ///     its content is known to be durable.
    ///   - readAfter: If it is known which game wrote a save that may be found: a time. The game has read the content
    ///     that was in the file at that time, or a later content. Else `nil`.
    ///   - isWriterKnown: Whether it is known which program writes the file.
    ///   - opens: Called once after the file was read: whether other processes have opened the file since the last
    ///     call.
    package mutating func ingest(
        _ id: ProfileID, written: WrittenSave? = nil, now: Moment, readAfter: MonotonicTime? = nil,
        isWriterKnown: Bool = false, opens: () -> FileOpens = { .none }
    ) throws(StorageFault) -> IngestOutcome {
        try finishInterrupted(id, now: now)
        guard var profile = profiles[id], let path = profile.file.path else { return .unchanged }
        let (found, handed): (FileContent?, JSONDocument?)
        do {
            (found, handed) = try content(of: path, written)
        } catch {
            profiles[id]?.file.foundUnusable(error.message, profile.file.invalidFile)
            return .unusable
        }
        profile.baseHistory.note(opens(), isSwap: false)
        profiles[id]?.baseHistory = profile.baseHistory
        guard let content = found else {
            profiles[id]?.file.foundNothing()
            return .unusable
        }
        if let quarantined = profile.file.quarantined, Bytes.equal(quarantined, content.bytes) {
            profiles[id] = profile
            return .unchanged
        }
        profile.file.foundContent()
        if Bytes.equal(profile.baseHistory.newest?.bytes, content.bytes) {
            profiles[id] = profile
            try settleRestored(&profile, path, content: content.bytes)
            return .unchanged
        }
        let save: JSONDocument
        do {
            save = try usable(content, of: profile, parsed: handed)
        } catch {
            profile.file.foundUnusable(error.message, invalidFile(profile, content, now: now))
            profiles[id] = profile
            return .unusable
        }
        if handed == nil { makeDurable(path) }
        try takeRestored(&profile, path, before: content, now: now)
        guard !Bytes.equal(profile.baseHistory.newest?.bytes, content.bytes) else {
            profile.noteVersionStatus()
            profiles[id] = profile
            return .edited
        }
        try takeUpLateWrites(&profile, path, now: now)
        guard profile.hasReadableSnapshot else { return try adoptFirst(&profile, content, save, now: now) }
        profile.baseHistory.leave(at: now.monotonic)
        let baseHistory = profile.baseHistory
        let sightings = BaseChoice.Sightings(
            startedAfter: readAfter.map { baseHistory.index(at: $0) },
            openedAfterSwap: baseHistory.candidates(.seen),
            unread: baseHistory.candidates(.none), isWriterKnown: isWriterKnown, opensTell: baseHistory.opens.tell)
        return try ingest(&profile, content, save, sightings, now: now)
    }

    /// The content of a file, with its document if the game handed that over.
    private func content(
        of path: String, _ written: WrittenSave?
    ) throws(StorageFault) -> (FileContent?, JSONDocument?) {
        if let written, written.document.bytes.count <= Self.fileLimit,
            try files.identity(of: path) == written.file
        {
            let content = FileContent(bytes: written.document.bytes, modified: written.file.modified)
            return (content, written.document)
        }
        return (try files.read(path, limit: Self.fileLimit), nil)
    }

    /// Reads a save that is at the path itself.
    private mutating func ingest(
        _ profile: inout KeptProfile, _ content: FileContent, _ save: JSONDocument, _ sightings: BaseChoice.Sightings,
        now: Moment
    ) throws(StorageFault) -> IngestOutcome {
        let snapshots = profile.baseHistory.candidates
        let taken = try takeUp(&profile, content, save, amongst: snapshots, sightings, now: now)
        if taken.isQuestion || taken.isConverted {
            if let last = profile.baseHistory.newest { try keepBackup(last.bytes, of: &profile, now: now.wall) }
            try keepBackup(content.bytes, of: &profile, now: now.wall + .milliseconds(1))
        }
        if taken.isReset, let last = profile.baseHistory.newest {
            try keepBackup(last.bytes, of: &profile, now: now.wall)
        }
        if !taken.isQuestion, !taken.isConverted, !taken.isReset, !taken.isOrderAlone {
            scheduleBackupOfFormer(&profile, now: now)
        }
        if let question = taken.question {
            ask(question, of: content.bytes, &profile)
        } else if taken.isOfProjection {
            profile.notices.setAside?.isOvertaken = true
        }
        let baseHistory = profile.baseHistory.appendGame(content.bytes, vector: taken.vector)
        profile.parsed = save
        profile.noteVersionStatus()
        if !taken.overridden.isEmpty { try keepBackup(content.bytes, of: &profile, now: now.wall) }
        if taken.isQuestion || !taken.differsWhereTouched || !taken.overridden.isEmpty
            || profile.notices.lastSaveHoldsSetAside
        {
            profile.file.compareAll()
        } else {
            profile.file.stateChanged(at: taken.unlike)
        }
        try commit(
            &profile, atoms: taken.atoms, as: taken.isReset ? .reset : .save, at: now.wall, baseHistory: baseHistory,
            lowered: taken.lowered)
        return taken.isQuestion ? .questioned : .edited
    }

    /// The meaning of a save, written into the profile's state in memory only. The caller commits it.
    struct Taken {
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
        /// Whether the game started over and said so in the save.
        var isReset = false
        /// Whether the game took the save to another version in a way that no steps describe, so that a comparison
        /// tells little.
        var isConverted = false
        /// Whether only the order of arrays changed. That is no progress in the game, and needs no backup.
        var isOrderAlone = false
        /// Whether only the places that the save changes can differ from the state: the game had read the last content
        /// of the file, and adds no element again that the state knew.
        var differsWhereTouched: Bool
        /// Whether it is known, not guessed, that the game has read a projection of this device, and not only its own
        /// save.
        var isOfProjection = false

        var isQuestion: Bool { question != nil }
    }

    mutating func takeUp(
        _ profile: inout KeptProfile, _ content: FileContent, _ save: JSONDocument,
        amongst snapshots: [BaseHistory.Snapshot],
        _ sightings: BaseChoice.Sightings = BaseChoice.Sightings(), now: Moment
    ) throws(StorageFault) -> Taken {
        // Every snapshot was parsed when it came in. One that cannot be parsed now means a damaged record.
        guard let read = ReadSave(save, amongst: snapshots, of: profile, sightings) else {
            throw StorageFault(
                .record,
                "no snapshot of \(profile.name) in the record is a document; restore the record from a backup, or "
                    + "remove it and add the save again")
        }
        profile.notices.isLastSaveSetAside = false
        let (save, choice, base) = (read.save, read.choice, read.base.snapshot)
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
            let isNewest = rest.base == read.candidates.count - 1
            if let taken = takeReset(&profile, save, asked, rest, isNewest: isNewest, context) { return taken }
        }
        let meaning = SaveMeaning(
            choice.diff, of: read.base.document, rules: profile.state.rules,
            wasSpent: profile.state.wasSpent
        ) { isOlderCopy(save, of: profile) }
        let doubt = isConverted ? nil : read.isStale ? .olderCopy : meaning.doubt
        let open = doubt == nil && !isConverted ? choice.openAmounts : []
        let changes =
            doubt != nil
            ? profile.state.safeGains(of: choice.diff)
            : isConverted ? choice.diff.converted + choice.diff.orders : choice.settledChanges
        let addsKnown = profile.state.knowsElement(addedBy: changes)
        var written = profile.state.write(changes, context, asMigrated: read.base.isMigrated)
        if !open.isEmpty, let older = choice.purse?.older {
            var olderContext = context
            // If it were written as before a reset, a choice would not count.
            if !read.sightings.outdated.contains(older) {
                olderContext.base = read.candidates[older].snapshot.vector
            }
            written.add(profile.state.write(choice.choicesOfOlder, olderContext))
        }
        if doubt == nil, !isConverted { written.add(profile.state.makeWhole(changes, of: save, context)) }
        profile.file.foundUnread(choice.diff.unreadable + written.unreadable)
        remark(overridden: written.overridden, &profile)
        // A question about a purse shows both readings. Any other remark is about the one state that the game is
        // taken to have read.
        if doubt != nil ? !read.isBaseNewest : open.isEmpty {
            remark(on: choice, isNewest: read.isBaseNewest, &profile)
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
        var taken = Taken(
            atoms: written.atoms, vector: vector, overridden: written.overridden, isConverted: isConverted,
            isOrderAlone: choice.diff.changes.isEmpty && !choice.diff.orders.isEmpty,
            differsWhereTouched: read.base.isLast && !choice.isOrderUnread && !addsKnown,
            isOfProjection: base.kind != .game && choice.evidence.certainty > .guess
                && choice.evidence != .snapshotsAgree)
        if doubt == nil { taken.lowered = meaning.lowered }
        if let doubt {
            profile.notices.lastSaveHoldsSetAside = true
            taken.question = SaveQuestion(.heldLess(doubt), time: now.wall, vector: vector, lowered: meaning.lowered)
        } else if !open.isEmpty {
            taken.question = SaveQuestion(.purse(open), time: now.wall, vector: vector, lowered: [])
            for case (let path, .value(let read?, let saved)) in choice.choicesOfOlder.map({ ($0.path, $0.change) }) {
                taken.question?.choices.append(SaveQuestion.Choice(path: path, read: read, saved: saved))
            }
        } else {
            taken.unlike = profile.state.unlike(choice.diff.changes)
        }
        return taken
    }

    /// Performs a reset that the game asked for: at the places that the rules name, the save's content is the new start
    /// for the whole household. `nil` if no epoch can begin.
    ///
    /// - Parameters:
    ///   - asked: The reset that the save asks for.
    ///   - rest: The base of the save's changes at all other places.
    private func takeReset(
        _ profile: inout KeptProfile, _ save: JSONDocument, _ asked: (selector: PathSelector, scope: String?),
        _ rest: BaseChoice, isNewest: Bool, _ context: WriteContext
    ) -> Taken? {
        // Done in a copy of the state. If no epoch can begin, the save is read as an ordinary one, and nothing may
        // count twice.
        var state = profile.state
        let written = state.write(rest.diff.writes, context)
        do {
            let reset = try state.reset(asked.selector, scope: asked.scope, to: save, context)
            profile.state = state
            profile.file.noteUnread(nil)
            remark(on: rest, isNewest: isNewest, &profile)
            profile.notices.say(
                .startedOver, about: asked.scope ?? "",
                "the game started \(asked.scope ?? "over"); what was there before is in the backups")
            var vector = context.base
            if let own = profile.state.vector.entries[profile.replica] { vector.advance(profile.replica, to: own) }
            return Taken(
                atoms: written.atoms + reset.atoms, vector: vector, overridden: written.overridden,
                isReset: true, differsWhereTouched: false)
        } catch {
            return nil
        }
    }

    /// Reads the first file of a profile that had none on this device, or whose snapshots cannot be read. Its content
    /// is a start, not an edit.
    private mutating func adoptFirst(
        _ profile: inout KeptProfile, _ content: FileContent, _ save: JSONDocument, now: Moment
    ) throws(StorageFault) -> IngestOutcome {
        let context = context(profile, now: now.wall, fileTime: content.modified, base: VersionVector())
        let written = profile.state.adopt(save.current(profile.state.rules) ?? save, context)
        let baseHistory = profile.baseHistory.appendGame(content.bytes, vector: profile.state.vector)
        profile.noteVersionStatus()
        profile.file.compareAll()
        try commit(&profile, atoms: written.atoms, as: .adopt, at: now.wall, baseHistory: baseHistory)
        return .edited
    }

    /// Parses a save; throws if it cannot be used.
    ///
    /// - Parameter parsed: The save, if it was parsed already.
    private func usable(
        _ content: FileContent, of profile: KeptProfile, parsed: JSONDocument?
    ) throws(AdoptFault) -> JSONDocument {
        if let held = profile.state.rulesHeld {
            throw AdoptFault(
                "the rules of \(profile.name) come from a newer Hearth (\(held)); update Hearth on this device")
        }
        let path = profile.file.path ?? ""
        let save: JSONDocument
        do throws(JSONSyntaxError) {
            if let parsed { save = parsed } else { save = try profile.parse(content.bytes) }
        } catch {
            let place = content.bytes.isEmpty ? "\(path) is empty" : "\(path):\(error)"
            throw AdoptFault("\(place); \(invalidFileRemedy(profile, isCutShort: error.isCutShort))")
        }
        if case .refused(let why, _) = VersionStatus(save, profile.state.rules) { throw AdoptFault("\(path) \(why)") }
        return save
    }

    /// Writes this device's own values again after rules came from another device.
    mutating func reissue(
        _ profile: inout KeptProfile, after former: RuleSet, own: Set<ReplicaID>, now: Moment
    ) -> [KeyedAtom] {
        guard former != profile.state.rules, let newest = profile.baseHistory.newest,
            let document = profile.document(newest)
        else { return [] }
        let context = context(profile, now: now.wall, fileTime: now.wall, base: VersionVector())
        return profile.state.reissue(after: former, document: document, own: own, context).atoms
    }

    /// Tells the player at which places progress was put aside. The remark stays until the player answers it.
    func remark(overridden places: Set<DocumentPath>, _ profile: inout KeptProfile) {
        for place in places.sorted().prefix(SaveNotices.limit) {
            profile.notices.say(.overridden, about: place.description, place.description)
        }
    }

    /// Tells the player which state the game was guessed to have read. The remark stays until the player answers it.
    private func remark(on choice: BaseChoice, isNewest: Bool, _ profile: inout KeptProfile) {
        // What is called likely is wrong so seldom (WhoWroteIt has the figures) that saying it would hide real guesses.
        guard choice.evidence.certainty == .guess else { return }
        // A save that equals an older state changes nothing, and is a guess as well: it may be what was just played.
        guard !choice.diff.changes.isEmpty || !isNewest || choice.isOrderUnread else { return }
        let evidence = choice.evidence.description
        profile.notices.say(.guessed, about: evidence, evidence)
    }

    /// Tells the player which values the game lowered and their rule kept. The remark stays until it is settled.
    private func remark(on lowered: [SaveMeaning.Lowered], _ profile: inout KeptProfile) {
        for place in lowered.prefix(SaveNotices.limit) {
            profile.notices.say(
                .lowered, about: place.path.description,
                "\(place.words), and the rule \(place.rule.merge.rawValue) keeps what was there")
        }
    }

    /// Tells the player where the game wrote what the rule does not take, and what was there was put back. The remark
    /// stays until it is settled.
    private func remark(onPutBack places: [UnreadableLeaf], _ profile: inout KeptProfile) {
        for place in places.prefix(SaveNotices.limit) {
            profile.notices.say(.notRead, about: place.path.description, "\(place.path) (\(place.reason))")
        }
    }
}
