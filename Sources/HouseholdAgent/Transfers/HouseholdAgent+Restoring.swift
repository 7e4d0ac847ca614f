import LosslessJSON
import MergeCore
import ProfileKeeping
import SyncProtocol

/// A restore, or a preview of it.
enum RestoreCall {
    case now(Call<RestoreRequest>)
    case preview(Call<PreviewRequest<RestoreRequest>>)

    var id: RequestID {
        switch self {
        case .now(let call): call.id
        case .preview(let call): call.id
        }
    }
}

/// A `restore` that waits until the profile arrives from a device that was just paired.
struct WaitingRestore {
    /// The time for which a restore waits for a profile that is not known here yet.
    static let patience = Duration.seconds(10)

    var call: RestoreCall
    var request: RestoreRequest
    var deadline: MonotonicTime
    /// The time for which a restore waits where every device is linked with this one and has said all that it has: a save
    /// may have been added on one of them a moment ago.
    static let listedPatience = Duration.seconds(2)
    /// The time until which it waits in that case too; `nil` once it has passed.
    var listedDeadline: MonotonicTime?

    var nextLook: MonotonicTime { min(deadline, listedDeadline ?? deadline) }
}

/// Restoring: binding a profile of the household to a path. A save at the path becomes one with the profile, so the
/// player can see both possible sums before.
extension HouseholdAgent {
    mutating func restore(_ call: RestoreCall, _ request: RestoreRequest, now: Moment) {
        let held = engine.profiles
        let others = profiles(named: request.profile).filter { held[$0]?.file.path != request.path }
        if others.isEmpty, household.roster.members.count > 1, port != nil {
            // The profile may still be on its way: a device was just paired, or is being dialled.
            plan.hurryAll(now: now.monotonic)
            let deadline = now.monotonic + WaitingRestore.patience
            let listed = now.monotonic + WaitingRestore.listedPatience
            waiting.add(
                call.id, WaitingRestore(call: call, request: request, deadline: deadline, listedDeadline: listed))
            return
        }
        restoreNow(call, request, now: now)
    }

    /// Whether every other device is linked with this one and has said all that it has, and all of it has come. What a
    /// device has that is reached through another one, nobody here knows.
    var isEverythingListed: Bool {
        otherMembers.allSatisfy { links.answeringLink(to: $0.key) != nil }
            && links.all.allSatisfy { $0.live.isUp && $0.live.answers && !$0.live.link.mayBringMore }
    }

    mutating func restoreNow(_ call: RestoreCall, _ request: RestoreRequest, now: Moment) {
        let (id, name, path) = (call.id, request.profile, request.path)
        let all = profiles(named: name)
        let held = engine.profiles
        let others = all.filter { held[$0]?.file.path != path }
        guard let chosen = others.count > 1 ? nil : others.first ?? all.first else {
            guard others.count > 1 else {
                return fail(id, .failed, unknownProfile(name, in: "in this household"))
            }
            let commands = others.map {
                "for the one with \(whereabouts($0)): hearth restore \($0) --to \(ShellWord.quoted(path))"
            }
            return fail(
                id, .needsDecision,
                "several saves are called \(name); " + commands.joined(separator: "; "))
        }
        do {
            let restore: Call<RestoreRequest>
            switch call {
            case .preview(let preview):
                return try self.preview(preview, chosen, joining: path, isApart: request.apart, now: now)
            case .now(let call): restore = call
            }
            let note = joining(chosen, at: path) ?? beginningWithout(chosen, at: path)
            // A game that was never started here has no folder yet. Where none can be made, the path is mistyped: the save
            // is not bound to it, so that the player can name another one.
            try engine.files.makeFolder(of: path)
            try engine.bind(chosen, to: path, isApart: request.apart, now: now)
            if engine.mayPutBack(chosen) { try putBack(chosen, now: now) }
            watches.mayWriteAtOnce(chosen, now: now.monotonic)
            answerOnceWritten(id, .restore(restore, note: note), of: chosen, now: now)
        } catch let fault as StorageFault {
            fail(id, .failed, fault.message)
        } catch {
            fail(id, .failed, "\(error)")
        }
    }

    /// The remark that two profiles become one, because the file at the path belongs to another profile; `nil` if it
    /// does not.
    func joining(_ profile: ProfileID, at path: String) -> String? {
        guard let other = engine.profile(at: path), other != profile else { return nil }
        return
            "the save at \(path) was \(engine.profiles[other]!.name) (\(other)); it is \(engine.word(profile)) from now on"
    }

    /// The remark that a new file lacks what each device has for itself; `nil` where a file is there, or nothing is like
    /// that. A game may miss it.
    private func beginningWithout(_ profile: ProfileID, at path: String) -> String? {
        let rules = engine.profiles[profile]?.rules.entries ?? []
        let own = rules.filter { $0.rule.merge == .local }.map(\.pattern.description)
        guard !own.isEmpty, (try? engine.files.identity(of: path)) ?? nil == nil else { return nil }
        let more = own.count > 3 ? " and \(own.count - 3) more" : ""
        return "each device has its own \(own.prefix(3).joined(separator: ", "))\(more) by the rules, so this file "
            + "begins without; should the game miss it, give it another rule"
    }

    /// Previews what becomes of a save at the path and of the one in the household, and changes nothing.
    private mutating func preview(
        _ call: Call<PreviewRequest<RestoreRequest>>, _ profile: ProfileID, joining path: String, isApart: Bool,
        now: Moment
    ) throws(AdoptFault) {
        let preview = try engine.preview(of: profile, joining: path, isApart: isApart, now: now)
        let (household, replaced) = (preview.household, preview.replaced)
        let report = PreviewReport(
            profile: engine.profiles[profile]?.name ?? "", id: profile.description,
            changes: household.named.map(ChangeReport.init), more: household.more, movedOn: 0,
            sums: HouseholdAgent.some(preview.sums.map(SumReport.init)),
            wasReset: mayBringBack(path, into: profile) ? true : nil,
            replaced: HouseholdAgent.some(replaced.named.map(ChangeReport.init)),
            moreReplaced: replaced.more > 0 ? replaced.more : nil, rules: HouseholdAgent.some(preview.rules),
            isUnlike: preview.haveNothingInCommon ? true : nil)
        answer(call) { _ in report }
    }

    /// Whether a file is at a path that may be from before the profile was started over: then what it holds comes back.
    private func mayBringBack(_ path: String, into profile: ProfileID) -> Bool {
        guard let held = engine.profiles[profile], held.file.path != path,
            (try? engine.files.identity(of: path)) ?? nil != nil
        else { return false }
        return held.state.epochs.contains { $0.id.kind == .reset && $0.epoch.scope == nil }
    }

    private static func some<Part>(_ parts: [Part]) -> [Part]? { parts.isEmpty ? nil : parts }
}

extension SumReport {
    fileprivate init(_ sum: JoinedSum) {
        self.init(
            place: sum.path.description, household: sum.known.text, here: sum.here.text, together: sum.joined.text,
            apart: sum.apart.text)
    }
}
