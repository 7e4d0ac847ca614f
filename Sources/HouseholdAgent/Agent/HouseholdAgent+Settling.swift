import MergeCore
import ProfileKeeping
import SyncProtocol

/// The steps that wait until an event is settled, in the order in which they were added.
struct SettledSteps<Agent: ~Copyable> {
    typealias Step = (inout Agent) -> Void

    private var waiting: [Step] = []

    mutating func add(_ step: @escaping Step) { waiting.append(step) }

    /// Takes the first step out; `nil` where none waits.
    mutating func next() -> Step? { waiting.isEmpty ? nil : waiting.removeFirst() }
}

/// Settling: what follows from a change, whatever caused it, in one place.
///
/// A handler only changes parts. The parts remember what changed: profiles, the household, the files to watch, notes of
/// the record. After each stage of an event the router settles all of it, and then makes the answers.
extension HouseholdAgent {
    /// Does what follows from all changes since the last call, and then the steps that wait for that, each of which is
    /// settled as well. Only the router calls it; a handler uses ``afterSettling(_:)``.
    mutating func settle(now: Moment) {
        settleChanges(now: now)
        while let step = steps.next() {
            step(&self)
            settleChanges(now: now)
        }
        publish(now: now)
    }

    /// Does something once all changes so far are settled: notes stored, files written, and the other devices told.
    mutating func afterSettling(_ step: @escaping (inout HouseholdAgent) -> Void) { steps.add(step) }

    private mutating func settleChanges(now: Moment) {
        storeNotes()
        if let news = household.takeNews() { settleHousehold(news, now: now) }
        settleProfiles(now: now)
        // Settling makes notes, too, such as the signatures of a profile that was joined into another one.
        storeNotes()
    }

    /// For each changed profile: notes which device owns this device's replica, writes the file, watches its folder,
    /// and offers the changes to the devices of the household.
    private mutating func settleProfiles(now: Moment) {
        // A projection may find a save that was swapped away unseen, so its own changes are settled in a second round.
        for isProjecting in [true, false] {
            for id in engine.takeChanged() {
                makeRoomForEpochs(of: id)
                knowOwnReplica(of: id, now: now)
                keepHeads(of: id)
                wholeReads.forget(id)
                joinCrossed(id, now: now)
                watches.bind(id, to: engine.profiles[id]?.file.path)
                if isProjecting { projectIfDue(id, now: now) }
                offer(id, now: now)
                letGo(now: now)
            }
            if isProjecting { for id in watches.takeWritable() { projectIfDue(id, now: now) } }
            if let (paths, gone) = watches.takeMoved() {
                openWatch.watch(paths, without: gone)
                act(.watch(paths, without: gone))
            }
        }
    }

    /// Ends a crossed join: one player joined A into B, another B into A. The file here goes to the profile that stays.
    private mutating func joinCrossed(_ id: ProfileID, now: Moment) {
        guard let kept = engine.crossedTarget(of: id), let path = engine.profiles[id]?.file.path,
            !paused.contains(id), holder(of: id) == nil
        else { return }
        do {
            try engine.bind(kept, to: path, now: now)
            let name = engine.profiles[kept]?.name ?? ""
            log(.info, "two saves were joined both ways, and are one now", ["profile": name])
        } catch {
            // The player is asked, as where nobody here had joined them.
            log(.warning, "two saves that were joined both ways stay two", ["why": "\(error)"])
        }
    }

