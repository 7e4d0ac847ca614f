import MergeCore
import ProfileKeeping
import SyncProtocol

/// Profile files: when to look at them, what to do with their content, and when to write merged changes back.
extension HouseholdAgent {
    mutating func fileHappened(_ path: String, _ event: FileDebouncer.Event, now: Moment) {
        guard let id = engine.profile(at: path), !paused.contains(id) else { return }
        // A save that was handed over causes an event, too, and so does what this agent wrote.
        if event == .replaced, let file = try? engine.files.identity(of: path),
            watches.isHandedOver(file, id) || engine.profiles[id]?.file.written == file
        {
            return
        }
        // Other events of the agent's own projections must not delay the next projection.
        if watches.isSettled(id), !needsLook(id), !engine.mayBeRepeat(id) { return }
        watches.happened(event, to: id, now: now.monotonic)
    }

    /// Takes up a save that a game in this process wrote and handed over.
    mutating func saved(_ save: WrittenSave, now: Moment) {
        // If the file was changed since, the watch reports that.
        guard let id = engine.profile(at: save.path), !paused.contains(id),
            (try? engine.files.identity(of: save.path)) == save.file
        else { return }
        watches.handedOver(save.file, id)
        look(id, written: save, now: now)
    }

    /// Whether the file's content differs from what was last seen. Reads the file, so it also finds changes whose
    /// events were lost.
    func differs(_ id: ProfileID) -> Bool {
        guard let profile = engine.profiles[id], let path = profile.file.path else { return false }
        guard let content = try? engine.files.read(path, limit: ProfileEngine<Files, Store>.fileLimit) else {
            return true
        }
        return !profile.isNewest(content.bytes)
    }

    /// Whether a look at the file could find something new. This includes a damaged file that holds its former content
    /// again.
    func needsLook(_ id: ProfileID) -> Bool {
        switch engine.profiles[id]?.file.status {
        case .bad, .missing: true
        case .good, .behind, .quarantined, nil: differs(id)
        }
    }

    /// The profiles that may have something due at a time. An agent may keep thousands of others, for which nothing is
    /// to be done.
    var active: Set<ProfileID> { engine.active.union(watches.active) }

    mutating func tickFiles(now: Moment, isTimer: Bool) {
        // Backups are made when there is nothing else to do, one an event: the other devices are told of a change only
        // once its event is over, and other events wait as well.
        var makesBackup = isTimer
        for id in active.sorted() {
            guard let path = engine.profiles[id]?.file.path, !paused.contains(id) else {
                watches.forget(id)
                continue
            }
            let files = engine.files
            let hasSettled = watches.step(id, now: now.monotonic) {
                // A read error counts as a missing file here; the ingest reads again and reports what is wrong.
                (try? files.read(path, limit: ProfileEngine<Files, Store>.fileLimit))?.bytes
            }
            if hasSettled {
                makesBackup = false
                look(id, now: now)
            }
            letGo(now: now)
            tickInvalidFile(id, now: now)
            // Nothing may have changed, but the time to write may have come: a file was missing, or a write has failed.
            projectIfDue(id, now: now)
            if let deadline = engine.displacedDeadline(id), deadline <= now.monotonic {
                do { try engine.clearDisplaced(id, now: now) } catch { note(error) }
            }
        }
        guard isTimer else { return }
        let due = active.sorted().filter { id in engine.backupDeadline(id).map { $0 <= now.monotonic } == true }
        if makesBackup, let first = due.first { engine.makeOldestPendingBackup(first, now: now) }
        // What is left has its turn in a later event, at a later time: the timer of one that stayed due would hold up
        // everything else.
        for id in due { engine.postponePendingBackup(id, now: now) }
    }

