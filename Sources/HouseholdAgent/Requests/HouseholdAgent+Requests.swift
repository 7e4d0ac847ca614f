import LosslessJSON
import MergeCore
import ProfileKeeping
import SyncProtocol

/// A `sync` request that waits until the household is in step.
struct WaitingSync {
    /// The time that a sync waits at most.
    static let patience = Duration.seconds(10)

    /// The time that a sync waits at most for devices that have every change but whose files do not show it yet,
    /// because a game may run there.
    static let filePatience = Duration.seconds(3)

    var profiles: [ProfileID]
    /// Profiles that are left out because they are paused.
    var paused: [ProfileID]
    var deadline: MonotonicTime
    /// The time until which a sync waits for the files of other devices; `nil` once it has passed.
    var fileDeadline: MonotonicTime?

    var nextLook: MonotonicTime { min(deadline, fileDeadline ?? deadline) }
}

/// Takes requests and answers most of them.
extension HouseholdAgent {
    mutating func run<Request: AgentRequest>(_ request: Request, as id: RequestID, now: Moment) {
        // A save that is kept already may be where the player wanted it all the same.
        if let path = request.keptPath, engine.profile(at: path) == nil,
            let other = engine.files.foreignSync(around: path)
        {
            return fail(id, .needsDecision, other.refusal(of: path))
        }
        request.run(Call(id), on: &self, now: now)
    }

    mutating func abandoned(_ id: RequestID, now: Moment) {
        perform(games.abandoned(id, processTable, now: now.monotonic), now: now)
        waiting.end(id)
        for profile in manyRestores.end(id) { firstFiles.end(profile) }
        pairing.abandon(id)
        followers.end(id)
    }

    /// Does the restores that waited for their profile, or have waited long enough.
    mutating func tickRestores(now: Moment) {
        for (id, var restore) in waiting.restores.sorted(by: { $0.key < $1.key }) {
            if let time = restore.listedDeadline, time <= now.monotonic { restore.listedDeadline = nil }
            waiting.add(id, restore)
            let arrived = !profiles(named: restore.request.profile).isEmpty
            let isListed = restore.listedDeadline == nil && isEverythingListed
            guard arrived || isListed || restore.deadline <= now.monotonic else { continue }
            waiting.end(id)
            restoreNow(restore.call, restore.request, now: now)
        }
    }

    // MARK: Profiles

    /// - Parameter asNew: Whether a file that a profile had until it was removed here becomes another profile.
    mutating func add(
        _ call: Call<AddRequest>, _ path: String, _ name: String, _ rules: RuleSet?, asNew: Bool, now: Moment
    ) {
        do {
            if let known = engine.profile(at: path) {
                guard let rules else {
                    let rename = "to call it otherwise: hearth rename \(engine.word(known)) NAME"
                    return fail(
                        call.id, .failed, "\(path) is profile \(engine.profiles[known]!.name) already; \(rename)")
                }
                try engine.changeRules(known, to: rules, now: now)
                let note = upcastFile(known, now: now)
                return answer(call) {
                    ProfileAnswer(profile: $0.report(known), note: note ?? "the rules were changed")
                }
            }
            guard DisplayName.isClean(name) else {
                return fail(call.id, .usage, DisplayName.refusal(of: name))
            }
            // Its rules are known, and so is what was played since. Two saves that are joined later know neither.
            if !asNew, let left = try engine.profileLeft(at: path), let held = engine.profiles[left] {
                return fail(
                    call.id, .needsDecision,
                    "\(path) was kept as \(held.name) until it was removed here; to keep it as another save all the same, add "
                        + "--anyway; to go on with \(held.name): hearth restore \(engine.word(left)) --to "
                        + ShellWord.quoted(path))
            }
            let fresh = ProfileID(random: random.next(), random.next())
            let ids = FreshIDs(profile: fresh, replica: freshReplica(for: fresh))
            let profile = try engine.add(file: path, name: name, rules: rules ?? .empty, ids: ids, now: now)
            answer(call) { agent in
                var note: String?
                if let other = agent.profiles(named: name).first(where: { $0 != profile }) {
                    note =
                        "another save is called \(name) as well; if it is of another game or slot, give this one "
                        + "another name with 'rename'; if it is the same game's progress, join the two with: "
                        + agent.joinCommand(other, at: path)
                }
                return ProfileAnswer(profile: agent.report(profile), note: note)
            }
        } catch {
            fail(call.id, .failed, "\(error)")
        }
    }

