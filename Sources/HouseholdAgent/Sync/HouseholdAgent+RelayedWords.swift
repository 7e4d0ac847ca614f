import MergeCore
import ProfileKeeping
import SyncProtocol

/// Words of devices without a link to this one, or to another one: wanted, passed on, and looked at.
///
/// In a line A–B–C, A is to know that C has what A wrote. C says so to B, and B passes that on. A word lives as long as
/// the link it came over: nothing of it is stored, so a device that is gone, removed, or went back in time takes its
/// word along, and no word outlives a restart of whoever passed it on. The other way that was weighed is a table of
/// stamped words that everybody keeps and sends on to everybody: it needs stamps that no rolled back record repeats,
/// and something besides that tells whether a device is still there.
extension HouseholdAgent {
    /// Says whose words this device wants, and passes on what is new of those that others want.
    mutating func tellWords(now: Int64) {
        if words.update(links: links.answering, members: household.roster.members) { wantWords(now: now) }
        let profiles = words.take(of: keeper.ids)
        guard !profiles.isEmpty else { return }
        for (id, live) in links.all where live.isUp {
            for device in live.link.peerWantsWords.sorted() {
                for profile in profiles {
                    let word = word(about: profile, of: device, for: live)
                    tell(id, now: now) { $0.pass(word, about: profile, of: device) }
                }
            }
        }
    }

    private mutating func wantWords(now: Int64) {
        let unlinked = otherMembers.filter { links.answeringLink(to: $0.key) == nil }.map(\.id)
        for (id, live) in links.all where live.isUp {
            let wanted = Set(unlinked.prefix(Limits.words)).subtracting([live.peerKey.id])
            tell(id, now: now) { $0.wantWords(of: wanted) }
        }
    }

    /// The word of a member as it is passed on over a link: that member's own, by the shortest way that there is.
    private func word(about profile: ProfileID, of device: DeviceID, for live: LiveLink) -> PeerWord? {
        let to = live.peerKey.id
        guard device != to, let member = otherMembers.first(where: { $0.id == device }) else { return nil }
        if let own = links.answeringLink(to: member.key) { return own.link.word(profile) }
        var best: PeerWord?
        for (id, other) in links.all where other !== live && words.isHeard(id) {
            guard let word = heard(profile, of: device, on: other), !word.through.contains(to) else { continue }
            let through = word.through + [other.peerKey.id]
            guard through.count <= Limits.words - 2, through.count < best?.through.count ?? .max else { continue }
            best = PeerWord(vector: word.vector, isFileBehind: word.isFileBehind, through: through)
        }
        return best
    }

    /// A word that was passed on to this device, unless it came through it.
    private func heard(_ profile: ProfileID, of device: DeviceID, on live: LiveLink) -> PeerWord? {
        guard let word = live.link.word(profile, of: device) else { return nil }
        let me = signer.key.id
        return device == me || word.through.contains(me) ? nil : word
    }

    // MARK: Looking

    /// What this device knows of a member's part in profiles.
    enum MemberStanding {
        /// It lacks something, or has something that is not here, or nothing is known of it now.
        case behind
        /// It has all of it, and its file does not show it.
        case fileBehind
        case inStep
    }

    /// How a member stands: by its own link where there is one, else by what others pass on of its words.
    ///
    /// - Parameter isAsked: Whether the devices were asked just now whether they are there, and have to answer first.
    func standing(of member: Roster.Member, _ profiles: [ProfileID], isAsked: Bool = false) -> MemberStanding {
        if let live = links.answeringLink(to: member.key) {
            guard !isAsked || !live.link.awaitsAnswer, isSettled(profiles, on: live) else { return .behind }
            return profiles.contains { live.link.isPeersFileBehind($0) } ? .fileBehind : .inStep
        }
        var standing = MemberStanding.inStep
        for profile in profiles {
            switch relayedStanding(of: member.id, profile, isAsked: isAsked) {
            case .behind: return .behind
            case .fileBehind: standing = .fileBehind
            case .inStep: break
            }
        }
        // Without a profile there is nothing that anybody could have said.
        return profiles.isEmpty ? .behind : standing
    }

    /// How a member without a link stands with one profile. Every word of it has to say the same, for one may be older.
    private func relayedStanding(of device: DeviceID, _ profile: ProfileID, isAsked: Bool) -> MemberStanding {
        guard let ours = keeper.profiles[profile]?.state.vector, watches.isSettled(profile) else {
            return .behind
        }
        var standing: MemberStanding?
        for (_, live) in links.all where live.answers {
            guard let word = heard(profile, of: device, on: live) else { continue }
            guard !isAsked || !live.link.awaitsAnswer, word.vector.covers(ours), ours.covers(word.vector) else {
                return .behind
            }
            if word.isFileBehind { standing = .fileBehind }
            standing = standing ?? .inStep
        }
        return standing ?? .behind
    }

    /// Whether anything is known of a member now: it answers, or another one passes on what it says.
    func isHeard(_ member: Roster.Member, _ profile: ProfileID) -> Bool {
        if links.answeringLink(to: member.key) != nil { return true }
        return links.all.contains { $0.live.answers && heard(profile, of: member.id, on: $0.live) != nil }
    }
}
