import MergeCore

/// How a file gets new content: the steps 3 to 11 of a projection, each of which a crash may be the last of.
extension ProfileEngine {
    /// Steps 3 to 11 of the projection; false where the game saved first.
    ///
    /// - Parameter isBackedUp: Whether to keep a backup of the former content. Not where it is no save and lies in
    ///   quarantine, nor where only its order changes.
    mutating func replace(
        _ profile: inout KeptProfile, _ path: String, _ expected: [UInt8]?, with bytes: [UInt8],
        isBackedUp: Bool = true, tag: UInt64, now: Moment
    ) throws(StorageFault) -> Bool {
        try dropRestored(&profile, path)
        // 3: the former content is in the record, durably. Its backup is noted as pending.
        if expected != nil, isBackedUp { try scheduleBackup(&profile, now: now) }
        // 4: the intent, in one transaction with that note.
        let intent = intent(profile, expected, with: bytes, tag: tag)
        let draft = expected == nil ? nil : files.draft(bytes, for: path)
        try commit(&profile, intent: .set(intent))
        return try carryOut(intent, &profile, path, expected, with: bytes, draft, now: now)
    }

    /// The intent to write bytes into the file.
    func intent(_ profile: KeptProfile, _ expected: [UInt8]?, with bytes: [UInt8], tag: UInt64) -> Intent {
        Intent(
            temporary: Self.temporaryPrefix + String(tag, radix: 16),
            byteDiff: ByteDiff(from: profile.baseHistory.newest?.bytes ?? [], to: bytes),
            vector: profile.state.vector, targetWasAbsent: expected == nil)
    }

    /// Steps 5 to 11; false where the game saved first.
    ///
    /// - Parameter draft: The same bytes, written and synced while the intent was stored.
    mutating func carryOut(
        _ intent: Intent, _ profile: inout KeptProfile, _ path: String, _ expected: [UInt8]?, with bytes: [UInt8],
        _ draft: (any FileDraft)?, now: Moment
    ) throws(StorageFault) -> Bool {
        let name = intent.temporary
        var written: FileIdentity?
        do throws(StorageFault) {
            // 5: the new file, complete and durable, beside the old one.
            if draft?.move(to: name, beside: path) != true { try files.stage(bytes, as: name, beside: path) }
            // The name is made durable too. A game may save into the new file, durably, right after the swap and before
            // the folder is synced.
            try files.syncFolder(of: path)
            // 6: if the game saved meanwhile, drop the new file and start again.
            if !Bytes.equal(try files.read(path, limit: Self.fileLimit)?.bytes, expected) {
                try abandon(&profile, path)
                return false
            }
            // 7: the swap.
            if expected == nil {
                try files.place(name, at: path)
            } else {
                written = try files.exchange(name, with: path)
            }
        } catch {
            // If this fails as well, the intent stays, and the next look at the file cleans up.
            try? abandon(&profile, path)
            if error.reason == .changed { return false }
            throw error
        }
        // 8: durable.
        try files.syncFolder(of: path)
        try finish(&profile, path, intent, bytes, expected, as: written, now: now)
        return true
    }

    /// Steps 9 to 11: the content that came back from the swap, the new snapshot, the displaced file.
    ///
    /// - Parameter written: The identity of the new file, where this event put it there.
    mutating func finish(
        _ profile: inout KeptProfile, _ path: String, _ intent: Intent, _ bytes: [UInt8], _ expected: [UInt8]?,
        as written: FileIdentity? = nil, now: Moment
    ) throws(StorageFault) {
        let base = profile.baseHistory.newest
        let displaced = try files.readStaged(intent.temporary, beside: path, limit: Self.fileLimit)
        // 9 and 10, in one transaction: a save that was swapped away unseen, the new snapshot, no intent any more.
        var baseHistory = BaseHistory.Change(from: nil, rows: [])
        var atoms: [KeyedAtom] = []
        var vector = base?.vector ?? VersionVector()
        var (lowered, lost) = ([SaveMeaning.Lowered](), [LostWrite]())
        var showsState = true
        var notes = NoteChange()
        if profile.quarantinePrint != nil { notes.delete(Self.quarantineNotes.key(profile.id)) }
        profile.quarantinePrint = nil
        let isExpected = Bytes.equal(displaced?.bytes, expected)
        if let displaced, base != nil, !isExpected, !Bytes.equal(displaced.bytes, bytes) {
            if let save = try document(displaced, of: &profile, named: intent.temporary) {
                try? files.syncStaged(intent.temporary, beside: path)
                // The game of that save need not have read the file that it replaced: it may have an older snapshot in
                // memory.
                let unshown = unshownSnapshot(profile)
                let taken = try takeUp(
                    &profile, displaced, save, amongst: profile.baseHistory.candidates + (unshown.map { [$0] } ?? []),
                    isLastUnshown: unshown != nil, now: now)
                try keepAndSay(taken, of: displaced.bytes, since: base?.bytes, &profile, now: now)
                (atoms, vector) = (taken.atoms, taken.vector)
                (lowered, lost) = (taken.lowered, taken.lost)
                baseHistory = profile.baseHistory.appendGame(
                    displaced.bytes, vector: vector, lastReadable: taken.lastReadable)
            }
            showsState = false
        }
        profile.baseHistory.leave(at: now.monotonic)
        profile.ownSaves.replaced()
        // A save that was set aside is swapped away, and its game may still have in memory what the file held before it. What
        // came in meanwhile is in the new bytes as well, so that they do not tell what the game had read.
        if let former = unshownSnapshot(profile), former.bytes != bytes {
            baseHistory = baseHistory.followed(
                by: profile.baseHistory.appendProjected(former.bytes, vector: former.vector, at: now.monotonic))
        }
        let byteDiff = Bytes.equal(base?.bytes, profile.baseHistory.newest?.bytes) ? intent.byteDiff : nil
        baseHistory = baseHistory.followed(
            by: profile.baseHistory.appendProjected(
                bytes, vector: intent.vector, at: now.monotonic, isPutNow: written != nil, by: byteDiff))
        profile.trouble = nil
        // 11: a process may still hold the displaced file open.
        let item = displaced.map {
            KeptProfile.Displaced(name: intent.temporary, bytes: $0.bytes, vector: vector, since: now.monotonic)
        }
        if let item { profile.displaced.append(item) }
        profile.file.swapped(
            ProjectionProgress.UnwrittenEnd(baseHistory: baseHistory, displaced: item), as: written,
            showsState: showsState)
        if isExpected, item != nil, notes.isEmpty, Bytes.equal(expected, base?.bytes) {
            // The record need not know this yet: a start that still finds the intent gets the same result.
            profiles[profile.id] = profile
        } else {
            try commit(
                &profile, atoms: atoms, as: .save, at: now.wall, notes: notes, lowered: lowered, lost: lost)
        }
    }

    mutating func abandon(_ profile: inout KeptProfile, _ path: String) throws(StorageFault) {
        if let intent = profile.file.intent {
            try files.removeStaged(intent.temporary, beside: path)
            try files.syncFolder(of: path)
        }
        cancelBackup(&profile)
        try commit(&profile, intent: .clear)
    }
}
