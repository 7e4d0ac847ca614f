import MergeCore
import ProfileKeeping
import SyncProtocol

/// A `doctor` request that waits for the results of what it tries.
struct WaitingDiagnosis {
    /// The time that it waits at most: a link that does not answer is known after ten seconds, and a dial has failed by
    /// then.
    static let patience = Duration.seconds(11)

    /// The time that it waits at most for what may be over in a moment: files that settle, and machines that catch up.
    static let passingPatience = Duration.seconds(3)

    let began: MonotonicTime
    /// Whether ``passingPatience`` is over: what is still out of step then is reported.
    var isSettled = false

    var end: MonotonicTime { began + Self.patience }
    var nextLook: MonotonicTime { isSettled ? end : began + Self.passingPatience }
}

/// `hearth doctor`: tries everything at once, and says what came of it.
extension HouseholdAgent {
    mutating func diagnose(_ call: Call<DoctorRequest>, now: Moment) {
        for profile in engine.ids where !paused.contains(profile) && needsLook(profile) && watches.isSettled(profile) {
            watches.look(at: profile, now: now.monotonic)
        }
        perform(discovery.lookForItself(), now: now)
        plan.hurryAll(now: now.monotonic)
        tellAll(now: now) { $0.ask(now: now.monotonic) }
        waiting.add(call.id, WaitingDiagnosis(began: now.monotonic))
    }

    /// Answers the requests whose tries have ended, or that have waited long enough.
    mutating func tickDiagnoses(now: Moment) {
        for (id, var diagnosis) in waiting.diagnoses.sorted(by: { $0.key < $1.key }) {
            if diagnosis.began + WaitingDiagnosis.passingPatience <= now.monotonic { diagnosis.isSettled = true }
            waiting.add(id, diagnosis)
            let waits = awaitsTry(since: diagnosis.began) || !diagnosis.isSettled && isPassing
            if waits, now.monotonic < diagnosis.end { continue }
            waiting.end(id)
            let findings = machineFindings(now: now) + memberFindings(now: now) + saveFindings()
            answer(Call<DoctorRequest>(id)) { _ in DoctorReport(findings) }
        }
    }

    /// Whether a dial, a link or discovery still owes a result.
    private func awaitsTry(since time: MonotonicTime) -> Bool {
        guard port != nil else { return false }
        if discovery.awaitsSight { return true }
        guard !otherMembers.isEmpty else { return false }
        return plan.awaitsOutcome(since: time, connected: links.connectedKeys)
            || links.all.contains { !$0.live.isUp || $0.live.link.awaitsAnswer && !$0.live.link.isSilent }
    }

    /// Whether a file is about to be read or written, or a connected device is catching up: worth a short wait before
    /// the report.
    private var isPassing: Bool {
        let connected = connectedMembers
        return engine.ids.contains { id in
            !paused.contains(id)
                && (obstacle(id).map { $0.kind == .passing } ?? false || !lagging(id, among: connected).isEmpty)
        }
    }

    // MARK: This machine

    private func machineFindings(now: Moment) -> [Finding] {
        var findings = [port.map { Finding.agent($0) } ?? .noAgent] + diskFindings()
        if let recordTrouble { findings.append(.record(recordTrouble)) }
        if port != nil { findings.append(searchFinding) }
        if let removalTrouble {
            findings.append(.removed(removalTrouble))
        } else if otherMembers.isEmpty {
            findings.append(.alone)
        }
        return findings + otherTroubles(now: now).map { .other($0) }
    }

    private var searchFinding: Finding {
        if let trouble = discovery.trouble {
            return .searchTrouble(
                trouble, isMulticast: discovery.seesItself == false, command: discovery.troubleCommand)
        }
        return discovery.status == "off" ? .searchIsOff : .search(discovery.status, seesItself: discovery.seesItself)
    }

    private func diskFindings() -> [Finding] {
        var findings: [Finding] = []
        do throws(StorageFault) {
            try trials.writeInHome()
            findings.append(.homeWorks(trials.home))
        } catch {
            findings.append(.home(error.message))
        }
        // Of several paths with the same room, all are on one disk, and one finding is enough.
        var rooms: Set<DiskRoom> = []
        var isWell = true
        for path in [trials.home] + engine.ids.compactMap({ engine.profiles[$0]?.file.path }) {
            do throws(StorageFault) {
                let room = try trials.room(at: path)
                guard room.free < Self.leastRoom, rooms.insert(room).inserted else { continue }
                findings.append(.littleRoom(path: path, free: room.free))
            } catch {
                findings.append(.disk(error.message))
            }
            isWell = false
        }
        return isWell ? findings + [.roomEnough] : findings
    }