    /// Offers this device's state of a profile to every linked device. A link that is just coming up has sent the
    /// former state, and offers the rest once the peer has sent its vectors. What came from a device is only acknowledged
    /// to those that have a link to it (``DelayedRelays``).
    private mutating func offer(_ id: ProfileID, now: Moment) {
        let vector = engine.profiles[id]?.vector
        coverage[id] = vector
        guard let vector else { return }
        fileStates.mayHaveChanged(id)
        // Whether a file here waits for the player's answer may be another matter now, too.
        if let kept = engine.profiles[id]?.joinTarget {
            let asked = engine.profiles.askedTarget(of: id)
            for other in [kept] + (asked.map { [$0] } ?? []) + fileStates.behind
            where engine.profiles[other]?.file.path == nil {
                fileStates.mayHaveChanged(other)
            }
        }
        guard let sender = delayedRelays.sender(of: id, covering: vector) else {
            return tellAll(now: now) { $0.changed(id, vector: vector) }
        }
        for (link, live) in links.all {
            let isBehind = isFileBehind(id, for: live)
            let isTold = live.isUp && live.peerKey.id != sender && !live.link.peerWantsAcks.contains(sender)
            tell(link, now: now) {
                isTold
                    ? $0.acknowledge(id, vector: vector, isFileBehind: isBehind, sendsRest: false)
                    : $0.changed(id, vector: vector)
            }
        }
    }

    /// Sends on what was only acknowledged a moment ago, to the devices that have not said that they have it by now.
    mutating func tickDelayedRelays(now: Moment) {
        guard delayedRelays.deadline != nil else { return }
        let linked = Set(links.all.filter { $0.live.answers }.map(\.live.peerKey.id))
        for id in delayedRelays.takeDue(linked.contains, now: now.monotonic) {
            guard let vector = engine.profiles[id]?.vector else { continue }
            tellAll(now: now) { $0.changed(id, vector: vector) }
        }
    }

    /// Tells every linked device what it lacks of the roster, and the household's secret where it is another one; and
    /// closes links of removed devices, which are told no secret. Then dials the instances that belong to the household
    /// now.
    private mutating func settleHousehold(_ news: RosterNews, now: Moment) {
        let (statements, secret) = (household.roster.statements, household.secrets.present)
        for (id, live) in links.all {
            tell(id, now: now) { [isMember = household.roster.contains(live.peerKey)] in
                isMember
                    ? $0.rosterChanged(to: statements, news: news, secret: secret)
                    : $0.dismiss(statements, news: news, reason: "the device was removed from the household")
            }
        }
        // A device that refused this one may have done so before this one was paired again. If it still does not know of that,
        // it refuses the next connection, too, and the reason is noted anew.
        if !household.roster.isRemoved(household.roster.me) { links.forgetEnds(endingWith: Self.removedFarewell) }
        perform(copyReceiver.forget(allBut: Set(household.roster.members.map(\.id))), now: now)
        dialMembers(now: now)
    }

    /// Frees the states of quiet profiles, and logs each profile that the record cannot give back.
    mutating func letGo(now: Moment) {
        for (id, fault) in engine.letGo() {
            log(
                .error, "what the record holds of a save cannot be read; nothing of it is changed until it can",
                ["save": engine.profiles[id]?.name ?? "\(id)", "why": fault.message])
        }
    }

    // MARK: Notes

    /// Stores the notes of all parts that are not in the record yet, in one transaction.
    private mutating func storeNotes() {
        let ofHousehold = household.takeUnstored()
        var notes = ofHousehold
        notes.add(origins.takeUnstored())
        notes.add(heads.takeUnstored())
        notes.add(games.takeUnstored())
        notes.add(writers.takeUnstored())
        notes.add(releasedFiles.takeUnstored())
        notes.add(syncTimes.takeUnstored())
        notes.add(lastSeen.takeUnstored())
        notes.add(hearsay.takeUnstored())
        if notes.isEmpty { return }
        do {
            try store(notes: notes)
        } catch {
            note(error)
            // The other devices are told of the household's change all the same, and go by it.
            household.notStored(ofHousehold)
        }
    }

    /// Stores notes at once. Only for changes that do not take place if they cannot be stored, such as a pairing; all
    /// other notes are left in their part, and ``settle(now:)`` stores them.
    func store(notes: NoteChange) throws(StorageFault) {
        try engine.store.commit(RecordChange(notes: notes))
    }
}

extension NoteChange {
    /// Returns the changes, and leaves none behind.
    mutating func take() -> NoteChange {
        defer { self = NoteChange() }
        return self
    }
}
