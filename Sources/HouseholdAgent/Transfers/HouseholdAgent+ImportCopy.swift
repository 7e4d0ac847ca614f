import LosslessJSON
import MergeCore
import ProfileKeeping
import SyncProtocol

/// Imports of plain copies: a transfer file of an unknown signer, and a bare document, which may be a copy of a profile
/// here.
extension HouseholdAgent {
    /// Merges an unknown signer's file as a plain document: its values have no history, so they do not add up with the
    /// values here.
    mutating func importFromUnknownSigner(
        _ id: RequestID, _ transfer: Transfer, to target: String?, trusting: Bool, dryRun: Bool, now: Moment
    ) {
        guard trusting || dryRun else {
            return fail(
                id, .needsDecision,
                "“\(transfer.deviceName)”, which exported the file, was never in this household: take it all the "
                    + "same?")
        }
        let incoming = transfer.state
        if let held = incoming.rulesHeld {
            return fail(
                id, .tooOld, "the rules in the file come from a newer Hearth (\(held)); update Hearth on this device")
        }
        // If the file's profile was joined into another one on this device, import into that one.
        let profile = engine.meant(
            by: engine.profiles[transfer.delta.profile] != nil ? transfer.delta.profile : transfer.adoptedID)
        let held = engine.profiles[profile]
        let known = held?.vector ?? VersionVector()
        guard let document = try? transfer.document(without: { known.sequence(of: $0) > 0 }) else {
            return fail(id, .failed, "the file holds no document, so there is nothing to take")
        }
        let fileTime = min(transfer.time, now.wall)
        let name = incoming.name ?? "imported"
        var report = ImportReport(transfer, source: .unknownSigner)
        report.profile = held?.name ?? name
        if let held {
            // Under other rules a total cannot be split into the parts of the replicas.
            let kind = held.rules == incoming.rules ? ForeignDocument.start : .copy
            take(id, profile, document, as: kind, &report, fileTime: fileTime, to: target, dryRun: dryRun, now: now)
            return
        }
        describe(&report, profile, incoming, dryRun: dryRun)
        guard !dryRun else { return answerImport(id, report) }
        do {
            try engine.found(
                FreshIDs(profile: profile, replica: freshReplica(for: profile)), name: name, rules: incoming.rules,
                document,
                fileTime: fileTime, now: now)
            finish(id, report, profile, to: target, now: now)
        } catch {
            note(error)
            fail(id, .failed, error.message)
        }
    }

    /// Merges a plain document into a profile.
    mutating func importDocument(_ call: Call<ImportDocumentRequest>, _ request: ImportDocumentRequest, now: Moment) {
        let (id, dryRun) = (call.id, request.dryRun)
        guard let profile = one(named: request.profile, for: id) else { return }
        do {
            let limit = ProfileEngine<Files, Store>.fileLimit
            guard let file = try content(request.path, request.data, limit: limit, now: now) else {
                return fail(id, .failed, "nothing is at \(request.path ?? "")")
            }
            let document = try JSONDocument(parsing: file.bytes)
            var report = ImportReport(
                profile: "",
                id: "",
                source: .document,
                isNew: false,
                isDryRun: dryRun,
                changes: [],
                more: 0
            )
            take(
                id,
                profile,
                document,
                as: .copy,
                &report,
                fileTime: min(file.modified, now.wall),
                to: nil,
                dryRun: dryRun,
                now: now)
        } catch {
            fail(id, .failed, "\(error)")
        }
    }

    private mutating func take(
        _ id: RequestID, _ profile: ProfileID, _ document: JSONDocument, as kind: ForeignDocument,
        _ report: inout ImportReport, fileTime: WallTime, to target: String?, dryRun: Bool, now: Moment
    ) {
        guard let held = engine.profiles[profile] else { return }
        if let why = held.rulesHeld {
            return fail(
                id, .tooOld, "the rules of \(held.name) come from a newer Hearth (\(why)); update Hearth on this device"
            )
        }
        if let present = merged(held).flatMap({ try? JSONDocument(parsing: $0) }) {
            let (one, other) = (Self.word(for: document), Self.word(for: present))
            guard one == other else {
                return fail(
                    id, .failed, "the file is \(one), and \(held.name) is \(other), so nothing of it can be merged")
            }
        }
        var state = held.state
        let written = state.take(
            document, as: kind,
            WriteContext(replica: held.replica, now: now.wall, fileTime: fileTime, base: VersionVector()))
        describe(&report, profile, state, dryRun: dryRun)
        report.note = Self.note(untaken: written.unreadable)
        guard !dryRun else { return answerImport(id, report) }
        do {
            try engine.take(profile, document, as: kind, fileTime: fileTime, now: now)
            finish(id, report, profile, to: target, now: now)
        } catch {
            note(error)
            fail(id, .failed, error.message)
        }
    }

    /// The remark about values that the import leaves out; `nil` where it leaves out none.
    private static func note(untaken places: [UnreadableLeaf]) -> String? {
        guard !places.isEmpty else { return nil }
        let more = places.count > 3 ? " and \(places.count - 3) more" : ""
        return "not taken from the file, because its rule does not fit the value: "
            + places.prefix(3).map(\.description).joined(separator: ", ") + more
    }

    private static func word(for document: JSONDocument) -> String {
        switch document.kind(document.root) {
        case .object: "an object"
        case .array: "a list"
        default: "a single value"
        }
    }
}
