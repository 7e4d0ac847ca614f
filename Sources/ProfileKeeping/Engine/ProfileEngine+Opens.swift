package import MergeCore

/// Opens of a profile's file by other processes, while one of its snapshots was in the file.
extension ProfileEngine {
    /// Notes the opens that were seen since the last call. Call right before and right after each projection, so that
    /// it is known which snapshot was opened. A look at the file notes them by itself.
    ///
    /// - Parameter isSwap: Whether a projection was done since the last call.
    package mutating func note(_ opens: FileOpens, of id: ProfileID, isSwap: Bool = false, now: Moment) {
        profiles.updateSilently(id) { profile in
            profile.keptHistory.note(opens, isSwap: isSwap)
            // After a swap, the game's own save is not in the file any more.
            if !isSwap { profile.ownSaves.note(opens, at: now.monotonic) }
        }
    }

    /// Whether a program may have written once more what the file holds, and has not opened that before. The same bytes
    /// are no edit; but a game that saves from memory may have come by them by itself.
    package func mayBeRepeat(_ id: ProfileID) -> Bool {
        guard let profile = profiles[id], profile.keptHistory.isNewestUnread, let path = profile.file.path,
            let written = profile.file.written, let found = try? files.identity(of: path)
        else { return false }
        // A change of name or permissions is no write. (Who sets this time alone raises the same remark, and nothing else.)
        return found.modified != written.modified
    }

    /// Tells the player, once, that a save holds exactly what had come in and no program has opened. It counts as nothing
    /// new, because a copy from elsewhere looks the same and would count twice. No snapshot is added: the game's next save
    /// is measured against what it had read, so what it earned counts then.
    ///
    /// - Parameter readAfter: See ``ingest(_:written:now:readAfter:isWriterKnown:runningSince:opens:)``.
    mutating func noteRepeat(
        _ profile: inout KeptProfile, _ path: String, readAfter: MonotonicTime?
    ) throws(StorageFault) {
        guard mayBeRepeat(profile.id) else { return }
        let history = profile.baseHistory
        profile.keptHistory.noteRepeat()
        let snapshots = history.candidates
        // A game that opens its file before each save, or was started since, had read it.
        if let readAfter, history.index(at: readAfter) >= snapshots.count - 1 { return }
        try profile.read()
        let unread = history.candidates(.none)
        // Had its game read no later state than this one, it earned or spent by itself what had come in.
        guard snapshots.count > 1, let former = snapshots.indices.last(where: { $0 == 0 || !unread.contains($0) }),
            let save = snapshots.last.flatMap({ profile.document($0) }),
            let read = ReadSave(save, amongst: [snapshots[former]], of: profile, BaseChoice.Sightings())
        else { return }
        let amounts = read.choice.diff.changes.filter { $0.rule.merge == .counter }.map(\.path)
        guard !amounts.isEmpty else { return }
        remark(onRepeat: amounts, &profile)
        try commit(&profile)
    }
}

extension KeptProfile {
    /// Whether the game's own saves show that an open of what Hearth wrote since is likely to be the game's.
    func ownSavesTell(at time: MonotonicTime) -> Bool {
        ownSaves.tell(for: baseHistory.timeOfProjections(at: time) ?? OwnSaves.mostTime)
    }
}