    /// The free bytes that the largest save needs: it is written beside the file that it replaces, and a backup is made.
    private static var leastRoom: Int64 { 128 << 20 }

    // MARK: The other machines

    private func memberFindings(now: Moment) -> [Finding] {
        guard port != nil else { return [] }
        let known = plan.known(linked: links.hosts)
        let isSearched = discovery.status != "off" && discovery.trouble == nil
        let subnets = trials.subnets
        var findings: [Finding] = []
        // The addresses that a member's finding already reports on.
        var said: Set<PeerAddress> = []
        var isSomebodyAway = false
        for member in otherMembers.sorted(by: { ($0.name, $0.id) < ($1.name, $1.id) }) {
            var facts = MemberFacts(name: name(of: member.id), key: member.key.bytes)
            (facts.isSearched, facts.subnets) = (isSearched, subnets)
            (facts.link, facts.lastEnd) = (link(to: member, now: now), links.lastEnd(of: member.id))
            let last = household.addresses[member.id]
            let others = household.addresses.filter { $0.key != member.id }.values
            // An address without a known owner may belong to this member.
            let open = known.filter { $0.owner == nil && !others.contains($0.address) }
            let own =
                known.filter { $0.owner == member.key.bytes }
                + open.filter { $0.isDiscovered || $0.address == last }
            facts.addresses = own.isEmpty ? open : own
            facts.formerAddress =
                known.first { $0.address == last && $0.device != nil && $0.device != member.key.bytes }?.address
            findings += facts.findings
            guard case .none = facts.link else { continue }
            isSomebodyAway = true
            said.formUnion(facts.addresses.map(\.address))
        }
        // Of a machine that has moved, the address that the player named may be mistyped.
        for known in known where isSomebodyAway && known.isNamed && known.owner == nil && !said.contains(known.address)
        {
            if let why = Finding.words(known.outcome) { findings.append(.named(known.address, why)) }
        }
        return findings
    }

    /// A sentence for each connected machine whose clock differs so much that the order of changes may come out wrong.
    func clockTroubles(now: Moment) -> [String] {
        otherMembers.compactMap { member in
            guard case .answers(_, _, let ahead) = link(to: member, now: now), MemberFacts.isOff(ahead) else {
                return nil
            }
            let name = name(of: member.id)
            return "\(name): \(Finding.clock(name, ahead: ahead).report.sentence)"
        }
    }

    private func link(to member: Roster.Member, now: Moment) -> MemberFacts.Link {
        guard let live = links.link(to: member.key), let greeting = live.link.greeting else { return .none }
        guard live.answers else { return .silent(live.remote) }
        // It said hello a moment after the link was made.
        let clock = greeting.clock + (now.monotonic - live.opened)
        return .answers(live.remote, version: greeting.version, ahead: clock - now.wall)
    }

    // MARK: The saves

    private mutating func saveFindings() -> [Finding] {
        var findings: [Finding] = []
        let ids = engine.ids.filter { engine.profiles.isOffered($0) }
        let connected = connectedMembers
        for id in ids {
            guard let held = engine.profiles[id] else { continue }
            if let finding = whyNotInStep(id, held) { findings.append(finding) }
            if let trouble = held.backupTrouble { findings.append(.backup(held.name, trouble)) }
            let behind = paused.contains(id) ? [] : lagging(id, among: connected)
            if !behind.isEmpty { findings.append(.behind(held.name, machines: behind)) }
            let words = RemarkWords.sentences(held.notices, word: engine.word(id))
            if !words.isEmpty { findings.append(.said(held.name, count: words.count)) }
            if let rules = ruleFindings(id) { findings.append(.rules(held.name, count: rules.count)) }
        }
        // Without an agent nothing is in step, whatever its file is.
        return findings.isEmpty && port != nil ? [.savesWork(ids.count)] : findings
    }

    /// The other machines that are connected, also through others. One that does not answer here is not: of it, others
    /// may still say what they heard before it went silent, and its own finding says what is wrong with it.
    private var connectedMembers: [Roster.Member] {
        guard port != nil else { return [] }
        return reachableMembers.filter { links.link(to: $0.key)?.answers ?? true }
    }

    /// The first reason why the file here does not show what the household has.
    private func whyNotInStep(_ id: ProfileID, _ held: KeptProfile) -> Finding? {
        if paused.contains(id) { return .paused(held.name, word: engine.word(id)) }
        if let obstacle = obstacle(id) {
            return obstacle.kind == .decision ? .decision(held.name, obstacle.words) : .file(held.name, obstacle.words)
        }
        if let game = holder(of: id), engine.fileLags(id) { return .held(held.name, game: game) }
        return leftOutSentences(id).first.map { .file(held.name, $0) }
    }
}
