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
    package func wantsProjection(_ id: ProfileID) -> Bool { profiles[id].map(wantsProjection) ?? false }

    func wantsProjection(_ profile: KeptProfile) -> Bool {
        guard !profile.waitsForOthers, profile.rulesHeld == nil, !profile.isForgotten,
            profile.file.versionStatus == .current || profile.file.quarantined != nil
        else { return false }
        return profile.file.lag != .none
    }

    /// Writes the merged state into the profile file. Only the bytes of what changed are changed. The order of the
    /// steps survives a crash at any of them.
    ///
    /// - Parameters:
    ///   - tag: Makes the name of the temporary file unique. It is asked for where there is something to write alone, so
    ///     that a look at a file which shows the state leaves no trace in the generator.
    ///   - form: The text of another device's save, as a model for a file that never existed here.
    package mutating func project(
        _ id: ProfileID, tag: @autoclosure () -> UInt64, like form: [UInt8]? = nil, now: Moment
    ) -> ProjectOutcome {
        guard wantsProjection(id) || profiles[id]?.file.intent != nil else { return .nothingToDo }
        do {
            try finishInterrupted(id, now: now)
            guard var profile = profiles[id], let path = profile.file.path, wantsProjection(id) else {
                return .nothingToDo
            }
            try profile.read()
            // 1: the file must hold what was last seen.
            let content = try files.read(path, limit: Self.fileLimit)
            if let content, let newest = profile.baseHistory.newest,
                Bytes.equal(profile.file.quarantined, content.bytes)
            {
                let bytes =
                    profile.file.versionStatus == .current ? try merged(&profile, onto: newest.bytes)?.bytes : nil
                let written = try replace(
                    &profile, path, content.bytes, with: bytes ?? newest.bytes, isBackedUp: false, tag: tag(), now: now)
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
            // A file that was deleted, or whose save was set aside, comes back with all it had, what is local and never
            // synced included.
            let former = contentBeforeSetAside(profile)
            let base = former ?? content?.bytes ?? newest
            let whole = content == nil || former != nil ? base.map { (bytes: $0, isOrderAlone: false) } : nil
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
                &profile, path, expected, with: bytes, isBackedUp: !isOrderAlone, tag: tag(), now: now)
            return written ? .written : .fileChanged
        } catch {
            // The record is right, but memory may be ahead of it. The next call begins with what the record holds.
            profiles[id]?.trouble = error.message
            return .postponed
        }
    }

    /// The bytes that the file should hold, and whether they differ only in the order of arrays. `nil` where the file
    /// holds them already, or nothing is known yet.
    func merged(
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
