import LosslessJSON
package import MergeCore

/// The reason why a save cannot be taken up, in one sentence.
package struct AdoptFault: Error, Hashable, Sendable, CustomStringConvertible {
    package var message: String

    package init(_ message: String) { self.message = message }

    package var description: String { message }
}

/// The ids for a new profile, made by the caller.
package struct FreshIDs: Sendable {
    package var profile: ProfileID
    package var replica: ReplicaID

    package init(profile: ProfileID, replica: ReplicaID) {
        self.profile = profile
        self.replica = replica
    }
}

extension ProfileEngine {
    /// Adopts a save as a new profile. Its content is where the profile starts from.
    ///
    /// - Parameter isEarned: Whether the file began empty on this device, so that what it holds was earned since;
    ///   otherwise the file was found.
    package mutating func add(
        file path: String, name: String, rules: RuleSet, ids: FreshIDs, isEarned: Bool = false, now: Moment
    ) throws(AdoptFault) -> ProfileID {
        if let known = profile(at: path) {
            throw AdoptFault("\(path) is profile \(profiles[known]!.name) already")
        }
        guard let (content, document) = try readDocument(path, rules) else { throw AdoptFault("nothing is at \(path)") }
        forgetRestored(path)
        var profile = KeptProfile(
            ids.profile, StoredProfile(replica: ids.replica, file: path), baseHistory: BaseHistory())
        makeDurable(path)
        let context = context(profile, now: now.wall, fileTime: content.modified, base: VersionVector())
        var atoms = profile.state.note(.name, .string(JSONString(name)), context)
        if rules != .empty { atoms += profile.state.changeRules(to: rules, document: nil, context).atoms }
        let adopted = profile.state.adopt(document, context)
        if isEarned { atoms += profile.state.noteBeginning(document, context) }
        profile.unreadable = adopted.unreadable
        let baseHistory = profile.baseHistory.appendGame(content.bytes, vector: profile.state.vector)
        noteStanding(&profile)
        profile.status = status(profile)
        profile.lag = .none
        do {
            try commit(&profile, atoms: atoms + adopted.atoms, as: .adopt, at: now.wall, baseHistory: baseHistory)
        } catch {
            throw AdoptFault(error.message)
        }
        return profile.id
    }

    /// Binds a profile of the household to a file at a path. A file that exists there is backed up and merged in as a
    /// copy. Nobody knows what of it is counted already, so no counter gets more than the larger of both totals. If the
    /// file belongs to another profile, the two become one for good, under the smaller id. Returns the profile that
    /// survives.
    ///
    /// - Parameters:
    ///   - isEarned: Whether the file began empty on this device. Then its counters count in full.
    ///   - isApart: Whether the player says that the file was played independently and is no copy of what the household
    ///     has. Then its counters count in full. Refused where the file shows a state that is known here.
    package mutating func bind(
        _ id: ProfileID, to path: String, isEarned: Bool = false, isApart: Bool = false, now: Moment
    ) throws(AdoptFault) -> ProfileID {
        guard let known = profiles[id] else { throw AdoptFault("no profile \(id) is known here") }
        if known.state.isForgotten {
            throw AdoptFault(
                "\(known.name) was forgotten in this household for good; to keep its file as a new save: hearth add FILE"
            )
        }
        if isApart, known.file != path, let (_, document) = try readDocument(path, known.state.rules),
            let why = whyNotApart(document, path, of: known)
        {
            throw AdoptFault(why)
        }
        if let former = known.file, former != path { try leave(former, of: known, for: path, now: now) }
        var id = id
        do {
            if let other = profile(at: path), other != id {
                id = try join(other, with: id, isApart: isApart, now: now)
            }
        } catch {
            throw AdoptFault(error.message)
        }
        guard var profile = profiles[id] else { throw AdoptFault("no profile \(id) is known here") }
        guard profile.file == nil else { return id }
        let standing = try readDocument(path, profile.state.rules)
        profile.file = path
        profile.lag = .unknown
        var atoms: [KeyedAtom] = []
        var baseHistory: BaseHistory.Change?
        do {
            if let (content, document) = standing {
                forgetRestored(path)
                makeDurable(path)
                try keepBackup(content.bytes, of: &profile, now: now.wall)
                let context = context(profile, now: now.wall, fileTime: content.modified, base: VersionVector())
                let adopted =
                    isEarned || isApart
                    ? profile.state.adopt(earned: document, context) : profile.state.adopt(copy: document, context)
                atoms = adopted.atoms
                profile.unreadable = adopted.unreadable
                baseHistory = profile.baseHistory.appendGame(content.bytes, vector: profile.state.vector)
                noteStanding(&profile)
                profile.status = status(profile)
            }
            try commit(&profile, atoms: atoms, as: .adopt, at: now.wall, baseHistory: baseHistory)
        } catch {
            throw AdoptFault(error.message)
        }
        return id
    }

    /// Makes two profiles one: the larger id is joined into the smaller, for ever and on every device.
    ///
    /// - Parameter isApart: Whether they were played independently, so that the starts of both count.
    mutating func join(
        _ a: ProfileID, with b: ProfileID, isApart: Bool = false, now: Moment
    ) throws(StorageFault) -> ProfileID {
        let (kept, gone) = (min(a, b), max(a, b))
        guard var profile = profiles[gone] else { return kept }
        let context = context(profile, now: now.wall, fileTime: now.wall, base: profile.state.vector)
        let atoms = profile.state.note(.joined, .string(JSONString(kept.description)), context)
        // The note is in the same transaction. If the process is killed before both are one, the player's answer is not
        // lost.
        let note = isApart ? Self.apart : []
        try commit(&profile, atoms: atoms, as: .adopt, at: now.wall, notes: [joiningNote(gone): note])
        try followJoin(of: gone, replica: profile.replica, now: now)
        return kept
    }

