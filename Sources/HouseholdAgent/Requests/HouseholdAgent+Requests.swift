import LosslessJSON
import MergeCore
import ProfileKeeping
import SyncProtocol

/// A `sync` request that waits until the household is in step.
struct WaitingSync {
    /// Milliseconds that a sync waits at most.
    static let patience: Int64 = 10_000

    /// Milliseconds that a sync waits at most for devices that have every change but whose files do not show it yet: a
    /// game may run there.
    static let filePatience: Int64 = 3_000

    var profiles: [ProfileID]
    /// Profiles that are left out because they are paused.
    var paused: [ProfileID]
    var deadline: Int64
    /// The time until which the files of other devices are waited for; `nil` once it has passed.
    var fileDeadline: Int64?

    var nextLook: Int64 { min(deadline, fileDeadline ?? deadline) }
}

/// Takes requests and answers most of them.
extension HouseholdAgent {
    mutating func requested(_ id: RequestID, _ request: AgentRequest, now: Int64) {
        switch request {
        case .add(let path, let name, let rules): add(id, path, name, rules, now: now)
        case .restore: restore(id, request, now: now)
        case .remove(let name): remove(id, name)
        case .move(let name, let path): move(id, name, path, now: now)
        case .forget(let name): forget(id, name, now: now)
        case .pair: openPairing(id, now: now)
        case .join(let code, let address): joinByCode(id, code, address, now: now)
        case .unpair(let device): unpair(id, device, now: now)
        case .sync(let name): sync(id, name, now: now)
        case .pause(let name): pause(id, name)
        case .resume(let name): resume(id, name, now: now)
        case .play(let name, let game, let since, let mark):
            play(id, name, game, since: since, mark: mark, now: now)
        case .endPlay(let play): endPlay(id, play, now: now)
        case .attach(let attaching): attach(id, attaching, now: now)
        case .bring(let attachment, let hurry): bring(id, attachment, hurry: hurry, now: now)
        case .taken(let attachment): taken(id, attachment)
        case .status: reply(id, .status(statusReport(now: now)))
        case .devices: reply(id, .devices(deviceReports()))
        case .show(let name, let pointer): show(id, name, pointer)
        case .reset, .restoreBackup, .undo, .accept: perform(id, request, now: now)
        case .keep(let name): keep(id, name)
        case .preview(let request): preview(id, request, now: now)
        case .history(let name, let pointer, let limit): history(id, name, pointer, limit)
        case .summary(let name): summary(id, name)
        case .explain(let name, let pointer): explain(id, name, pointer)
        case .conflicts(let name): conflicts(id, name)
        case .backups(let name): backups(id, name)
        case .resolve(let name, let pointer, let choice): resolve(id, name, pointer, choice, now: now)
        case .export(let name, _): transfer(id, request, named: name, now: now)
        case .importTransfer: transfer(id, request, named: nil, now: now)
        case .importDocument(_, let name, _): transfer(id, request, named: name, now: now)
        case .pinBackup(let name, let backup, let isPinned): pinBackup(id, name, backup, isPinned)
        case .migrate(let name, let version, let backup, let dryRun):
            migrate(id, name, to: version, from: backup, dryRun: dryRun, now: now)
        }
    }

    mutating func abandoned(_ id: RequestID, now: Int64) {
        abandonPlay(id, now: now)
        abandonAttachment(id, now: now)
        waiting.end(id)
        pairing.abandon(id)
    }

    /// Answers the waiting requests whose time has come.
    mutating func tickRequests(now: Int64) {
        for (id, restore) in waiting.restores.sorted(by: { $0.key < $1.key }) {
            let arrived = !profiles(named: restore.restoring.name).isEmpty
            guard arrived || restore.deadline <= now else { continue }
            waiting.end(id)
            restoreNow(id, restore.restoring, now: now)
        }
        tickSyncs(now: now)
        tickTransfers(now: now)
    }

    // MARK: Profiles

    private mutating func add(_ id: RequestID, _ path: String, _ name: String, _ rules: RuleSet?, now: Int64) {
        do {
            if let known = keeper.profile(at: path) {
                guard let rules else {
                    return reply(id, .failure(.failed, "\(path) is profile \(keeper.profiles[known]!.name) already"))
                }
                try keeper.changeRules(known, to: rules, now: now)
                let note = liftFile(known, now: now)
                settle(now: now)
                return reply(id, .profile(report(known), note: note ?? "the rules were changed"))
            }
            let ids = FreshIDs(profile: ProfileID(random: random.next(), random.next()), replica: freshReplica())
            let profile = try keeper.add(file: path, name: name, rules: rules ?? .empty, ids: ids, now: now)
            settle(now: now)
            let twins = profiles(named: name).filter { $0 != profile }
            let note = twins.first.map {
                "another profile is called \(name) as well; if it is the same game's progress, join the two with: "
                    + joinCommand($0, at: path)
            }
            reply(id, .profile(report(profile), note: note))
        } catch {
            reply(id, .failure(.failed, "\(error)"))
        }
    }

