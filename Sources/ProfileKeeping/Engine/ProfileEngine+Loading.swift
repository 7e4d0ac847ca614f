package import MergeCore

/// The profiles of which a state or a base history is in memory, though the record holds it.
struct LoadedProfiles: Sendable {
    /// Those that are kept, the one that was used last at the end.
    private(set) var kept: [ProfileID] = []
    /// Those of which a base history had to be kept: the record does not know the end of their last projection.
    var unwritten: Set<ProfileID> = []
    let readings = RecordReadings()

    /// Notes that a profile was committed.
    mutating func note(_ id: ProfileID) { readings.note(id) }

    /// Those that are over a limit, the one that was used longest ago first. They are not kept any more.
    mutating func takeQuiet(limit: Int) -> [ProfileID] {
        let read = readings.take()
        guard !read.isEmpty else { return [] }
        let used = Set(read)
        kept.removeAll { used.contains($0) }
        var newest: [ProfileID] = []
        var seen: Set<ProfileID> = []
        for id in read.reversed() where seen.insert(id).inserted { newest.append(id) }
        kept += newest.reversed()
        let quiet = Array(kept.prefix(max(0, kept.count - limit)))
        kept.removeFirst(quiet.count)
        return quiet
    }
}

/// States and base histories are read from the record when they are needed, and let go when a profile is quiet.
///
/// What is known of every profile at all times is its outline (``StateOutline``), a few hundred bytes. The state is let go
/// only where the record holds the very same. Where it cannot be read again, the profile is held: ``KeptProfile/trouble``
/// says why, nothing of it is committed, and it is tried again when the profile is needed next.
extension ProfileEngine {
    /// Most projections whose end is not in the record while their profiles are quiet.
    private static var unwrittenLimit: Int { 64 }

    /// Lets go of the states and base histories of all but the profiles that were used last. Call where no copy of a
    /// profile is in use: at the end of an event, and between two profiles of a loop over many.
    ///
    /// - Returns: The profiles of which a part could not be read since the last call, with the reason.
    @discardableResult
    package mutating func letGo() -> [(profile: ProfileID, fault: StorageFault)] {
        // What a batch wrote cannot be read again before its end.
        guard batch == nil else { return [] }
        var faults: [(profile: ProfileID, fault: StorageFault)] = []
        let failed = loaded.readings.takeFailed()
        let quiet = loaded.takeQuiet(limit: loadedLimit)
        let unreadable = Set(quiet).union(failed).sorted().filter { profiles[$0]?.fault != nil }
        for id in unreadable { if let fault = letGoUnreadable(id) { faults.append((id, fault)) } }
        for id in quiet where !unreadable.contains(id) { letGo(id) }
        if loaded.unwritten.count > Self.unwrittenLimit { writeQuietEnds() }
        return faults
    }

    /// A profile whose state is in memory or could be read; `nil` where there is none, or its state cannot be read.
    package func readable(_ id: ProfileID) -> KeptProfile? {
        guard let profile = profiles[id], (try? profile.readState()) != nil else { return nil }
        return profile
    }

    /// A profile of the record, of which only the outline is read.
    func outlined(_ id: ProfileID, _ stored: StoredProfile, _ shown: ShownMark?) -> KeptProfile {
        let notes = ProfileState(restoring: stored.atoms, vector: stored.vector)
        var outline = StateOutline(notes, stored.vector, isWhole: false, replica: stored.replica)
        outline.openChoices = shown?.openChoices(at: stored.vector)
        var profile = KeptProfile(
            id, stored, KeptState(outline, RecordedValue(of: id, states)),
            KeptHistory(RecordedValue(of: id, baseHistories), hasSnapshots: stored.hasSnapshots))
        profile.history = nil
        profile.shown = shown
        return profile
    }

    private mutating func letGo(_ id: ProfileID) {
        guard let profile = profiles[id] else { return }
        let isReadable = profile.unreadable == nil || (try? profile.read()) != nil
        let (state, history) = (released(profile), releasedHistory(profile))
        profiles.updateSilently(id) { profile in
            if let state { profile.keptState = state }
            if let history { profile.keptHistory = history }
            (profile.parsed, profile.ownEnds) = (nil, nil)
            if isReadable { profile.unreadable = nil }
        }
        if profile.file.unwrittenEnd != nil { loaded.unwritten.insert(id) } else { loaded.unwritten.remove(id) }
    }

    /// The state as it is after it was let go; `nil` where that changes nothing, or it has to stay.
    private func released(_ profile: KeptProfile) -> KeptState? {
        if profile.keptState.isRead { return outlined(profile) }
        guard profile.keptState.outline == nil, profile.keptState.fault == nil else { return nil }
        return profile.state.vector == profile.storedVector ? outlined(profile) : nil
    }

    private func outlined(_ profile: KeptProfile) -> KeptState {
        let state = profile.state
        let vector = state.vector == profile.storedVector ? profile.storedVector : state.vector
        let outline = StateOutline(state, vector, isWhole: true, replica: profile.replica)
        return KeptState(outline, RecordedValue(of: profile.id, states))
    }

    /// The base history as it is after it was let go; `nil` where that changes nothing, or it has to stay.
    private func releasedHistory(_ profile: KeptProfile) -> KeptHistory? {
        guard profile.file.unwrittenEnd == nil, profile.keptHistory.fault == nil,
            profile.keptHistory.isInMemory || profile.keptHistory.isRead
        else { return nil }
        return KeptHistory(
            profile.baseHistory, sharing: profile.storedVector, in: RecordedValue(of: profile.id, baseHistories))
    }

    /// Lets go of what was read and what could not be read, so that the next one who needs it has all of it read again.
    private mutating func letGoUnreadable(_ id: ProfileID) -> StorageFault? {
        guard let profile = profiles[id], let fault = profile.fault else { return nil }
        profile.keptState.release()
        profile.keptHistory.release()
        guard profile.unreadable != fault else { return nil }
        profiles[id]?.unreadable = fault
        return fault
    }

    /// Writes the ends of projections of quiet profiles, all in one transaction, so that their base histories can be let
    /// go.
    private mutating func writeQuietEnds() {
        let ids = loaded.unwritten.sorted()
        loaded.unwritten = []
        let former = ids.compactMap { profiles[$0] }
        batch = Batch()
        for id in ids {
            guard var profile = profiles[id] else { continue }
            try? writeEnd(&profile)
        }
        do {
            try commitBatch()
            for id in ids { letGo(id) }
        } catch {
            for profile in former { profiles[profile.id] = profile }
        }
    }

    func isQuiet(_ id: ProfileID) -> Bool { !loaded.kept.contains(id) }

    // MARK: Reading the record

    static func states(of store: Store, noting readings: RecordReadings) -> RecordedPart<ProfileState> {
        RecordedPart(noting: readings) { [store] id throws(StorageFault) in
            try store.load(id, .state).map { ProfileState(restoring: $0.atoms, vector: $0.vector) }
        }
    }

    static func baseHistories(of store: Store, noting readings: RecordReadings) -> RecordedPart<BaseHistory> {
        RecordedPart(noting: readings) { [store] id throws(StorageFault) in
            try store.load(id, .snapshots).flatMap { BaseHistory($0.baseHistory) }
        }
    }
}
