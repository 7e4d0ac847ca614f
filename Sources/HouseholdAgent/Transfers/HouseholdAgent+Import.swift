import LosslessJSON
import MergeCore
import ProfileKeeping
import SyncProtocol

/// Imports of transfer files. One of a member of the household is a delta like any other. One of a removed member is the
/// same once the player says so. One of an unknown signer is a plain copy.
extension HouseholdAgent {
    mutating func importTransfer(_ call: Call<ImportTransferRequest>, _ request: ImportTransferRequest, now: Moment) {
        let (id, target, dryRun) = (call.id, request.to, request.dryRun)
        let transfer: Transfer
        do {
            guard let file = try content(request.path, request.data, limit: TransferFormat.signedLimit, now: now) else {
                return fail(id, .failed, "nothing is at \(request.path ?? "")")
            }
            transfer = try TransferFile.read(file.bytes)
        } catch let fault as TransferFault {
            return fail(id, fault.reason == .newer ? .tooOld : .failed, fault.description)
        } catch {
            return fail(id, .failed, "\(error)")
        }
        // Nothing shows a forgotten save any more, so nothing would show what the file holds.
        let shown = engine.profiles.canonicalID(transfer.delta.profile)
        if let held = engine.profiles[shown], held.isForgotten {
            return fail(
                id, .failed,
                "\(held.name), which is in the file, was forgotten in this household, and nothing of it was taken; to have what "
                    + "the file holds as a new save, bring the save itself here, and: hearth add FILE")
        }
        // Decide without the statements in the file whether its signer was removed: a removed device chooses them itself.
        var (roster, statements) = (household.roster, [RosterStatement]())
        let wasMember = roster.wasMember(transfer.signer)
        let isRemoved = wasMember && !roster.contains(transfer.signer)
        if !isRemoved, transfer.household == roster.household {
            statements = transfer.roster
            roster = roster.merging(statements).roster
        }
        guard wasMember || roster.contains(transfer.signer) else {
            return importFromUnknownSigner(
                id, transfer, to: target, trusting: request.trusting, dryRun: dryRun, now: now)
        }
        // The household's name of it, not the one that it gives itself, where there is one.
        let known = name(of: transfer.signer)
        let exporter = known == "\(transfer.signer.id)" ? transfer.deviceName : known
        // A stolen device may have exported this after it was removed, so the player has to agree.
        guard !isRemoved || request.trusting || dryRun else {
            return fail(
                id, .needsDecision,
                "“\(exporter)”, which exported the file, is not in this household: take it all the same?")
        }
        var report = ImportReport(transfer, source: isRemoved ? .removedMember : .member)
        if isRemoved { report.device = exporter }
        var state = engine.profiles[transfer.delta.profile]?.state ?? ProfileState()
        // A member signed that it had all of this, or the player took the file of a device that is none any more.
        var delta = transfer.delta
        delta.cut = Set(delta.to.entries.keys)
        let admission = DeltaAdmission(
            delta, from: transfer.signer, covered: state.vector, known: origins, roster: roster,
            leftOut: leftOut)
        if case .refused(let reason) = admission.verdict {
            let what = isRemoved ? "the file cannot be taken" : "the file is damaged or forged"
            return fail(id, .failed, "\(what): \(reason); nothing was taken")
        }
        delta = admission.delta
        if let reason = state.refusal(of: delta.atoms) {
            return fail(id, .failed, "the file is damaged or forged: \(reason); nothing was taken")
        }
        let unread = state.writersBeyondReads(
            in: delta.atoms, upTo: delta.to, leftOut: leftOutReads(by: admission))
        delta = admission.without(Set(unread.keys)).delta
        state.join(delta.atoms, vector: delta.to)
        describe(&report, transfer.delta.profile, state, dryRun: dryRun)
        guard !dryRun else { return answerImport(id, report) }
        do {
            if let reason = try join(admission, statements, signedBy: transfer.signer, now: now) {
                return fail(id, .failed, "the file cannot be taken: \(reason); nothing of its save was taken")
            }
            finish(id, report, transfer.delta.profile, to: target, now: now)
        } catch {
            note(error)
            fail(id, .failed, error.message)
        }
    }

