import LosslessJSON
import MergeCore
import ProfileKeeping
import SyncProtocol

/// The parameters of a `restore` request.
struct Restoring {
    /// The profile, by id or name.
    var name: String
    var path: String
    /// Whether the player says that the save at the path was played separately, so that sums add up.
    var isApart: Bool
    /// Whether only a preview is asked for.
    var isPreview: Bool
}

/// A `restore` that waits until the profile arrives from a device that was just paired.
struct WaitingRestore {
    /// Milliseconds for which a restore waits for a profile that is not known here yet.
    static let patience: Int64 = 10_000

    var restoring: Restoring
    var deadline: Int64
}

/// Restoring: taking up a profile of the household at a path. A save that stands there becomes one with the profile, so
/// the player can see both possible sums before.
extension HouseholdAgent {
    mutating func restore(_ id: RequestID, _ request: AgentRequest, isPreview: Bool = false, now: Int64) {
        guard case .restore(let name, let path, let isApart) = request else { return }
        let restoring = Restoring(name: name, path: path, isApart: isApart, isPreview: isPreview)
        let held = keeper.profiles
        let others = profiles(named: name).filter { held[$0]?.file != path }
        if others.isEmpty, household.roster.members.count > 1, port != nil {
            // The profile may still be on its way: a device was just paired, or is being dialled.
            plan.hurryAll(now: now)
            waiting.add(id, WaitingRestore(restoring: restoring, deadline: now + WaitingRestore.patience))
            return
        }
        restoreNow(id, restoring, now: now)
    }

    mutating func restoreNow(_ id: RequestID, _ restoring: Restoring, now: Int64) {
        let (name, path) = (restoring.name, restoring.path)
        let all = profiles(named: name)
        let held = keeper.profiles
        let others = all.filter { held[$0]?.file != path }
        guard let chosen = others.count > 1 ? nil : others.first ?? all.first else {
            guard others.count > 1 else {
                return reply(
                    id,
                    .failure(.failed, "no profile \(name) is known in this household; 'hearth status' lists them")
                )
            }
            let commands = others.map {
                "for the one with \(whereabouts($0)): hearth restore \($0) --to \(ShellWord.quoted(path))"
            }
            return reply(
                id,
                .failure(
                    .needsDecision,
                    "several profiles are called \(name); " + commands.joined(separator: "; "))
            )
        }
        do {
            if restoring.isPreview { return try preview(id, chosen, joining: path, now: now) }
            let survivor = try keeper.bind(chosen, to: path, isApart: restoring.isApart, now: now)
            if keeper.oddDeadline(survivor) != nil { try putBack(survivor, now: now) }
            watches.mayWriteAtOnce(survivor, now: now)
            settle(now: now)
            let joined = survivor == chosen ? nil : "two profiles were joined for good under \(survivor)"
            answer(id, with: .restore(note: joined), of: survivor, now: now)
        } catch {
            reply(id, .failure(.failed, "\(error)"))
        }
    }

    /// Previews the sums of the counters, and changes nothing.
    private mutating func preview(
        _ id: RequestID, _ profile: ProfileID, joining path: String, now: Int64
    ) throws(AdoptFault) {
        let sums = try keeper.sums(of: profile, joining: path, now: now)
        let report = PreviewReport(
            profile: keeper.profiles[profile]?.name ?? "", id: profile.description, changes: [], more: 0, movedOn: 0,
            sums: HouseholdAgent.some(sums.map(SumReport.init)))
        reply(id, .preview(report))
    }

    private static func some(_ sums: [SumReport]) -> [SumReport]? { sums.isEmpty ? nil : sums }
}

extension SumReport {
    fileprivate init(_ sum: JoinedSum) {
        self.init(
            place: sum.path.description, household: sum.known.text, here: sum.here.text, together: sum.joined.text,
            apart: sum.apart.text)
    }
}
