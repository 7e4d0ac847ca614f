import LosslessJSON
import MergeCore
import ProfileKeeping

/// The answer to a question about a save that keeps the household's document.
extension HouseholdAgent {
    /// Answers with the question that ``keep(_:_:now:)`` would settle, and what of the save then does not count.
    mutating func previewKeep(_ call: Call<PreviewRequest<KeepRequest>>, _ name: String, now: Moment) {
        guard let held = asked(name, for: call.id) else { return }
        let entries = otherAnswers(held).compactMap { try? engine.preview($0, on: held.id, now: now) }
        var changes: [ChangeReport] = []
        for change in entries.flatMap({ $0.changes.map(ChangeReport.init) }) where !changes.contains(change) {
            changes.append(change)
        }
        let question = held.notices.question
        var kind: KeptReport.Kind?
        switch question?.reason {
        case .heldLess: kind = .save
        case .purse: kind = .amounts
        case .savedTwice: kind = .savedTwice
        case nil: break
        }
        let report = PreviewReport(
            profile: held.name, id: held.id.description, step: nil, changes: changes,
            more: entries.map(\.more).max() ?? 0, movedOn: 0,
            keeps: KeptReport(
                question: kind, backups: question?.backups ?? [], staysApart: isSaidToBeAnother(held.id),
                joins: simpleJoin(of: held)?.description),
            question: questionMark(held))
        answer(call) { _ in report }
    }

    /// Keeps the household's document, and answers the questions and remarks about the last saves. The saves stay in
    /// the backups. If another device joined the profile into another one, `keep` takes that join back. Where the file waits
    /// for other devices, of which there are none, it counts from now on.
    mutating func keep(_ call: Call<KeepRequest>, _ name: String, now: Moment) {
        guard let held = asked(name, for: call.id) else { return }
        let isJoined = isSaidToBeAnother(held.id)
        let staying = whatStays(held, now: now)
        do {
            if waitsForNobody(held) { try engine.takeWaiting(held.id, now: now) }
            try engine.keepState(held.id)
            if isJoined { try engine.stayApart(held.id, now: now) }
            var notes = isJoined ? ["it stays a save of its own, on every device"] : []
            if let question = held.notices.question, case .heldLess = question.reason, question.backup != nil {
                notes.append("the save that was asked about is among the backups, until newer ones take its place")
            }
            notes += staying.map { [$0] } ?? []
            let note = notes.isEmpty ? nil : notes.joined(separator: "; ")
            answer(call) { ProfileAnswer(profile: $0.report(held.id), note: note) }
        } catch {
            fail(call.id, .failed, error.message)
        }
    }

    /// The named profile, if something is asked or said about its saves; otherwise the request is refused.
    private mutating func asked(_ name: String, for call: RequestID) -> KeptProfile? {
        guard let profile = one(named: name, for: call), let held = engine.profiles[profile] else { return nil }
        guard !held.notices.isEmpty || isSaidToBeAnother(profile) || waitsForNobody(held) else {
            fail(call, .failed, "nothing is asked or said about the saves of \(held.name)" + otherTrouble(profile))
            return nil
        }
        return held
    }

    /// Whether another device said that a profile and another one are the same save, and the player here is asked.
    private func isSaidToBeAnother(_ id: ProfileID) -> Bool { engine.profiles.askedTarget(of: id) != nil }

    /// The profile that another device joined this one into, if the file here can be bound to it at once.
    private func simpleJoin(of held: KeptProfile) -> ProfileID? {
        guard let path = held.file.path, let kept = engine.profiles.askedTarget(of: held.id),
            !holdsFile(kept, besides: path)
        else { return nil }
        return kept
    }

    /// The places that accepting the open question of a profile would change, each with the value that stays: `/best
    /// stays 90`. `nil` if there is no question that an answer could change.
    private func whatStays(_ held: KeptProfile, now: Moment) -> String? {
        guard held.notices.question?.isOvertaken == false, let act = otherAnswers(held).first,
            let entry = try? engine.preview(act, on: held.id, now: now)
        else { return nil }
        return KeptPlaces(entry).words
    }

    /// The acts by which the save that is asked about would count, instead of being left out. None if nothing is asked,
    /// or if the save cannot be read any more.
    private func otherAnswers(_ held: KeptProfile) -> [PlayerAct] {
        guard let question = held.notices.question else { return [] }
        switch question.reason {
        case .purse: return [true, false].map { .settle(question, isRead: $0) }
        case .savedTwice: return [.countOnce(question)]
        case .heldLess:
            let isFormer = question.isOvertaken || question.isFollowed
            let save = isFormer ? storedSave(question, of: held.id) : lastSave(of: held)
            return save.map { [.restore($0)] } ?? []
        }
    }

    /// The save that a question is about, from its backup.
    private func storedSave(_ question: SaveQuestion, of id: ProfileID) -> JSONDocument? {
        guard let backup = question.backup, case .document(let bytes) = engine.readBackup(id, backup)
        else { return nil }
        return try? JSONDocument(parsing: bytes)
    }
}
