import MergeCore
import ProfileKeeping

/// Attaching a game: which profile it means, and which rules count.
extension HouseholdAgent {
    /// The profile that a game means: that of its file, or a profile of the household that it may join. `nil` if the
    /// player has to decide, or if there is no file yet.
    mutating func profile(for attaching: AttachRequest, now: Moment) throws(AdoptFault) -> ProfileID? {
        let known = engine.profile(at: attaching.path)
        if let known, engine.profiles[known]?.name != attaching.name { return known }
        let nameConflict = nameConflict(named: attaching.name, besides: known)
        if attaching.onNameConflict == .join, let nameConflict {
            // The conflicting profile's file on this device is missing, so the profile moves to the new path.
            if engine.profiles[nameConflict]?.file.path != nil { try unbind(nameConflict) }
            try engine.bind(nameConflict, to: attaching.path, isEarned: attaching.beganEmpty, now: now)
            return nameConflict
        }
        if let known {
            if attaching.onNameConflict == .apart, nameConflict != nil {
                try rename(known, to: apart(attaching), now: now)
            }
            return known
        }
        guard nameConflict == nil || attaching.onNameConflict == .apart else { return nil }
        let content: FileContent?
        do {
            content = try engine.files.read(attaching.path, limit: ProfileEngine<Files, Store>.fileLimit)
        } catch {
            throw AdoptFault(error.message)
        }
        guard content != nil else { return nil }
        let name = nameConflict == nil ? attaching.name : apart(attaching)
        var profile = ProfileID(random: random.next(), random.next())
        if let id = attaching.id, engine.profiles[id] == nil { profile = id }
        let ids = FreshIDs(profile: profile, replica: freshReplica(for: profile))
        return try engine.add(
            file: attaching.path, name: name, rules: attaching.rules, ids: ids, isEarned: attaching.beganEmpty, now: now
        )
    }

    /// The name of a profile that is to stay apart from the household's profile of the same name.
    private func apart(_ attaching: AttachRequest) -> String { "\(attaching.name) on \(settings.deviceName)" }

    private mutating func unbind(_ profile: ProfileID) throws(AdoptFault) {
        do { try engine.unbind(profile) } catch { throw AdoptFault(error.message) }
    }

    private mutating func rename(_ profile: ProfileID, to name: String, now: Moment) throws(AdoptFault) {
        do {
            try engine.rename(profile, to: name, now: now)
        } catch {
            throw AdoptFault(error.message)
        }
    }

    /// A name conflict: another profile of the household with this name that has no file on this device, or whose file
    /// is missing.
    private func nameConflict(named name: String, besides own: ProfileID?) -> ProfileID? {
        let held = engine.profiles
        let nameConflicts = profiles(named: name).filter {
            $0 != own && (held[$0]?.file.path == nil || held[$0]?.file.status == .missing)
        }
        // Of several profiles, the one that was played last.
        return nameConflicts.max { a, b in
            let (x, y) = (held[a]?.state.lastWrite?.time ?? .min, held[b]?.state.lastWrite?.time ?? .min)
            return x != y ? x < y : b < a
        }
    }

    func nameConflict(of attachment: Attachment) -> ProfileID? {
        guard let profile = attachment.profile else { return nameConflict(named: attachment.name, besides: nil) }
        let own = canonicalID(profile)
        guard engine.profiles[own]?.name == attachment.name else { return nil }
        return nameConflict(named: attachment.name, besides: own)
    }

    func choices(of profile: ProfileID?) -> Int { Self.choices(of: profile, in: engine.profiles) }

    static func choices(of profile: ProfileID?, in profiles: ProfileTable) -> Int {
        profile.flatMap { profiles[profiles.canonicalID($0)]?.state.openChoices.count } ?? 0
    }

    /// Puts the game's rules in force if they are of a later version, or if the game asks for the change. Returns the
    /// reason if they are not put in force.
    mutating func putInForce(
        _ attaching: AttachRequest, _ profile: ProfileID, isKnown: Bool, now: Moment
    ) -> String? {
        guard let held = engine.profiles[profile], held.state.rules != attaching.rules else { return nil }
        switch attaching.rules.versionChange(from: held.state.rules) {
        case .earlier:
            let (theirs, ours) = (held.state.rules.version ?? "", attaching.rules.version ?? "")
            return "the household plays version \(theirs), and this game is \(ours); update the game on this device"
        case .none where !attaching.changesRules || !isKnown:
            return "other rules of the same version are in force in the household"
        case .none, .later: break
        }
        do {
            try engine.changeRules(profile, to: attaching.rules, now: now)
            return nil
        } catch {
            return error.message
        }
    }
}