    private mutating func remove(_ id: RequestID, _ name: String) {
        guard let profile = one(named: name, for: id) else { return }
        if letGo.contains(profile) {
            heard(of: profile)
            return reply(id, .forgotten(report(profile)))
        }
        guard keeper.profiles[profile]?.file != nil else {
            let here = "\(name) has no file on this device; it is only kept and passed on here"
            let forget = "to forget it on every device: hearth forget \(keeper.word(profile))"
            return reply(id, .failure(.failed, "\(here); \(forget)"))
        }
        do {
            try keeper.unbind(profile)
            reply(id, .forgotten(report(profile)))
        } catch {
            reply(id, .failure(.failed, "\(error)"))
        }
    }

    private mutating func show(_ id: RequestID, _ name: String, _ pointer: String?) {
        guard let profile = one(named: name, for: id) else { return }
        let held = keeper.profiles[profile]!
        guard let text = merged(held) else {
            return reply(id, .failure(.failed, "nothing is known of \(name) yet"))
        }
        do {
            let document = try JSONDocument(parsing: text)
            guard let node = document.node(at: try JSONPointer(parsing: pointer ?? "")) else {
                return reply(id, .failure(.failed, "\(held.name) has nothing at \(pointer ?? "")"))
            }
            reply(id, .document(Array(document.text(node))))
        } catch {
            reply(id, .failure(.usage, "\(error)"))
        }
    }

    /// The profile's document: the text of the file here with all merged changes, or a new document where there is no
    /// file yet.
    func merged(_ profile: KeptProfile) -> [UInt8]? {
        guard profile.lineage.newest != nil else {
            return Projection.newDocument(of: profile.state)?.jsonBytes(indent: "  ")
        }
        return profile.merged?.bytes
    }

    // MARK: Sync

    private mutating func sync(_ id: RequestID, _ name: String?, now: Int64) {
        var wanted = keeper.ids
        if let name {
            guard let profile = one(named: name, for: id) else { return }
            guard !paused.contains(profile) else {
                let resume = "hearth resume \(keeper.word(profile))"
                return reply(id, .failure(.failed, "\(name) is paused on this device; go on with: \(resume)"))
            }
            wanted = [profile]
        }
        guard household.roster.members.count > 1 else {
            return reply(id, .failure(.failed, "this device is in no household yet; pair it first with 'hearth pair'"))
        }
        for profile in wanted where needsLook(profile) && watches.isSettled(profile) {
            watches.look(at: profile, now: now)
        }
        plan.hurryAll(now: now)
        // A device that was there a while ago may be gone without a goodbye.
        tellAll(now: now) { $0.ask(now: now) }
        let sync = WaitingSync(
            profiles: wanted.filter { !paused.contains($0) }, paused: wanted.filter { paused.contains($0) },
            deadline: now + WaitingSync.patience, fileDeadline: now + WaitingSync.filePatience)
        waiting.add(id, sync)
    }

    // MARK: Names

    /// The profiles of an id or a name. A profile that was joined into another stands for that other one.
    func profiles(named name: String) -> [ProfileID] {
        if let id = ProfileID(hex: name), let profile = keeper.profiles[id] { return [profile.state.joinedInto ?? id] }
        let held = keeper.profiles
        return keeper.ids.filter { held[$0]!.name == name && held[$0]!.isOffered }
    }

    /// Profiles of one name as a text, each with its id and its file.
    private func list(_ ids: [ProfileID]) -> String {
        ids.map { "\($0) (\(whereabouts($0)))" }.joined(separator: ", ")
    }

    func whereabouts(_ id: ProfileID) -> String { keeper.profiles[id]?.file ?? "no file here" }

    mutating func one(named name: String, for id: RequestID) -> ProfileID? {
        let all = profiles(named: name)
        if all.count == 1 { return all[0] }
        if all.isEmpty {
            reply(id, .failure(.failed, "no profile \(name) is known here; 'hearth status' lists them"))
        } else {
            reply(id, .failure(.needsDecision, "several profiles are called \(name): name one by its id: \(list(all))"))
        }
        return nil
    }
}