    /// Finishes a join of profiles that a crash cut short: carries over what the joined profile still has, its file
    /// first of all.
    mutating func finishJoin(_ gone: ProfileID, now: Moment) throws(StorageFault) {
        guard let profile = profiles[gone], let kept = profile.state.joinedInto,
            profile.file != nil || profiles[kept]?.state.vector.covers(profile.state.vector) != true
        else { return }
        try followJoin(of: gone, replica: profile.replica, now: now)
    }

    /// Carries the content of a joined profile over to the one that survives, with its file. Safe to repeat.
    mutating func followJoin(of gone: ProfileID, replica: ReplicaID, now: Moment) throws(StorageFault) {
        // Memory and record must agree on the file before another profile gets it.
        try finishInterrupted(gone, now: now)
        guard var source = profiles[gone], let kept = source.state.joinedInto, kept != gone else { return }
        try writeEnd(&source)
        if var target = profiles[kept] { try writeEnd(&target) }
        // The surviving profile may not be known here yet. The joined profile's name and rules come along with its
        // atoms.
        var target =
            profiles[kept]
            ?? KeptProfile(kept, StoredProfile(replica: replica), baseHistory: BaseHistory())
        let takesFile = target.file == nil && source.file != nil
        let former = target.state
        let isApart = try isJoinedApart(gone)
        let joined = target.state.join(source.state, except: [.joined, .forgotten, .beginning])
        // A reset of one profile must not remove the progress of the other.
        let carried = target.state.carryOver(
            joined.overridden, context(target, now: now.wall, fileTime: now.wall, base: target.state.vector))
        var notes: [String: [UInt8]?] = [:]
        let amounts =
            isApart.map { former.beside(joining: source.state, under: target.state.rules, isApart: $0) } ?? []
        let beside = target.state.count(
            amounts, besideJoining: gone, context(target, now: now.wall, fileTime: now.wall, base: target.state.vector))
        if isApart != nil { notes.updateValue(nil, forKey: joiningNote(gone)) }
        if takesFile {
            // The snapshot goes to the other profile with the file. A backup that cannot be made does not stop the
            // join.
            try? makePendingBackup(&source)
            source.pendingBackup = nil
            notes.updateValue(nil, forKey: pendingBackupNote(gone))
            for item in source.displaced {
                notes[displacedNote(gone, item.name)] = [UInt8]?.none
                notes[displacedNote(kept, item.name)] = Fingerprint.of(item.bytes)
            }
            target.file = source.file
            target.baseHistory = source.baseHistory
            target.displaced = source.displaced
            source.file = nil
            source.baseHistory = BaseHistory()
            source.displaced = []
        }
        target.lag = .unknown
        noteStanding(&target)
        target.status = status(target)
        let own: Set<ReplicaID> = [source.replica, target.replica]
        let context = context(target, now: now.wall, fileTime: now.wall, base: VersionVector())
        let shown = target.baseHistory.newest.flatMap { target.document($0) }
        let again =
            target.state.reissue(joined: former, document: takesFile ? nil : shown, own: own, context)
            + target.state.reissue(joined: source.state, document: takesFile ? shown : nil, own: own, context)
        let atoms = joined.atoms + carried + beside + again
        let snapshots = target.baseHistory.rowsForRecord
        var change = RecordChange()
        var into = RecordChange.ProfileChange(kept)
        into.atoms = atoms
        into.history = historyRow(target, atoms, as: .adopt, at: now.wall)
        into.vector = target.state.vector
        into.replica = target.replica
        into.file = .some(target.file)
        into.baseHistoryFrom = snapshots.first?.number
        into.baseHistory = snapshots
        var from = RecordChange.ProfileChange(gone)
        from.file = .some(source.file)
        if source.file == nil { from.baseHistoryFrom = .max }
        change.profiles = [into, from]
        change.notes = notes
        try store.commit(change)
        if let mark = into.history?.mark { target.history = mark }
        profiles[kept] = target
        profiles[gone] = source
        try countBeginnings(in: kept, now: now)
        try takeBackCountedTwice(in: kept, now: now)
    }

    /// Counts what was earned in joined profiles that began empty, where both profiles did. Each such amount is counted
    /// on the device that took the joined profile up, once that device knows both.
    mutating func countBeginnings(in kept: ProfileID, now: Moment) throws(StorageFault) {
        guard var target = profiles[kept], target.state.beginning != nil else { return }
        for gone in profiles.joined(into: kept) where gone != kept {
            guard let source = profiles[gone],
                source.state.beginning?.replica == source.replica
            else { continue }
            let context = context(target, now: now.wall, fileTime: now.wall, base: target.state.vector)
            let atoms = target.state.countBeginning(of: source.state, gone, context)
            guard !atoms.isEmpty else { continue }
            target.lag = .unknown
            try commit(&target, atoms: atoms, as: .adopt, at: now.wall)
        }
    }

    // MARK: Reading

    /// A save as a document of the version of the rules under which it is to be kept; `nil` where there is no file.
    func readDocument(
        _ path: String, _ rules: RuleSet
    ) throws(AdoptFault) -> (FileContent, JSONDocument)? {
        let content: FileContent?
        do {
            content = try files.read(path, limit: Self.fileLimit)
        } catch {
            throw AdoptFault(error.message)
        }
        guard let content else { return nil }
        let document: JSONDocument
        do {
            document = try JSONDocument(parsing: content.bytes)
        } catch {
            throw AdoptFault("\(path):\(error)")
        }
        if case .refused(let why, _) = SaveStanding(document, rules) { throw AdoptFault("\(path) \(why)") }
        return (content, document.current(rules) ?? document)
    }
}
