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
    ///   - runningSince: If it is known that a program wrote a save that may be found, and which runs: a time at which it
    ///     had been started. Else `nil`.
    ///   - opens: Called once after the file was read: whether other processes have opened the file since the last
    ///     call.
    package mutating func ingest(
        _ id: ProfileID, written: WrittenSave? = nil, now: Moment, readAfter: MonotonicTime? = nil,
        isWriterKnown: Bool = false, runningSince: MonotonicTime? = nil, opens: () -> FileOpens = { .none }
    ) throws(StorageFault) -> IngestOutcome {
        try finishInterrupted(id, now: now)
        guard var profile = profiles[id], let path = profile.file.path else { return .unchanged }
        try profile.readHistory()
        let (found, handed): (FileContent?, JSONDocument?)
        do {
            (found, handed) = try content(of: path, written)
        } catch {
            profiles[id]?.file.foundUnusable(error.message, profile.file.invalidFile)
            return .unusable
        }
        let seen = opens()
        profile.keptHistory.note(seen, isSwap: false)
        profile.ownSaves.note(seen, at: now.monotonic)
        profiles[id]?.keptHistory = profile.keptHistory
        profiles[id]?.ownSaves = profile.ownSaves
        guard let content = found else {
            profile.file.foundNothing()
            forgetQuarantine(&profile)
            profiles[id] = profile
            return .unusable
        }
        if let quarantined = profile.file.quarantined, Bytes.equal(quarantined, content.bytes) {
            profiles[id] = profile
            return .unchanged
        }
        let isQuarantined = profile.file.isUnseen && wasQuarantined(content.bytes, profile, at: path)
        if !isQuarantined { forgetQuarantine(&profile) }
        let isFirstLook = profile.file.isUnseen
        profile.file.foundContent()
        if Bytes.equal(profile.baseHistory.newest?.bytes, content.bytes) {
            if isFirstLook, profile.showsStateByRecord { profile.file.showsState() }
            try noteRepeat(&profile, path, readAfter: readAfter)
            profiles[id] = profile
            try settleRestored(&profile, path, content: content.bytes)
            return .unchanged
        }
        try profile.read()
        let save: JSONDocument
        do {
            save = try usable(content, of: profile, parsed: handed)
        } catch {
            if isQuarantined {
                profile.file.quarantine(content.bytes)
                profiles[id] = profile
                return .unchanged
            }
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
        let baseHistory = profile.baseHistory
        let opensTell =
            profile.ownSavesTell(at: now.monotonic)
            || baseHistory.opens.tell && !profile.ownSaves.speakAgainstOpens
        let sightings = BaseChoice.Sightings(
            startedAfter: readAfter.map { baseHistory.index(at: $0) },
            openedAfterSwap: baseHistory.candidates(.seen),
            unread: baseHistory.candidates(.none), passing: baseHistory.passing, isWriterKnown: isWriterKnown,
            opensTell: opensTell,
            runningSince: runningSince.map { baseHistory.index(at: $0) })
        return try ingest(&profile, content, save, sightings, seen, now: now)
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
    ///
    /// - Parameter opens: What was seen of opens with this look.
    private mutating func ingest(
        _ profile: inout KeptProfile, _ content: FileContent, _ save: JSONDocument, _ sightings: BaseChoice.Sightings,
        _ opens: FileOpens, now: Moment
    ) throws(StorageFault) -> IngestOutcome {
        let unshown = unshownSnapshot(profile)
        let before = savedBefore(save, profile)
        let taken = try takeUp(
            &profile, content, save, amongst: profile.baseHistory.candidates + (unshown.map { [$0] } ?? []),
            isLastUnshown: unshown != nil, sightings, now: now)
        if !taken.isQuestion, !taken.isConverted, !taken.isReset { askWhatWasSavedTwice(before, &profile, now: now) }
        // A read that was concluded from own saves does not count for the snapshots: it would confirm itself.
        if !profile.ownSavesTell(at: now.monotonic) {
            profile.baseHistory.leave(at: now.monotonic, isRead: taken.hasReadNewest)
        }
        if !taken.isQuestion, !taken.isConverted, !taken.isReset, !taken.isOrderAlone {
            scheduleBackupOfFormer(&profile, now: now)
        }
        try keepAndSay(taken, of: content.bytes, since: profile.baseHistory.newest?.bytes, &profile, now: now)
        let baseHistory = profile.baseHistory.appendGame(
            content.bytes, vector: taken.vector, lastReadable: taken.lastReadable)
        profile.ownSaves.wrote(opens, at: now.monotonic)
        profile.parsed = save
        profile.noteVersionStatus()
        if taken.isQuestion || !taken.differsWhereTouched || !taken.overridden.isEmpty
            || profile.notices.lastSaveHoldsSetAside || unshown != nil
        {
            profile.file.compareAll()
        } else {
            profile.file.stateChanged(at: taken.unlike)
        }
        try commit(
            &profile, atoms: taken.atoms, as: taken.isReset ? .reset : .save, at: now.wall, baseHistory: baseHistory,
            lowered: taken.lowered, lost: taken.lost)
        return taken.isQuestion ? .questioned : .edited
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
            throw AdoptFault("\(place); \(invalidFileRemedy(profile, isUnfinished: error.isUnfinished))")
        }
        if case .refused(let why, _) = VersionStatus(save, profile.state.rules) { throw AdoptFault("\(path) \(why)") }
        return save
    }
}
