import MergeCore
import ProfileKeeping
import SyncProtocol

/// Writes that are left out of a profile while all else goes on: what is noted of them, when they are asked for again, and
/// the words of `status`.
extension HouseholdAgent {
    /// Goes on without the writes of some replicas.
    mutating func leaveOut(
        _ replicas: Set<ReplicaID>, _ reason: LeftOutReplicas.Reason, by admission: DeltaAdmission, _ id: ConnectionID,
        _ live: LiveLink, now: Moment
    ) {
        if replicas.isEmpty { return }
        let profile = admission.delta.profile
        noteLeftOut(replicas, reason, by: admission, from: live.peerKey, now: now)
        tell(id, now: now) { link in
            link.leftOut(replicas, of: profile)
            return []
        }
    }

    /// How far a replica has written whose writes are left out of a delta's profile here, where the writer of an atom may
    /// have read them: another device may have had room for them. A device that names its own ones has nothing to gain.
    func leftOutReads(by admission: DeltaAdmission) -> (_ named: ReplicaID, _ writer: ReplicaID) -> UInt64 {
        let (profile, leftOut, origins) = (admission.delta.profile, leftOut, origins)
        func device(of replica: ReplicaID) -> DeviceKey? {
            (admission.owner(of: replica) ?? origins[replica] ?? leftOut.origin(of: replica, in: profile))?.device
        }
        return { named, writer in
            guard let other = device(of: named), let own = device(of: writer), other != own else { return 0 }
            let now = admission.leftOut.contains(named) ? admission.offered.sequence(of: named) : 0
            return max(now, leftOut.progress(of: named, in: profile))
        }
    }

    /// Whether the sender of a delta itself declared more epochs than it may, without anything that other devices said of
    /// its writes.
    func saysTooMuch(_ sender: DeviceKey, of replicas: Set<ReplicaID>, in profile: ProfileID) -> Bool {
        let told = hearsay.spans(of: profile)
        return replicas.contains { origins[$0]?.device == sender && told[$0] == nil }
    }

    // MARK: Asking again

    /// Asks a device again for writes of former members that were left out. It may have sent them before it learned of
    /// a removal, and says only from now on that it had them by then.
    mutating func askAgainForFormerMembers(on id: ConnectionID, now: Moment) {
        for profile in leftOut.profiles(for: .noMember) { askAgain(for: profile, on: id, now: now) }
    }

    /// Asks all linked devices again for what was left out of a profile because of too many epochs: what others had made
    /// up of them is gone.
    mutating func askAgainForEpochs(of profile: ProfileID, now: Moment) {
        guard leftOut.lacks(profile, for: .epochs) else { return }
        for (id, _) in links.all { askAgain(for: profile, on: id, now: now) }
    }

    /// A device that is asked for all it has is asked for all of it once more: only the answer to its last statement
    /// counts.
    private mutating func askAgain(for profile: ProfileID, on id: ConnectionID, now: Moment) {
        // A save that is not here may be one whose writes are all left out.
        let vector = engine.profiles[profile]?.vector ?? VersionVector()
        let isRepairing = hearsayChecks.isRepairing(profile, on: id)
        tell(id, now: now) { link in
            isRepairing ? link.askForAll(of: profile, vector: vector) : link.offer(profile, vector: vector)
        }
    }

    // MARK: Words

    /// Notes that a profile is kept without the writes of some replicas, so that `status` and `sync` say so.
    ///
    /// - Parameter sender: The device that sent them, or signed the file with them.
    mutating func noteLeftOut(
        _ replicas: Set<ReplicaID>, _ reason: LeftOutReplicas.Reason, by admission: DeltaAdmission,
        from sender: DeviceKey, now: Moment
    ) {
        if replicas.isEmpty { return }
        let profile = admission.delta.profile
        let announced = replicas.reduce(into: [ReplicaID: ReplicaOrigin]()) { announced, replica in
            announced[replica] = admission.owner(of: replica) ?? origins[replica]
        }
        let writers = replicas.reduce(into: [ReplicaID: LeftOutReplicas.Writer]()) { writers, replica in
            writers[replica] = LeftOutReplicas.Writer(device: announced[replica]?.device.id, reason: reason)
        }
        guard leftOut.add(writers, from: announced, upTo: admission.offered, of: profile, now: now.monotonic) else {
            return
        }
        let names = Set(writers.values.compactMap(\.device)).sorted().map { name(of: $0) }
        log(
            .warning, "writes of a save are left out here", about: sender,
            [
                "save": engine.profiles[profile]?.name ?? "\(profile)", "why": reason.rawValue,
                "written by": names.joined(separator: ", "), "replicas": "\(replicas.count)",
            ], now: now)
    }

    /// A sentence for each device of the household whose writes a profile lacks here.
    func leftOutSentences(_ id: ProfileID) -> [String] {
        leftOut.writers(of: id).compactMap { writer in
            guard otherMembers.contains(where: { $0.id == writer.device }) else { return nil }
            let name = name(of: writer.device)
            let unpair = "go on without that device: hearth unpair \(ShellWord.quoted(name))"
            switch writer.reason {
            // This reason is never about a member, so there is nothing to say.
            case .noMember: return nil
            case .epochs:
                return "some of what \(name) plays is left out here, because it starts the save over too often, by its "
                    + "own word or by what another machine made up; let both machines be on at the same time; if you do "
                    + "not trust it, \(unpair)"
            case .follows: return "some of what \(name) plays is left out here, until what it follows on comes in"
            case .full:
                return "what \(name) plays is left out here, because it fills the save with more than a save may hold; "
                    + "make the save smaller there, or \(unpair)"
            case .tooManyReplicas:
                return
                    "some of what \(name) plays is left out here, because the save has no room for one more writer of "
                    + "that device; if you do not trust it, \(unpair)"
            }
        }
    }

    /// A sentence where writes of more devices and saves are left out than are remembered.
    func leftOutTroubles() -> [String] {
        guard leftOut.hasMore else { return [] }
        return [
            "some of what somebody plays is left out here, in more saves than can be named; if you do not trust one of "
                + "your machines, go on without it: hearth unpair"
        ]
    }

    /// A sentence for each device of the household that has more saves than are kept here.
    func begunTroubles() -> [String] {
        otherMembers.filter { begun.excessive.contains($0.id) }.map { member in
            let name = name(of: member.id)
            return "\(name) has more saves than the \(settings.begunProfiles) that are kept here without a file; the "
                + "others are left out on this machine until some are restored here or forgotten there; if you do not "
                + "trust it, hearth unpair \(ShellWord.quoted(name))"
        }
    }
}
