import MergeCore
import ProfileKeeping
import SyncProtocol

/// Files: when to look, what to do with what was found, when to write back.
extension HouseholdAgent {
    mutating func fileHappened(_ path: String, _ event: FileSettling.Event, now: Int64) {
        guard let id = keeper.profile(at: path), !paused.contains(id) else { return }
        // Our own projections make events as well; they must not hold up the next one.
        if watches[id]?.settling.isSettled != false, !needsLook(id) { return }
        watches[id, default: Watch()].settling.happened(event, now: now)
        if event != .unsure { watches[id]?.isHeard = true }
    }

    /// Has the folders of all files watched.
    mutating func watchFiles() {
        let paths = Set(keeper.profiles.values.compactMap(\.file))
        openWatch.watch(paths)
        actions.append(.watch(paths))
    }

    /// Whether the file is not what was last seen; a look in case events were lost.
    func differs(_ id: ProfileID) -> Bool {
        guard let profile = keeper.profiles[id], let path = profile.file else { return false }
        guard let content = try? keeper.files.read(path, limit: Keeper<Files, Store>.fileLimit) else { return true }
        return !Bytes.equal(content.bytes, profile.lineage.newest?.bytes)
    }

    /// Whether a look at the file could find something: also that it holds again what it held before it was damaged.
    func needsLook(_ id: ProfileID) -> Bool {
        switch keeper.profiles[id]?.status {
        case .bad, .missing: true
        case .good, .behind, nil: differs(id)
        }
    }

    mutating func tickFiles(now: Int64) {
        var hasMadeBackup = false
        for id in keeper.ids {
            // One at a time: whatever comes meanwhile waits for it.
            if !hasMadeBackup, let deadline = keeper.backupDeadline(id), deadline <= now {
                keeper.makeDueBackup(id, now: now)
                hasMadeBackup = true
            }
            guard keeper.profiles[id]?.file != nil, !paused.contains(id), var watch = watches[id] else {
                watches[id] = Watch()  // no file of ours, nothing to wait for
                continue
            }
            if let deadline = watch.settling.deadline, deadline <= now {
                let files = keeper.files
                let path = keeper.profiles[id]!.file!
                let finished = watch.settling.step(now: now) {
                    // A fault reads like an absence here; the ingest reads again and says what is wrong.
                    (try? files.read(path, limit: Keeper<Files, Store>.fileLimit))?.bytes
                }
                watches[id] = watch
                if finished { look(id, now: now) }
            }
            tickOddFile(id, now: now)
            projectIfDue(id, now: now)
            if let deadline = keeper.displacedDeadline(id), deadline <= now {
                do { try keeper.clearDisplaced(id, now: now) } catch { note(error) }
            }
        }
    }

    /// The file has settled: take up what the game did, tell the others, write back what was merged.
    mutating func look(_ id: ProfileID, now: Int64) {
        let before = keeper.profiles[id]?.status
        do {
            let (writer, opens) = (writer(of: id, now: now), opensToTell(id))
            let outcome = try keeper.ingest(
                id, now: now, readAfter: writer.readAfter, isWriterKnown: writer.isKnown, opens: opens)
            switch outcome {
            case .unchanged: break
            case .edited: games.fileMoved(id, in: keeper.profiles)
            case .questioned:
                games.fileMoved(id, in: keeper.profiles)
                log(
                    .warning,
                    "a save waits for the player to say what it means",
                    ["profile": keeper.profiles[id]!.name]
                )
            case .unusable: break
            }
            recordTrouble = nil
            writers.lookedAt(id)
            watches[id]?.isHeard = false
            commit(notes: games.tookLastSave(id))
        } catch {
            note(error)
            watches[id]?.settling.happened(.written, now: now + Watch.retryInterval)
        }
        let status = keeper.profiles[id]?.status
        if case .bad(let why)? = status, status != before {
            log(.warning, "a profile file cannot be used", ["why": why])
        }
        let missingSince = watches[id]?.missingSince ?? now
        watches[id]?.missingSince = status == .missing ? missingSince : nil
        untold.insert(id)
    }

    /// When a file has something to be done with.
    func fileDeadline(_ id: ProfileID, _ watch: Watch) -> Int64? {
        let isToBeWritten =
            keeper.wantsProjection(id) && holder(of: id) == nil && !paused.contains(id) && !firstFiles.isAsking(id)
        return isToBeWritten ? watch.deadline : watch.settling.deadline
    }

    /// Writes the merged state back unless the file is in the middle of something, or its game runs.
    mutating func projectIfDue(_ id: ProfileID, now: Int64) {
        guard keeper.wantsProjection(id), !paused.contains(id), holder(of: id) == nil else { return }
        if games.hasProcess(id, in: keeper.profiles) { lookAtProcesses(now: now) }
        guard holder(of: id) == nil else { return }
        guard let profile = keeper.profiles[id], var watch = watches[id], watch.settling.isSettled else { return }
        switch profile.status {
        case .bad, .behind: return
        case .missing:
            guard let since = watch.missingSince, since + Watch.absenceGrace <= now else { return }
        case .good: break
        }
        if let retry = watch.retryAt, retry > now { return }
        guard !awaitsForm(id, now: now) else { return }
        watch.retryAt = nil
        noteOpens(id)
        let outcome = keeper.project(id, tag: random.next(), like: firstFiles.form(of: id), now: now)
        noteOpens(id, isSwap: outcome == .written)
        switch outcome {
        case .nothingToDo: watch.missingSince = nil
        case .written:
            watch.missingSince = nil
            firstFiles.end(id)
            log(.debug, "merged", ["profile": profile.name])
        case .fileChanged: watch.settling.happened(.written, now: now)
        case .postponed:
            watch.retryAt = now + Watch.retryInterval
            log(.warning, "the merged state cannot be written", ["why": keeper.profiles[id]?.trouble ?? ""])
        }
        watches[id] = watch
        untold.insert(id)
    }

    /// Brings about all that follows from what happened to profiles, whatever it was: our replica is certified, the file
    /// is written, its folder is watched, and the devices of the household are offered what is new.
    ///
    /// Called at the end of every event, and before that where an answer tells how things stand then.
    mutating func settle(now: Int64) {
        // A projection may find a save that was swapped away unseen, so what it did is settled as well.
        for isProjecting in [true, false] {
            var isMoved = false
            for id in keeper.takeChanged() {
                certify(id)
                if watches[id] == nil { watches[id] = Watch() }
                if watchedFiles[id] != keeper.profiles[id]?.file { isMoved = true }
                watchedFiles[id] = keeper.profiles[id]?.file
                if isProjecting { projectIfDue(id, now: now) }
                offer(id, now: now)
            }
            if isMoved { watchFiles() }
        }
        publish(now: now)
    }

    /// Offers our state of a profile to every linked device. A link that is just coming up has said what we covered
    /// before, and offers the rest once the peer has said what it covers.
    private mutating func offer(_ id: ProfileID, now: Int64) {
        guard let vector = keeper.profiles[id]?.state.vector else { return }
        untold.insert(id)
        tellAll(now: now) { $0.changed(id, vector: vector) }
    }

    /// Tells every linked device of which profiles the file here does not show all that this device covers.
    mutating func tellFileStates(now: Int64) {
        guard !untold.isEmpty else { return }
        let profiles = untold.sorted()
        untold = []
        guard !links.isEmpty else { return }
        for profile in profiles {
            let isBehind = isFileBehind(profile)
            tellAll(now: now) { $0.say(profile, isFileBehind: isBehind) }
        }
    }
}
