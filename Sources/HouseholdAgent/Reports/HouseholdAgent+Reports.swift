import MergeCore
import ProfileKeeping
import SyncProtocol

/// The reports of the agent about its profiles, devices and state.
extension HouseholdAgent {
    /// - Parameter reachable: ``reachableMembers``, where it is known already; it is found once for many profiles.
    func report(_ id: ProfileID, among reachable: [Roster.Member]? = nil) -> ProfileReport {
        let profile = engine.profiles[id]!
        let (state, reason) = fileState(of: id)
        return ProfileReport(
            id: id.description, name: profile.name, file: profile.file.path, state: state, reason: reason,
            remark: profile.remark,
            remarks: Self.some(RemarkWords.sentences(profile.notices, word: engine.word(id))),
            unreadable: engine.unread(id).map(\.description),
            pending: engine.wantsProjection(id),
            held: holder(of: id),
            joinedInto: engine.profiles.target(of: id)?.description,
            lastSync: syncTimes[id]?.milliseconds, backupTrouble: profile.backupTrouble, handle: otherHandle(id),
            decisions: Self.some(decisions(id)), behind: Self.some(lagging(id, among: reachable ?? reachableMembers)))
    }

    /// The state of a profile's file, and the reason where something is wrong. Cheap: it reads no file.
    func fileState(of id: ProfileID) -> (state: String, reason: String?) {
        let profile = engine.profiles[id]!
        var state = "good"
        var reason = profile.trouble
        switch profile.file.status {
        case .good: break
        case .missing:
            state = "missing"
            let place = "nothing is at \(profile.file.path ?? "?")"
            if Projection.newDocument(of: profile.state) == nil {
                reason = "\(place), and nothing of this save is shared; it is written once there is something"
            } else if let trouble = profile.trouble {
                reason = "\(place), and it cannot be written again now: \(trouble)"
            } else {
                reason = "\(place); it is written again shortly"
            }
        case .behind(let version):
            (state, reason) = ("behind", engine.sentence(onFileOf: id, behindAt: version))
        case .bad(let why): (state, reason) = ("bad", why)
        case .quarantined:
            reason = "the file at \(profile.file.path ?? "?") is no save; the last good state replaces it shortly"
        }
        if profile.waitsForOthers, reason == nil { reason = waitReason(profile) }
        if reason == nil, watches.isRestless(id) { reason = restlessReason }
        if reason == nil { reason = unsendable.sentence(id) ?? leftOutSentences(id).first }
        if profile.file.path == nil { (state, reason) = ("relayed", nil) }
        if paused.contains(id) { (state, reason) = ("paused", nil) }
        if let held = profile.rulesHeld {
            let other = profile.file.path.map {
                ", or put rules that this one knows in force on all machines: hearth add \(ShellWord.quoted($0)) --rules FILE"
            }
            let what = "its rules come from a newer Hearth (\(held)); update Hearth on this device"
            (state, reason) = ("bad", what + (other ?? ""))
        }
        if profile.isHeld { (state, reason) = ("bad", profile.trouble) }
        return (state, reason)
    }

    private var restlessReason: String {
        "a program writes its file all the time, so no whole save can be read; it is taken up at the first pause of a "
            + "tenth of a second. A game that pauses or ends lets that happen"
    }

    mutating func statusReport(now: Moment) -> StatusReport {
        var devices = deviceReports()
        devices[0].connected = port != nil
        ruleComparisons.keep(engine.ids)
        let reachable = reachableMembers
        var profiles: [(word: String, report: ProfileReport)] = []
        for id in engine.ids where engine.profiles.isOffered(id) {
            var report = report(id, among: reachable)
            report.ruleFindings = ruleFindings(id)
            profiles.append((report.name.lowercased(), report))
            letGo(now: now)
        }
        return StatusReport(
            device: devices[0],
            port: port.map(Int.init),
            discovery: discovery.status,
            household: Array(devices.dropFirst()),
            // By name, as a person looks for it.
            profiles: profiles.sorted { ($0.word, $0.report.id) < ($1.word, $1.report.id) }.map(\.report),
            troubles: [absence, removalTrouble, recordTrouble, discovery.trouble].compactMap { $0 }
                + otherTroubles(now: now) + clockTroubles(now: now),
            newcomers: newcomerSentences())
    }