    /// Joins the transfer's delta as if it had come over a link.
    ///
    /// - Returns: The reason why nothing of it was stored, as the end of a sentence; `nil` where it was.
    private mutating func join(
        _ admission: DeltaAdmission, _ statements: [RosterStatement], signedBy signer: DeviceKey, now: Moment
    ) throws(StorageFault) -> String? {
        takeRoster(statements)
        // The record knows a device before its writes come in.
        let roster = household.takeUnstored()
        if !roster.isEmpty { try store(notes: roster) }
        let delta = admission.delta
        let outcome = try engine.join(
            delta.profile, atoms: delta.atoms, from: delta.from, to: delta.to, sender: delta.to,
            freshReplica: replica(joining: delta), notes: notes(of: admission), leftOut: leftOutReads(by: admission),
            overfull: overfull(by: admission), now: now)
        switch outcome {
        case .full(let replicas):
            noteLeftOut(replicas, .full, by: admission, from: signer, now: now)
            return try join(admission.without(replicas), statements, signedBy: signer, now: now)
        case .unread(let replicas):
            noteLeftOut(replicas, .follows, by: admission, from: signer, now: now)
            return try join(admission.without(replicas), statements, signedBy: signer, now: now)
        case .refused(let reason), .undeclared(let reason), .crowded(_, let reason): return reason
        case .gap: return "it builds on writes that are not here"
        case .joined, .joinedAsNewReplica: break
        }
        stored(admission)
        noteLeftOut(admission.leftOut, .tooManyReplicas, by: admission, from: signer, now: now)
        if outcome == .joinedAsNewReplica { log(.warning, Self.newReplica) }
        return nil
    }

    // MARK: The end of every import

    /// Ends either kind of import.
    mutating func answerImport(_ id: RequestID, _ report: ImportReport) { reply(id) { _ in .response(report) } }

    /// Fills the report with the changes: the document as it is now, compared with the document after the import.
    func describe(_ report: inout ImportReport, _ profile: ProfileID, _ after: ProfileState, dryRun: Bool) {
        let held = engine.profiles[profile]
        report.id = profile.description
        report.profile = after.name ?? held?.name ?? report.profile
        report.file = held?.file.path
        report.isNew = held == nil
        report.isDryRun = dryRun
        let snapshot = held?.baseHistory.newest.flatMap { try? JSONDocument(parsing: $0.bytes) }
        let text =
            snapshot.flatMap { try? $0.patched(Projection(of: after, onto: $0).edits) } ?? Self.document(of: after)
        let changes = DocumentChanges(from: held.flatMap { merged($0) }, to: text, rules: after.rules)
        (report.changes, report.more) = (changes.shown, changes.more)
    }

    /// Binds the imported profile to a path, if one was asked for, and answers.
    mutating func finish(
        _ id: RequestID, _ report: ImportReport, _ imported: ProfileID, to target: String?, now: Moment
    ) {
        let profile = engine.meant(by: imported)
        guard let target else { return answerOnceWritten(id, .importing(report), of: profile, now: now) }
        // The imported writes are settled before the profile is bound to the path: a save that is there already is then
        // merged into them as any other save.
        afterSettling { agent in
            var report = report
            do {
                let notes = [report.note, agent.joining(profile, at: target)].compactMap(\.self)
                report.note = notes.isEmpty ? nil : notes.joined(separator: "; ")
                try agent.engine.files.makeFolder(of: target)
                try agent.engine.bind(profile, to: target, now: now)
                agent.watches.mayWriteAtOnce(profile, now: now.monotonic)
                agent.answerOnceWritten(id, .importing(report), of: profile, now: now)
            } catch {
                let why = (error as? StorageFault)?.message ?? "\(error)"
                agent.fail(id, .failed, "the import is done, but no file was written: \(why)")
            }
        }
    }
}

extension ImportReport {
    init(_ transfer: Transfer, source: Source) {
        self.init(
            profile: "", id: "", source: source, device: transfer.deviceName, exported: transfer.time.milliseconds,
            isNew: false,
            isDryRun: false, changes: [], more: 0)
    }
}
