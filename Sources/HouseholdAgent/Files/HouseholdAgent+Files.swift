import MergeCore
import ProfileKeeping
import SyncProtocol

/// Files: when to look, what to do with what was found, when to write back.
extension HouseholdAgent {
    mutating func fileHappened(_ path: String, _ event: FileSettling.Event, now: Int64) {
        guard let id = keeper.profile(at: path), !paused.contains(id) else { return }
        // Our own projections make events as well; they must not hold up the next one.
        if watches.isSettled(id), !needsLook(id) { return }
        watches.happened(event, to: id, now: now)
    }

    /// Has the folders of all files watched.
    mutating func watchFiles() {
        openWatch.watch(watches.paths)
        act(.watch(watches.paths))
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
            guard let path = keeper.profiles[id]?.file, !paused.contains(id) else {
                watches.forget(id)
                continue
            }
            let files = keeper.files
            let hasSettled = watches.step(id, now: now) {
                // A fault reads like an absence here; the ingest reads again and says what is wrong.
                (try? files.read(path, limit: Keeper<Files, Store>.fileLimit))?.bytes
            }
            if hasSettled { look(id, now: now) }
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
            recordWorks()
            writers.lookedAt(id)
            watches.tookUp(id)
            commit(notes: games.tookLastSave(id))
        } catch {
            note(error)
            watches.look(at: id, now: now + FileWatches.retryInterval)
        }
        let status = keeper.profiles[id]?.status
        if case .bad(let why)? = status, status != before {
            log(.warning, "a profile file cannot be used", ["why": why])
        }
        watches.lookedAt(id, isMissing: status == .missing, now: now)
        fileMayStandOtherwise(id)
    }

    /// When a file has something to be done with.
    func fileDeadline(_ id: ProfileID) -> Int64? {
        let isToBeWritten =
            keeper.wantsProjection(id) && holder(of: id) == nil && !paused.contains(id) && !firstFiles.isAsking(id)
        return watches.deadline(id, isToBeWritten: isToBeWritten)
    }

    /// Writes the merged state back unless the file is in the middle of something, or its game runs.
    mutating func projectIfDue(_ id: ProfileID, now: Int64) {
        guard keeper.wantsProjection(id), !paused.contains(id), holder(of: id) == nil else { return }
        if games.hasProcess(id, in: keeper.profiles) { lookAtProcesses(now: now) }
        guard holder(of: id) == nil else { return }
        guard let profile = keeper.profiles[id] else { return }
        switch profile.status {
        case .bad, .behind: return
        case .missing, .good: break
        }
        guard watches.mayWrite(id, isMissing: profile.status == .missing, now: now), !awaitsForm(id, now: now) else {
            return
        }
        noteOpens(id)
        let outcome = keeper.project(id, tag: random.next(), like: firstFiles.form(of: id), now: now)
        noteOpens(id, isSwap: outcome == .written)
        watches.tried(id, outcome, now: now)
        switch outcome {
        case .nothingToDo, .fileChanged: break
        case .written:
            firstFiles.end(id)
            log(.debug, "merged", ["profile": profile.name])
        case .postponed:
            log(.warning, "the merged state cannot be written", ["why": keeper.profiles[id]?.trouble ?? ""])
        }
        fileMayStandOtherwise(id)
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
                if watches.bind(id, to: keeper.profiles[id]?.file) { isMoved = true }
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
        fileMayStandOtherwise(id)
        tellAll(now: now) { $0.changed(id, vector: vector) }
    }
}
