import LosslessJSON
package import MergeCore

/// The result of an attempt to write the merged state into the file.
package enum ProjectOutcome: Hashable, Sendable {
    /// The file shows everything already, or the profile has none here.
    case nothingToDo
    case written
    /// The game saved first: ingest, then try again.
    case fileChanged
    /// The file cannot be written now; the profile's trouble says why.
    case postponed
}

extension ProfileEngine {
    /// Whether the file may lack something that the state shows, and may be written.
    package func wantsProjection(_ id: ProfileID) -> Bool {
        guard let profile = profiles[id], !profile.waitsForOthers, profile.state.rulesHeld == nil,
            !profile.state.isForgotten,
            profile.file.versionStatus == .current || profile.file.quarantined != nil
        else { return false }
        return profile.file.lag != .none
    }

    /// Writes the merged state into the profile file. Only the bytes of what changed are changed. The order of the
    /// steps survives a crash at any of them.
    ///
    /// - Parameters:
    ///   - tag: Makes the name of the temporary file unique.
    ///   - form: The text of another device's save, as a model for a file that never existed here.
    package mutating func project(
        _ id: ProfileID, tag: UInt64, like form: [UInt8]? = nil, now: Moment
    ) -> ProjectOutcome {
        guard wantsProjection(id) || profiles[id]?.file.intent != nil else { return .nothingToDo }
        do {
            try finishInterrupted(id, now: now)
            guard var profile = profiles[id], let path = profile.file.path, wantsProjection(id) else {
                return .nothingToDo
            }
            // 1: the file must hold what was last seen.
            let content = try files.read(path, limit: Self.fileLimit)
            if let content, let newest = profile.baseHistory.newest,
                Bytes.equal(profile.file.quarantined, content.bytes)
            {
                let bytes =
                    profile.file.versionStatus == .current ? try merged(&profile, onto: newest.bytes)?.bytes : nil
                let written = try replace(
                    &profile, path, content.bytes, with: bytes ?? newest.bytes, isBackedUp: false, tag: tag, now: now)
                return written ? .written : .fileChanged
            }
            let newest = profile.baseHistory.newest?.bytes
            if let content, !Bytes.equal(newest, content.bytes) { return .fileChanged }
            if content == nil, newest != nil, profile.file.status != .missing { return .fileChanged }
            // A file of another version than the rules belongs to its game, whatever else is known of it.
            if let content, profile.state.rules.versionAt != nil, profile.state.rules.version != nil,
                let found = try? profile.parse(content.bytes)
            {
                profile.parsed = found
                guard VersionStatus(found, profile.state.rules) == .current else {
                    profile.file.foundContent()
                    profile.noteVersionStatus()
                    profiles[id] = profile
                    return .nothingToDo
                }
            }
            // 2: the new bytes.
            // A file that was deleted comes back with all it had, what is local and never synced included.
            let base = content?.bytes ?? newest
            let whole = content == nil ? base.map { (bytes: $0, isOrderAlone: false) } : nil
            let planned = try merged(&profile, onto: base, like: newest == nil ? form : nil) ?? whole
            profile.noteUnreadWhereTouched()
            guard let (bytes, isOrderAlone) = planned else {
                profile.file.showsState()
                profile.trouble = nil
                let raised = content == nil ? nil : profile.baseHistory.raiseNewest(to: profile.state.vector)
                if let raised { try commit(&profile, baseHistory: raised) }
                profiles[id] = profile
                return .nothingToDo
            }
            // The known bytes, not equal ones from the disk: comparing an array with itself takes no time.
            let expected = content == nil ? nil : newest
            let written = try replace(
                &profile, path, expected, with: bytes, isBackedUp: !isOrderAlone, tag: tag, now: now)
            return written ? .written : .fileChanged
        } catch {
            // The record is right, but memory may be ahead of it. The next call begins with what the record holds.
            profiles[id]?.trouble = error.message
            return .postponed
        }
    }

    /// The bytes that the file should hold, and whether they differ only in the order of arrays. `nil` where the file
    /// holds them already, or nothing is known yet.
    private func merged(
        _ profile: inout KeptProfile, onto bytes: [UInt8]?, like form: [UInt8]? = nil
    ) throws(StorageFault) -> (bytes: [UInt8], isOrderAlone: Bool)? {
        guard let bytes else {
            if let form, let first = firstFile(profile, like: form) { return (try readable(first, profile), false) }
            let new = Projection.newDocument(of: profile.state, own: profile.replica).map {
                $0.jsonBytes + [UInt8(ascii: "\n")]
            }
            guard let new else { return nil }
            return (try readable(new, profile), false)
        }
        do {
            let document = try profile.parse(bytes)
            profile.parsed = document
            let edits = profile.projection(onto: document, touching: profile.file.lag.compared)
            if edits.isEmpty { return nil }
            let bytes = try document.patched(edits)
            // A projection must write a save that can be parsed. Values of a peer may nest deeper than a parser reads.
            // Plain values nest nothing, and their surroundings were parsed already.
            if bytes.count > Self.fileLimit || edits.contains(where: \.mayNest) { _ = try JSONDocument(parsing: bytes) }
            return (bytes, edits.allSatisfy(\.isReorder))
        } catch {
            throw StorageFault(.other, "\(profile.file.path ?? ""): \(error)")
        }
    }

    /// The bytes, which were made of atoms alone, once it is sure that they can be parsed: what is written becomes the
    /// base of the game's next save.
    private func readable(_ bytes: [UInt8], _ profile: KeptProfile) throws(StorageFault) -> [UInt8] {
        do {
            _ = try JSONDocument(parsing: bytes)
            return bytes
        } catch {
            throw StorageFault(
                .other, "what is known of \(profile.name) is no document that can be written: \(error)")
        }
    }

