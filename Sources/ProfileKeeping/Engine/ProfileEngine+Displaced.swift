import LosslessJSON
package import MergeCore

/// Files that a projection swapped away. A process that had one open may still write to it.
extension ProfileEngine {
    /// The time for which a displaced file is kept at least.
    package static var displacedTime: Duration { .seconds(2) }

    /// The time when ``clearDisplaced(_:now:)`` has to be called; `nil` for never.
    package func displacedDeadline(_ id: ProfileID) -> MonotonicTime? {
        profiles[id]?.displaced.map { $0.since + Self.displacedTime }.min()
    }

    /// Reads what was written late to displaced files, and removes those that no process holds open any more.
    package mutating func clearDisplaced(_ id: ProfileID, now: Moment) throws(StorageFault) {
        try finishInterrupted(id, now: now)
        // A displaced file stays until its backup was made, or could not be made.
        makePendingBackups(id, now: now)
        guard var profile = profiles[id], let path = profile.file.path else { return }
        try profile.read()
        let due = profile.displaced.filter { $0.since + Self.displacedTime <= now.monotonic }
        // The intent must be gone before the displaced file is. An intent without that file would mean that no swap
        // happened.
        if !due.isEmpty { try writeEnd(&profile) }
        var gone: Set<String> = []
        for var item in due {
            let held = files.isHeldOpen(item.name, beside: path)
            let content = try files.readStaged(item.name, beside: path, limit: Self.fileLimit)
            if let content, !Bytes.equal(content.bytes, item.bytes),
                !held || (try? JSONDocument(parsing: content.bytes)) != nil
            {
                try takeUpLate(&profile, content, &item, now: now)
            }
            if held {
                item.since = now.monotonic
                profile.keep(item)
            } else {
                try files.removeStaged(item.name, beside: path)
                gone.insert(item.name)
            }
        }
        profiles[id] = profile
        guard !gone.isEmpty else { return }
        // The removal of the names must be durable before they are forgotten. Otherwise a power cut brings back a
        // file that is not known any more.
        try files.syncFolder(of: path)
        profile.displaced.removeAll { gone.contains($0.name) }
        var notes = NoteChange()
        for name in gone { notes.delete(Self.displacedNotes.key(id, name)) }
        try commit(&profile, notes: notes)
    }

    /// Reads what was written to displaced files since the last look, before a newer save at the path is read. The
    /// newer save becomes the game's last one. After a crash it could then not be known from which snapshot a late
    /// write started.
    mutating func takeUpLateWrites(_ profile: inout KeptProfile, _ path: String, now: Moment) throws(StorageFault) {
        for var item in profile.displaced {
            guard let content = try? files.readStaged(item.name, beside: path, limit: Self.fileLimit),
                !Bytes.equal(content.bytes, item.bytes), (try? JSONDocument(parsing: content.bytes)) != nil
            else { continue }
            try takeUpLate(&profile, content, &item, now: now)
        }
    }

    /// Handles temporaries found at start without an intent: displaced files whose removal was cut short.
    mutating func sweep(_ profile: inout KeptProfile, _ path: String, now: Moment) throws(StorageFault) {
        let notes = try store.notes(prefix: Self.displacedNotes.key(profile.id, ""))
        // Other profiles' files may be in the same folder, thousands of them, so it is listed only where that tells something.
        guard !notes.isEmpty else { return profiles[profile.id] = profile }
        try profile.read()
        let names = files.stagedNames(beside: path, prefix: Self.temporaryPrefix)
        for name in names where !profile.displaced.contains(where: { $0.name == name }) {
            guard let known = notes[Self.displacedNotes.key(profile.id, name)] else { continue }  // another profile's
            guard let content = try files.readStaged(name, beside: path, limit: Self.fileLimit) else { continue }
            let snapshots = profile.baseHistory.candidates
            var item = KeptProfile.Displaced(
                name: name, bytes: content.bytes, vector: snapshots.first?.vector ?? VersionVector(),
                since: now.monotonic)
            if !Fingerprint.matches(known, content.bytes), let base = snapshots.first {
                // A game that had not read the new file wrote to this one after the swap.
                item.bytes = base.bytes
                try takeUpLate(&profile, content, &item, now: now)
            }
            profile.keep(item)
            profiles[profile.id] = profile
        }
        let present = Set(names.map { Self.displacedNotes.key(profile.id, $0) })
        var stale = NoteChange()
        for key in notes.keys where !present.contains(key) { stale.delete(key) }
        if !stale.isEmpty {
            try syncFolder(of: path)
            try commit(&profile, notes: stale)
        }
        profiles[profile.id] = profile
    }

    /// Reads a late write. One transaction stores the write and marks it as known.
    private mutating func takeUpLate(
        _ profile: inout KeptProfile, _ content: FileContent, _ item: inout KeptProfile.Displaced, now: Moment
    ) throws(StorageFault) {
        var (atoms, lowered, lost) = ([KeyedAtom](), [SaveMeaning.Lowered](), [LostWrite]())
        var baseHistory: BaseHistory.Change?
        if let save = try document(content, of: &profile, named: item.name) {
            if let path = profile.file.path { try? files.syncStaged(item.name, beside: path) }
            // The swapped-away bytes may have been half a save, which no game had in memory.
            let isWhole = (try? JSONDocument(parsing: item.bytes)) != nil
            let base = BaseHistory.Snapshot(kind: .game, bytes: item.bytes, vector: item.vector)
            // The program that wrote a set-aside save may still have the content before it in memory.
            let unshown = isWhole ? self.content(before: item.bytes, profile) : nil
            let snapshots =
                isWhole
                ? [base] + (unshown.map { [.init(kind: .projected, bytes: $0, vector: item.vector)] } ?? [])
                : profile.baseHistory.candidates
            let taken = try takeUp(
                &profile, content, save, amongst: snapshots, isLastUnshown: unshown != nil, now: now)
            try keepAndSay(taken, of: content.bytes, since: isWhole ? item.bytes : nil, &profile, now: now)
            (atoms, item.vector) = (taken.atoms, taken.vector)
            (lowered, lost) = (taken.lowered, taken.lost)
            baseHistory = profile.baseHistory.insertGame(
                content.bytes, vector: taken.vector, lastReadable: taken.lastReadable)
            profile.file.compareAll()
        }
        item.bytes = content.bytes
        // Done before the commit, so that memory never knows less than the record.
        profile.keep(item)
        let note = NoteChange(Self.displacedNotes.key(profile.id, item.name), Fingerprint.of(content.bytes))
        try commit(
            &profile, atoms: atoms, as: .save, at: now.wall, baseHistory: baseHistory,
            notes: note, lowered: lowered, lost: lost)
    }

    /// Parses a save that came back from a swap. Bytes that are no usable save are quarantined, never discarded.
    func document(
        _ content: FileContent, of profile: inout KeptProfile, named name: String
    ) throws(StorageFault) -> JSONDocument? {
        var what = "that is no JSON"
        if let document = try? JSONDocument(parsing: content.bytes) {
            guard case .refused(let why, _) = VersionStatus(document, profile.state.rules) else { return document }
            what = "that \(why)"
        }
        guard !content.bytes.isEmpty else { return nil }
        let place = try files.quarantine(content.bytes, of: profile.id, named: name)
        profile.notices.say(.quarantined, about: place, "a save \(what) was swapped away; it is kept at \(place)")
        return nil
    }

    /// The notes of displaced files by profile and name: a fingerprint of each.
    static var displacedNotes: NoteSpace { NoteSpace("displaced") }
}
