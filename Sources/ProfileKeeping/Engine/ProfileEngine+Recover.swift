package import MergeCore

extension ProfileEngine {
    /// Finishes or undoes what a crash cut short, by what it finds at each path and beside it. Call once after start,
    /// before anything else. Returns the profiles for which there was an intent to finish or undo.
    ///
    /// The results for all profiles become durable together: each folder is synced once, then there is one transaction.
    package mutating func recover(now: Moment) -> [ProfileID] {
        files.dropDraft()
        for id in ids { finishJoinAtStart(id, now: now) }
        let interrupted = ids.filter { profiles[$0]?.file.intent != nil && profiles[$0]?.file.path != nil }
        let begun = mayHaveBegun(besides: interrupted)
        // Most starts find nothing begun, and then nothing is copied.
        guard !begun.isEmpty else { return [] }
        let former = profiles
        batch = Batch()
        for id in begun { recoverFile(id, now: now) }
        do {
            try commitBatch()
        } catch {
            // A folder or the record fails. The profiles are recovered one by one, so that the fault stops no other
            // profile.
            profiles = former
            for id in begun { recoverFile(id, now: now) }
        }
        return interrupted
    }

    /// The profiles that have something to recover, ascending: those with an intent, and those with a note of a displaced
    /// file. Where the notes cannot be read, all.
    private func mayHaveBegun(besides interrupted: [ProfileID]) -> [ProfileID] {
        guard let displaced = try? store.notes(in: Self.displacedNotes) else { return ids }
        let noted = displaced.keys.compactMap { Self.displacedNotes.parts($0)?.profile }
        return Set(noted + interrupted).filter { profiles[$0] != nil }.sorted()
    }

    /// Recovers one profile. Returns whether there was an intent to finish or undo.
    package mutating func recover(_ id: ProfileID, now: Moment) -> Bool {
        finishJoinAtStart(id, now: now)
        let isInterrupted = profiles[id]?.file.intent != nil && profiles[id]?.file.path != nil
        recoverFile(id, now: now)
        return isInterrupted
    }

    private mutating func finishJoinAtStart(_ id: ProfileID, now: Moment) {
        profiles.updateSilently(id) { $0.keptHistory.noticed(at: now.monotonic) }
        do { try followJoin(of: id, now: now) } catch { profiles[id]?.trouble = error.message }
    }

    /// Recovers the file of one profile. The intent is cleared before a displaced file is removed. So an intent without
    /// a temporary file always means that no swap happened.
    private mutating func recoverFile(_ id: ProfileID, now: Moment) {
        guard var profile = profiles[id], let path = profile.file.path else { return }
        do {
            if let intent = profile.file.intent { try recover(&profile, path, intent, now: now) }
            try sweep(&profile, path, now: now)
        } catch {
            profiles[id]?.trouble = error.message
        }
    }

    /// Finishes or undoes a projection that failed half way, in a process that goes on (the disk was full just then).
    /// The file at the path may be the projection's own and must not be taken for a save. Called before every other
    /// look at the file.
    mutating func finishInterrupted(_ id: ProfileID, now: Moment) throws(StorageFault) {
        guard var profile = profiles[id], let path = profile.file.path, let intent = profile.file.intent else {
            return
        }
        try recover(&profile, path, intent, now: now)
    }

    private mutating func recover(
        _ profile: inout KeptProfile, _ path: String, _ intent: Intent, now: Moment
    ) throws(StorageFault) {
        try profile.read()
        let expected = intent.targetWasAbsent ? nil : profile.baseHistory.newest?.bytes
        let planned = intent.byteDiff.applied(to: profile.baseHistory.newest?.bytes ?? [])
        let found = try files.read(path, limit: Self.fileLimit)?.bytes
        let staged = try files.readStaged(intent.temporary, beside: path, limit: Self.fileLimit)?.bytes
        if let planned {
            let stagedIsOurs = staged.map { Self.isPart($0, of: planned) } ?? true
            let swapped = stagedIsOurs ? Bytes.equal(found, planned) && !Bytes.equal(found, expected) : true
            if swapped {
                // A save at the path itself is found by the next look. A save that was swapped away is found here.
                try syncFolder(of: path)
                try finish(&profile, path, intent, planned, expected, now: now)
                // The finished projection may have taken the file to another version.
                profile.noteVersionStatus()
                profiles[profile.id] = profile
                return
            }
        }
        profile.file.compareAll()
        try files.removeStaged(intent.temporary, beside: path)
        try syncFolder(of: path)
        cancelBackup(&profile)
        try commit(&profile, intent: .clear)
    }

    /// Whether bytes are what a crash may leave of a file that was being written: its beginning, then zeros for what
    /// had not reached the disk. (No save has zeros in it.)
    private static func isPart(_ bytes: [UInt8], of planned: [UInt8]) -> Bool {
        guard bytes.count <= planned.count else { return false }
        let alike = Bytes.commonPrefix(bytes, planned)
        return zip(bytes[alike...], planned[alike...]).allSatisfy { $0 == $1 || $0 == 0 }
    }
}