    /// Steps 3 to 11 of the projection; false where the game saved first.
    ///
    /// - Parameter isBackedUp: Whether to keep a backup of the former content. Not where it is no save and lies in
    ///   quarantine, nor where only its order changes.
    mutating func replace(
        _ profile: inout KeptProfile, _ path: String, _ expected: [UInt8]?, with bytes: [UInt8],
        isBackedUp: Bool = true, tag: UInt64, now: Moment
    ) throws(StorageFault) -> Bool {
        try dropRestored(&profile, path)
        let name = Self.temporaryPrefix + String(tag, radix: 16)
        // 3: the former content is in the record, durably. Its backup is noted as pending.
        if expected != nil, isBackedUp { try scheduleBackup(&profile, now: now) }
        // 4: the intent, in one transaction with that note.
        let intent = Intent(
            temporary: name, byteDiff: ByteDiff(from: profile.baseHistory.newest?.bytes ?? [], to: bytes),
            vector: profile.state.vector, targetWasAbsent: expected == nil)
        try commit(&profile, intent: .set(intent))
        do {
            // 5: the new file, complete and durable, beside the old one.
            try files.stage(bytes, as: name, beside: path)
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
                try files.exchange(name, with: path)
            }
        } catch {
            // If this fails as well, the intent stays, and the next look at the file cleans up.
            try? abandon(&profile, path)
            if error.reason == .changed { return false }
            throw error
        }
        // 8: durable.
        try files.syncFolder(of: path)
        try finish(&profile, path, intent, bytes, expected, now: now)
        return true
    }

    /// Steps 9 to 11: the content that came back from the swap, the new snapshot, the displaced file.
    mutating func finish(
        _ profile: inout KeptProfile, _ path: String, _ intent: Intent, _ bytes: [UInt8], _ expected: [UInt8]?,
        now: Moment
    ) throws(StorageFault) {
        let base = profile.baseHistory.newest
        let displaced = try files.readStaged(intent.temporary, beside: path, limit: Self.fileLimit)
        // 9 and 10, in one transaction: a save that was swapped away unseen, the new snapshot, no intent any more.
        var baseHistory = BaseHistory.Change(from: nil, rows: [])
        var atoms: [KeyedAtom] = []
        var (vector, lowered) = (base?.vector ?? VersionVector(), [SaveMeaning.Lowered]())
        var showsState = true
        var notes = NoteChange()
        if profile.setAsidePrint != nil { notes.delete(Self.setAsideNotes.key(profile.id)) }
        profile.setAsidePrint = nil
        let isExpected = Bytes.equal(displaced?.bytes, expected)
        if let displaced, base != nil, !isExpected, !Bytes.equal(displaced.bytes, bytes) {
            if let save = try document(displaced, of: &profile, named: intent.temporary) {
                try? files.syncStaged(intent.temporary, beside: path)
                // The game of that save need not have read the file that it replaced: it may have an older snapshot in
                // memory.
                let taken = try takeUp(&profile, displaced, save, amongst: profile.baseHistory.candidates, now: now)
                if taken.isQuestion || !taken.overridden.isEmpty || taken.leftOut != nil {
                    try keepBackup(displaced.bytes, of: &profile, now: now.wall)
                }
                if let left = taken.leftOut { remark(leftOut: left.places, by: left.evidence, &profile) }
                if let question = taken.question {
                    ask(question, of: displaced.bytes, &profile)
                } else if let projection = taken.projection {
                    profile.notices.setAside?.goneOn(isKnown: projection == .known)
                }
                (atoms, vector, lowered) = (taken.atoms, taken.vector, taken.lowered)
                baseHistory = profile.baseHistory.appendGame(displaced.bytes, vector: vector)
            }
            showsState = false
        }
        profile.baseHistory.leave(at: now.monotonic)
        let byteDiff = Bytes.equal(base?.bytes, profile.baseHistory.newest?.bytes) ? intent.byteDiff : nil
        baseHistory = baseHistory.followed(
            by: profile.baseHistory.appendProjected(bytes, vector: intent.vector, at: now.monotonic, by: byteDiff))
        profile.trouble = nil
        // 11: a process may still hold the displaced file open.
        let item = displaced.map {
            KeptProfile.Displaced(name: intent.temporary, bytes: $0.bytes, vector: vector, since: now.monotonic)
        }
        if let item { profile.displaced.append(item) }
        profile.file.swapped(
            ProjectionProgress.UnwrittenEnd(baseHistory: baseHistory, displaced: item), showsState: showsState)
        if isExpected, item != nil, notes.isEmpty, Bytes.equal(expected, base?.bytes) {
            // The record need not know this yet: a start that still finds the intent gets the same result.
            profiles[profile.id] = profile
        } else {
            try commit(&profile, atoms: atoms, as: .save, at: now.wall, notes: notes, lowered: lowered)
        }
    }

    private mutating func abandon(_ profile: inout KeptProfile, _ path: String) throws(StorageFault) {
        if let intent = profile.file.intent {
            try files.removeStaged(intent.temporary, beside: path)
            try files.syncFolder(of: path)
        }
        cancelBackup(&profile)
        try commit(&profile, intent: .clear)
    }
}

extension JSONEdit {
    /// Whether the edit may make the document nest deeper.
    fileprivate var mayNest: Bool {
        switch self {
        case .replace(_, let value), .insertMember(_, _, let value), .appendElement(_, let value):
            switch value {
            case .array, .object: true
            default: false
            }
        case .remove, .reorder: false
        }
    }

    fileprivate var isReorder: Bool {
        if case .reorder = self { true } else { false }
    }
}
