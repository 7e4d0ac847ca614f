import MergeCore
import ProfileKeeping

/// A game that subscribes: which profile it means, and which rules count.
extension HouseholdAgent {
    /// The profile that a game means: that of its file, or a profile of the household that it may join. `nil` if the
    /// player has to decide, or if there is no file yet.
    mutating func profile(for request: SubscribeRequest, now: Moment) throws(AdoptFault) -> ProfileID? {
        let known = engine.profile(at: request.path)
        if let known, engine.profiles[known]?.name != request.name { return known }
        let nameConflict = nameConflict(named: request.name, besides: known)
        if request.onNameConflict == .join, let nameConflict {
            // The conflicting profile's file on this device is missing, so the profile moves to the new path.
            if engine.profiles[nameConflict]?.file.path != nil { try unbind(nameConflict) }
            try engine.bind(nameConflict, to: request.path, isEarned: request.beganEmpty, now: now)
            return nameConflict
        }
        if let known {
            if request.onNameConflict == .apart, nameConflict != nil {
                try rename(known, to: apart(request), now: now)
            }
            return known
        }
        guard nameConflict == nil || request.onNameConflict == .apart else { return nil }
        let content: FileContent?
        do {
            content = try engine.files.read(request.path, limit: ProfileEngine<Files, Store>.fileLimit)
        } catch {
            throw AdoptFault(error.message)
        }
        guard content != nil else { return nil }
        let name = nameConflict == nil ? request.name : apart(request)
        var profile = ProfileID(random: random.next(), random.next())
        if let id = request.id, engine.profiles[id] == nil { profile = id }
        let ids = FreshIDs(profile: profile, replica: freshReplica(for: profile))
        return try engine.add(
            file: request.path, name: name, rules: request.rules, ids: ids, isEarned: request.beganEmpty, now: now
        )
    }

    /// The name of a profile that is to stay apart from the household's profile of the same name.
    private func apart(_ request: SubscribeRequest) -> String { "\(request.name) on \(identity.name)" }

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

    func nameConflict(of subscription: Subscription) -> ProfileID? {
        guard let profile = subscription.profile else { return nameConflict(named: subscription.name, besides: nil) }
        let own = canonicalID(profile)
        guard engine.profiles[own]?.name == subscription.name else { return nil }
        return nameConflict(named: subscription.name, besides: own)
    }

    func choices(of profile: ProfileID?) -> Int { Self.choices(of: profile, in: engine.profiles) }

    static func choices(of profile: ProfileID?, in profiles: ProfileTable) -> Int {
        profile.flatMap { profiles[profiles.canonicalID($0)]?.openChoices } ?? 0
    }

    /// Puts the game's rules in force if they are of a later version, or if the game asks for the change. Returns the
    /// reason if they are not put in force.
    mutating func putInForce(
        _ request: SubscribeRequest, _ profile: ProfileID, isKnown: Bool, now: Moment
    ) -> String? {
        guard let held = engine.profiles[profile], held.rules != request.rules else { return nil }
        // Only the player puts others in their place.
        if let why = held.rulesHeld {
            return "the rules of \(held.name) come from a newer Hearth (\(why)); update Hearth on this device"
        }
        switch request.rules.versionChange(from: held.rules) {
        case .earlier:
            let (theirs, ours) = (held.rules.version ?? "", request.rules.version ?? "")
            return "the household plays version \(theirs), and this game is \(ours); update the game on this device"
        case .none where !request.changesRules || !isKnown:
            return "other rules of the same version are in force in the household"
        case .none, .later: break
        }
        do {
            try engine.changeRules(profile, to: request.rules, now: now)
            return nil
        } catch {
            return error.message
        }
    }
}
