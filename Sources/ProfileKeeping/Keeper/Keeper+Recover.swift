package import MergeCore

extension Keeper {
    /// Finishes or undoes what a crash cut short, by what is found at the path and beside it. Call once after start,
    /// before anything else touches the profile. Returns whether there was something to finish or undo.
    ///
    /// The intent is cleared before a displaced file is removed, so an intent without a temporary always means that no
    /// swap happened.
    package mutating func recover(_ id: ProfileID, now: Int64) -> Bool {
        profiles[id]?.lineage.noticed(at: now)
        do { try finishJoin(id, now: now) } catch { profiles[id]?.trouble = error.message }
        guard var profile = profiles[id], let path = profile.file else { return false }
        let intent = profile.intent
        do {
            if let intent { try recover(&profile, path, intent, now: now) }
            try sweep(&profile, path, now: now)
        } catch {
            profiles[id]?.trouble = error.message
        }
        return intent != nil
    }

    /// The same for a projection that failed half way in a process that goes on (the disk was full just then): what
    /// stands at the path may be ours, and must not be taken for a save. Called before every other look at the file.
    mutating func finishInterrupted(_ id: ProfileID, now: Int64) throws(StorageFault) {
        guard var profile = profiles[id], let path = profile.file, let intent = profile.intent else { return }
        try recover(&profile, path, intent, now: now)
    }

    private mutating func recover(
        _ profile: inout KeptProfile, _ path: String, _ intent: Intent, now: Int64
    ) throws(StorageFault) {
        let expected = intent.targetWasAbsent ? nil : profile.lineage.newest?.bytes
        let planned = intent.splice.applied(to: profile.lineage.newest?.bytes ?? [])
        let found = try files.read(path, limit: Self.fileLimit)?.bytes
        let staged = try files.readStaged(intent.temporary, beside: path, limit: Self.fileLimit)?.bytes
        if let planned {
            let stagedIsOurs = staged.map { Self.isPart($0, of: planned) } ?? true
            let swapped = stagedIsOurs ? found == planned && found != expected : true
            if swapped {
                // A save at the path itself is found by the look that follows; one that was swapped away, here.
                try files.syncFolder(of: path)
                try finish(&profile, path, intent, planned, expected, now: now)
                // What was finished may have taken the file to another version.
                noteStanding(&profile)
                profile.status = status(profile)
                profiles[profile.id] = profile
                return
            }
        }
        profile.pending = nil
        try files.removeStaged(intent.temporary, beside: path)
        try files.syncFolder(of: path)
        forgiveBackup(&profile)
        try commit(&profile, intent: .clear)
    }

    /// Whether bytes are what a crash may leave of a file that was being written: its beginning, and zeros where what
    /// follows had not reached the disk. (No save has zeros in it.)
    private static func isPart(_ bytes: [UInt8], of planned: [UInt8]) -> Bool {
        bytes.count <= planned.count && zip(bytes, planned).allSatisfy { $0 == $1 || $0 == 0 }
    }
}
