import MergeCore
import ProfileKeeping
import SyncProtocol

/// Relays acknowledgements: if A and C are linked only through B, B tells A how far C is, and C how far A is. An
/// acknowledgement says which writes of a profile a device covers, and whether its file shows all of them.
///
/// In a line of links A–B–C, A has to know that C has A's writes. C acknowledges them to B, and B passes that on. An
/// acknowledgement lasts as long as the link over which it came, and is not stored. So the acknowledgement of a device
/// that is gone, removed or rolled back goes away with its link, and no acknowledgement survives a restart of the
/// device that passed it on. The alternative would be a table of stamped acknowledgements that every device keeps and
/// sends to all others. It would need stamps that no rolled back record repeats, and another way to know whether a
/// device is still there.
extension HouseholdAgent {
    /// Tells the peers whose acknowledgements this device wants, and sends the peers the new acknowledgements that they
    /// want.
    mutating func relayAcks(now: Moment) {
        if relayedAcks.update(links: links.answering, members: household.roster.members) { wantAcks(now: now) }
        let profiles = relayedAcks.take(of: engine.ids)
        guard !profiles.isEmpty else { return }
        for (id, live) in links.all where live.isUp {
            for device in live.link.peerWantsAcks.sorted() {
                for profile in profiles {
                    let ack = ack(about: profile, of: device, for: live)
                    tell(id, now: now) { $0.pass(ack, about: profile, of: device) }
                }
            }
        }
    }

    private mutating func wantAcks(now: Moment) {
        let unlinked = otherMembers.filter { links.answeringLink(to: $0.key) == nil }.map(\.id)
        for (id, live) in links.all where live.isUp {
            let wanted = Set(unlinked.prefix(Limits.relayedAcks)).subtracting([live.peerKey.id])
            tell(id, now: now) { $0.wantAcks(of: wanted) }
        }
    }

    /// The acknowledgement of a member to be passed on over a link: from the member's own link if there is one, else
    /// the relayed acknowledgement with the fewest devices in between, none of which is linked with the peer. A device
    /// that is linked with the peer tells it itself. Otherwise a device that leaves would make all others, which learn of
    /// it one after the other, pass on ever longer ways to it (as routers do with BGP: Labovitz et al., *Delayed Internet
    /// Routing Convergence*, SIGCOMM 2000).
    private func ack(about profile: ProfileID, of device: DeviceID, for live: LiveLink) -> PeerAck? {
        let to = live.peerKey.id
        guard device != to, let member = otherMembers.first(where: { $0.id == device }) else { return nil }
        if let own = links.answeringLink(to: member.key) { return own.link.ack(profile) }
        // The peer wants the words of those that it is not linked with.
        let wanted = live.link.peerWantsAcks
        var best: PeerAck?
        for (id, other) in links.all where other !== live && relayedAcks.isAnswering(id) {
            guard let ack = relayedAck(profile, of: device, on: other), !ack.through.contains(to) else { continue }
            let through = ack.through + [other.peerKey.id]
            guard through.count <= Limits.relayedAcks - 2, through.count < best?.through.count ?? .max,
                wanted.isSuperset(of: through)
            else { continue }
            best = PeerAck(vector: ack.vector, isFileBehind: ack.isFileBehind, through: through)
        }
        return best
    }

    /// A relayed acknowledgement about a member, unless it came through this device before.
    private func relayedAck(_ profile: ProfileID, of device: DeviceID, on live: LiveLink) -> PeerAck? {
        guard let ack = live.link.ack(profile, of: device) else { return nil }
        let me = signer.key.id
        return device == me || ack.through.contains(me) ? nil : ack
    }

    // MARK: Looking

    /// How far a member is with some profiles, as far as this device knows.
    enum MemberProgress {
        /// The member lacks some writes, or has writes that are not here, or its state is not known now.
        case behind
        /// The member has all writes, but its file does not show them.
        case fileBehind
        case inStep
    }

    /// How far a member is. Where something here is known to differ from what the member says, both are not in step,
    /// whatever they cover.
    ///
    /// - Parameter isAsked: Whether the devices were just pinged: a device that has not answered yet counts as behind.
    func progress(of member: Roster.Member, _ profiles: [ProfileID], isAsked: Bool = false) -> MemberProgress {
        if profiles.contains(where: { hearsayChecks.differs(member.id, in: $0) }) { return .behind }
        return covered(by: member, profiles, isAsked: isAsked)
    }

    /// How far a member is by what it covers: by its own link if there is one, else by the acknowledgements that others
    /// pass on.
    func covered(by member: Roster.Member, _ profiles: [ProfileID], isAsked: Bool = false) -> MemberProgress {
        if let live = links.answeringLink(to: member.key) {
            guard !isAsked || !live.link.awaitsAnswer, isSettled(profiles, on: live) else { return .behind }
            return profiles.contains { live.link.isPeersFileBehind($0) } ? .fileBehind : .inStep
        }
        var progress = MemberProgress.inStep
        for profile in profiles {
            switch relayedProgress(of: member.id, profile, isAsked: isAsked) {
            case .behind: return .behind
            case .fileBehind: progress = .fileBehind
            case .inStep: break
            }
        }
        // Without a profile there are no acknowledgements.
        return profiles.isEmpty ? .behind : progress
    }

    /// How far a member without a link is with one profile. All acknowledgements about it have to agree, because one
    /// may be older.
    private func relayedProgress(of device: DeviceID, _ profile: ProfileID, isAsked: Bool) -> MemberProgress {
        guard let ours = engine.profiles[profile]?.vector, isLookedAt(profile) else {
            return .behind
        }
        var progress: MemberProgress?
        for (_, live) in links.all where live.answers {
            guard let ack = relayedAck(profile, of: device, on: live) else { continue }
            guard !isAsked || !live.link.awaitsAnswer, ack.vector.covers(ours), ours.covers(ack.vector) else {
                return .behind
            }
            if ack.isFileBehind { progress = .fileBehind }
            progress = progress ?? .inStep
        }
        return progress ?? .behind
    }

    /// The other members that can be reached now: they answer, or another device passes on their acknowledgements, of
    /// whatever profile. O(profiles) for each member without a link.
    var reachableMembers: [Roster.Member] {
        let ids = engine.ids
        return otherMembers.filter { member in
            if links.answeringLink(to: member.key) != nil { return true }
            return links.all.contains { _, live in
                live.answers && ids.contains { relayedAck($0, of: member.id, on: live) != nil }
            }
        }
    }

    /// The devices that are linked with a member and pass on its acknowledgements, in ascending order.
    func relays(of member: Roster.Member) -> [DeviceID] {
        var relays = Set<DeviceID>()
        for (_, live) in links.all where live.answers {
            for profile in engine.ids {
                guard let ack = relayedAck(profile, of: member.id, on: live) else { continue }
                // The first of those in between has the link; without any it is the peer itself.
                relays.insert(ack.through.first ?? live.peerKey.id)
            }
        }
        return relays.sorted()
    }
}
