import MergeCore
import ProfileKeeping

/// Which profile a game means that holds one open, and by which rules it is played.
extension HouseholdAgent {
    /// The profile that a game means: that of its file, or one it may have.
    mutating func profile(for attaching: Attaching, now: Int64) throws(AdoptFault) -> ProfileID? {
        let known = keeper.profile(at: attaching.path)
        if let known, keeper.profiles[known]?.name != attaching.name { return known }
        let twin = twin(named: attaching.name, besides: known)
        if attaching.twin == .join, let twin {
            // Its file here is gone, so it moves.
            if keeper.profiles[twin]?.file != nil { try unbind(twin) }
            return try keeper.bind(twin, to: attaching.path, isEarned: attaching.beganEmpty, now: now)
        }
        if let known {
            if attaching.twin == .apart, twin != nil { try rename(known, to: apart(attaching), now: now) }
            return known
        }
        guard twin == nil || attaching.twin == .apart else { return nil }
        let content: FileContent?
        do {
            content = try keeper.files.read(attaching.path, limit: Keeper<Files, Store>.fileLimit)
        } catch {
            throw AdoptFault(error.message)
        }
        guard content != nil else { return nil }
        let name = twin == nil ? attaching.name : apart(attaching)
        var profile = ProfileID(random: random.next(), random.next())
        if let id = attaching.id, keeper.profiles[id] == nil { profile = id }
        let ids = FreshIDs(profile: profile, replica: freshReplica())
        return try keeper.add(
            file: attaching.path, name: name, rules: attaching.rules, ids: ids, isEarned: attaching.beganEmpty, now: now)
    }

    /// What a profile is called that is not the household's of that name.
    private func apart(_ attaching: Attaching) -> String { "\(attaching.name) on \(settings.deviceName)" }

    private mutating func unbind(_ profile: ProfileID) throws(AdoptFault) {
        do { try keeper.unbind(profile) } catch { throw AdoptFault(error.message) }
    }

    private mutating func rename(_ profile: ProfileID, to name: String, now: Int64) throws(AdoptFault) {
        do {
            try keeper.rename(profile, to: name, now: now)
        } catch {
            throw AdoptFault(error.message)
        }
    }

    /// A profile that the household has under the name, and that has no file here, or none any more.
    private func twin(named name: String, besides own: ProfileID?) -> ProfileID? {
        let held = keeper.profiles
        let twins = profiles(named: name).filter {
            $0 != own && (held[$0]?.file == nil || held[$0]?.status == .missing)
        }
        // Of several the one that was played last.
        return twins.max { a, b in
            let (x, y) = (held[a]?.state.lastWrite?.time ?? .min, held[b]?.state.lastWrite?.time ?? .min)
            return x != y ? x < y : b < a
        }
    }

    func twin(of attachment: Attachment) -> ProfileID? {
        guard let profile = attachment.profile else { return twin(named: attachment.name, besides: nil) }
        let own = survivor(profile)
        guard keeper.profiles[own]?.name == attachment.name else { return nil }
        return twin(named: attachment.name, besides: own)
    }

    func choices(of profile: ProfileID?) -> Int {
        guard let profile else { return 0 }
        return keeper.profiles[survivor(profile)]?.state.openChoices.count ?? 0
    }

    /// The game's rules count where they are later than those in force, or it says that they are. Returns why not.
    mutating func putInForce(
        _ attaching: Attaching, _ profile: ProfileID, isKnown: Bool, now: Int64
    ) -> String? {
        guard let held = keeper.profiles[profile], held.state.rules != attaching.rules else { return nil }
        switch attaching.rules.versionChange(from: held.state.rules) {
        case .earlier:
            let (theirs, ours) = (held.state.rules.version ?? "", attaching.rules.version ?? "")
            return "the household plays version \(theirs), and this game is \(ours); update the game on this device"
        case .none where !attaching.changesRules || !isKnown:
            return "other rules of the same version are in force in the household"
        case .none, .later: break
        }
        do {
            try keeper.changeRules(profile, to: attaching.rules, now: now)
            return nil
        } catch {
            return error.message
        }
    }
}