    /// Looks at a file that has settled: takes up what the game saved, so that it is sent to the other devices and the
    /// merge is written back.
    ///
    /// - Parameter written: The save, where its game handed it over.
    mutating func look(_ id: ProfileID, written: WrittenSave? = nil, now: Moment) {
        let before = engine.profiles[id]?.file.status
        do {
            let (writer, opens) = (writer(of: id, now: now), opensToTell(id))
            let outcome = try engine.ingest(
                id, written: written, now: now, readAfter: writer.readAfter, isWriterKnown: writer.isKnown,
                runningSince: writer.runningSince, opens: opens)
            switch outcome {
            case .unchanged: break
            case .edited: games.fileMoved(id, in: engine.profiles)
            case .questioned:
                games.fileMoved(id, in: engine.profiles)
                log(
                    .warning,
                    "a save waits for the player to say what it means",
                    ["profile": engine.profiles[id]!.name]
                )
            case .unusable: break
            }
            recordWorks()
            writers.lookedAt(id)
            watches.tookUp(id)
            games.tookLastSave(id)
        } catch {
            // One profile of which the record cannot be read says so itself, once.
            let isHeld = engine.profiles[id]?.isHeld == true
            if !isHeld { note(error) }
            let pause = isHeld ? FileWatches.heldInterval : FileWatches.retryInterval
            watches.failedLook(at: id, error.message, until: now.monotonic + pause)
            fileStates.mayHaveChanged(id)
        }
        let status = engine.profiles[id]?.file.status
        if let why = status?.complaint, before?.complaint != why {
            // The sentence may quote the save, so it is for the player's own commands and not for a log.
            let file = engine.profiles[id]?.file.path ?? ""
            log(.warning, "a profile file cannot be used; 'hearth status' says why", ["file": file])
        }
        watches.lookedAt(id, isMissing: status == .missing, now: now.monotonic)
    }

    /// The earliest time at which something is due for a file.
    func fileDeadline(_ id: ProfileID) -> MonotonicTime? {
        let isToBeWritten =
            engine.wantsProjection(id) && holder(of: id) == nil && !paused.contains(id) && !firstFiles.isAsking(id)
        return watches.deadline(id, isToBeWritten: isToBeWritten)
    }

    /// Writes the merged state back, unless a program is writing the file or its game runs. ``settle(now:)`` calls it
    /// for each changed profile, so that no handler has to.
    mutating func projectIfDue(_ id: ProfileID, now: Moment) {
        guard engine.wantsProjection(id), mayWrite(id, now: now), !awaitsForm(id, now: now) else { return }
        noteOpens(id, now: now)
        var generator = random
        let outcome = engine.project(id, tag: generator.next(), like: firstFiles.form(of: id), now: now)
        random = generator
        tried(id, outcome, now: now)
    }

    /// Whether no program stands in the way of writing the file now: it is not paused, no game holds it, and nobody is
    /// in the middle of writing it.
    mutating func mayWrite(_ id: ProfileID, now: Moment) -> Bool {
        guard !paused.contains(id), holder(of: id) == nil else { return false }
        if games.hasProcess(id, in: engine.profiles) { lookAtProcesses(now: now) }
        guard holder(of: id) == nil, let status = engine.profiles[id]?.file.status else { return false }
        switch status {
        case .bad, .behind: return false
        case .missing, .good, .quarantined:
            return watches.mayWrite(id, isMissing: status == .missing, now: now.monotonic)
        }
    }

    /// Notes what came of an attempt to write the file.
    mutating func tried(_ id: ProfileID, _ outcome: ProjectOutcome, now: Moment) {
        noteOpens(id, isSwap: outcome == .written, now: now)
        watches.tried(id, outcome, now: now.monotonic)
        switch outcome {
        case .nothingToDo, .fileChanged: break
        case .written:
            firstFiles.end(id)
            log(.debug, "merged", ["profile": engine.profiles[id]?.name ?? ""])
        case .postponed: noteUnwritten(id)
        }
    }

    /// Logs that a file cannot be written, once for each reason.
    mutating func noteUnwritten(_ id: ProfileID) {
        let (name, why) = (engine.profiles[id]?.name ?? "", engine.profiles[id]?.trouble ?? "")
        guard watches.isNew(why, of: id) else { return }
        log(.warning, "the merged state cannot be written", ["profile": name, "why": why])
    }
}