    /// That no agent runs: then the command itself answers, from what is stored.
    private var absence: String? {
        port == nil ? "no agent is running, so nothing is kept in step; start one with: hearth agent" : nil
    }

    /// A sentence for each device that another one let in, until the player here knows of it; `nil` for none.
    private func newcomerSentences() -> [String]? {
        let sentences = household.newcomers.map { member in
            let by = household.roster.introducers(of: member.key).map { name(of: $0) }.joined(separator: " and ")
            return "\(name(of: member.id)) is new in the household; \(by) let it in. If you know it: "
                + "hearth devices --seen; if not: hearth unpair \(member.id)"
        }
        return sentences.isEmpty ? nil : sentences
    }

    /// The troubles of the whole device that neither its household, its record nor discovery has.
    func otherTroubles(now: Moment) -> [String] {
        copyReceiver.troubles { name(of: $0) } + hearsayTroubles(now: now) + nameConflictTroubles()
            + releasedFileTroubles() + leftOutTroubles() + begunTroubles()
            + identityCopies.troubles(home: trials.home, now: now.monotonic)
    }

    /// Reports of this device first, then of the other devices of the household, by name.
    func deviceReports() -> [DeviceReport] {
        var others: [DeviceReport] = []
        // Without a port this is the record alone, read by a command.
        let unseen = port == nil ? "no agent is running here" : "not seen since the agent started"
        let discovered = Set(plan.known().filter(\.isDiscovered).compactMap(\.device))
        for member in otherMembers {
            let live = links.answeringLink(to: member.key)
            let address = live?.remote ?? household.addresses[member.id]
            let isSilent = live == nil && links.link(to: member.key) != nil
            let reason = isSilent ? "it does not answer" : links.lastEnd(of: member.id) ?? unseen
            others.append(
                DeviceReport(
                    id: member.id.description, name: member.name, isThisDevice: false, connected: live != nil,
                    address: address?.description, reason: live == nil ? reason : nil,
                    sharesBackups: copySender.names(member.id, among: otherMembers) ? true : nil,
                    keepsBackups: live?.link.peerKeepsCopies == true ? true : nil,
                    broughtInBy: household.roster.introducers(of: member.key).map(\.id.description),
                    pairedAs: member.pairedName == member.name ? nil : member.pairedName,
                    lastSeen: live == nil ? lastSeen[member.id]?.milliseconds : nil,
                    found: live.map {
                        discovered.contains(member.key.bytes) ? "discovery" : $0.dialled ? "address" : "itself"
                    },
                    reachedThrough: live == nil ? Self.some(relays(of: member).map(\.description)) : nil))
        }
        // A machine that was installed anew is another one under its name, and its former self stays away for good.
        let present = Set(([identity] + others.filter(\.isReachable)).map(\.name))
        for index in others.indices where !others[index].isReachable && present.contains(others[index].name) {
            let (name, id) = (others[index].name, others[index].id)
            others[index].reason? += "; if it is a former installation of \(name): hearth unpair \(id)"
        }
        return [identity] + others.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    /// That this device was removed: as its own household says, or, where it was off then, as others told it since it
    /// started. While one of the household talks to it, it is in; another one may not have heard that it was paired again.
    var removalTrouble: String? {
        if household.roster.isRemoved(household.roster.me) {
            return
                "this device was removed from its household; what is played here stays here until it is paired again"
        }
        let unlinked = otherMembers.filter { links.answeringLink(to: $0.key) == nil }
        let telling = unlinked.filter { links.lastEnd(of: $0.id)?.hasSuffix(Self.removedFarewell) == true }
        guard !telling.isEmpty else { return nil }
        let names = telling.map { name(of: $0.id) }.joined(separator: " and ")
        let says = telling.count == 1 ? "says" : "say"
        guard unlinked.count == otherMembers.count else {
            return
                "\(names) \(says) that this device was removed from the household, and so does not connect to it; to let this "
                + "device in again: hearth pair"
        }
        return
            "\(names) \(says) that this device was removed from the household; what is played here stays here until it is "
            + "paired again"
    }
}