    mutating func show(_ call: Call<ShowRequest>, _ name: String, _ pointer: String?, _ backup: String?) {
        guard let profile = one(named: name, for: call.id) else { return }
        let held = engine.profiles[profile]!
        let text: [UInt8]
        if let backup {
            switch engine.readBackup(profile, backup) {
            case .document(let bytes): text = bytes
            case .unusable(let fault, let next):
                let other = next.map { "; the next good one is \($0)" } ?? ""
                return fail(call.id, fault.reason == .tooNew ? .tooOld : .failed, fault.message + other)
            }
        } else if let merged = merged(held) {
            text = merged
        } else {
            return fail(call.id, .failed, "nothing is known of \(name) yet")
        }
        do {
            let document = try JSONDocument(parsing: text)
            let place = try JSONPointer(parsing: pointer ?? "")
            // A place as other commands print it names an element by its key.
            let printed = DocumentPath(place, in: document, rules: held.rules).flatMap { path in
                path.steps?.count == place.tokens.count ? path : nil
            }
            guard let node = document.node(at: place) ?? printed.flatMap({ held.state.node(at: $0, in: document) })
            else {
                return fail(call.id, .failed, "\(held.name) has nothing at \(pointer ?? "")")
            }
            let text = String(decoding: document.text(node), as: UTF8.self)
            answer(call) { _ in DocumentText(document: text) }
        } catch {
            fail(call.id, .usage, "\(error)")
        }
    }

    /// The profile's document: the text of the file here with all merged changes, or a new document where there is no
    /// file yet.
    func merged(_ profile: KeptProfile) -> [UInt8]? {
        guard profile.baseHistory.newest != nil else {
            return Projection.newDocument(of: profile.state)?.jsonBytes(indent: "  ")
        }
        return profile.merged?.bytes
    }

    // MARK: Sync

    static var isAlone: String { "this device is in no household yet; pair it first with 'hearth pair'" }

    mutating func sync(_ call: Call<SyncRequest>, _ name: String?, now: Moment) {
        var wanted = engine.ids
        if let name {
            guard let profile = one(named: name, for: call.id) else { return }
            guard !paused.contains(profile) else {
                let resume = "hearth resume \(engine.word(profile))"
                return fail(call.id, .failed, "\(name) is paused on this device; go on with: \(resume)")
            }
            wanted = [profile]
        }
        // Only the own record of the removal refuses a sync: where other devices alone said it, the sync asks them anew.
        if household.roster.isRemoved(household.roster.me), let removalTrouble {
            return fail(call.id, .failed, removalTrouble)
        }
        guard !otherMembers.isEmpty else { return fail(call.id, .failed, Self.isAlone) }
        let (left, leftOut) = (wanted.filter { !paused.contains($0) }, wanted.filter { paused.contains($0) })
        // A game that has just ended holds nothing any more.
        if left.contains(where: { games.hasProcess($0, in: engine.profiles) }) { lookAtProcesses(now: now) }
        lookAtOrphanedGames(now: now)
        for profile in left where needsLook(profile) && watches.isSettled(profile) {
            watches.look(at: profile, now: now.monotonic)
        }
        plan.hurryAll(now: now.monotonic)
        // A device that was connected a while ago may be gone without closing its link.
        tellAll(now: now) { $0.ask(now: now.monotonic) }
        guard !left.isEmpty else {
            // No save is compared, so nothing is said of any device.
            let names = leftOut.compactMap { engine.profiles[$0]?.name }
            return answer(call) { _ in SyncReport(inStep: [], behind: [], paused: Self.some(names)) }
        }
        let sync = WaitingSync(
            profiles: left, paused: leftOut,
            deadline: now.monotonic + WaitingSync.patience, fileDeadline: now.monotonic + WaitingSync.filePatience)
        waiting.add(call.id, sync)
    }
}
