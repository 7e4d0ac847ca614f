import LosslessJSON
package import MergeCore

/// The reason why a save cannot be read into a profile, in one sentence.
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
    /// Adopts a save as a new profile. The profile starts from its content.
    ///
    /// - Parameter isEarned: Whether the file began empty on this device, so that its content was earned since;
    ///   otherwise the file was found.
    package mutating func add(
        file path: String, name: String, rules: RuleSet, ids: FreshIDs, isEarned: Bool = false, now: Moment
    ) throws(AdoptFault) -> ProfileID {
        if let known = profile(at: path) {
            throw AdoptFault("\(path) is profile \(profiles[known]!.name) already")
        }
        try refuseOtherPath(to: path, now: now.monotonic)
        guard let (content, document) = try readDocument(path, rules) else {
            throw AdoptFault("nothing is at \(path); check the path, or let the game save first")
        }
        forgetRestored(path)
        var profile = KeptProfile(
            ids.profile, StoredProfile(replica: ids.replica, file: path), baseHistory: BaseHistory())
        makeDurable(path)
        let context = context(profile, now: now.wall, fileTime: content.modified, base: VersionVector())
        var atoms = profile.state.noteNames(name, file: FileName(ofPath: path)?.text, context)
        if rules != .empty { atoms += profile.state.changeRules(to: rules, document: nil, context).atoms }
        let adopted = profile.state.adopt(document, context)
        if isEarned { atoms += profile.state.noteBeginning(document, context) }
        let baseHistory = profile.baseHistory.appendGame(content.bytes, vector: profile.state.vector)
        profile.file.foundContent()
        profile.noteVersionStatus()
        profile.file.showsState()
        do {
            try commit(&profile, atoms: atoms + adopted.atoms, as: .adopt, at: now.wall, baseHistory: baseHistory)
        } catch {
            throw AdoptFault(error.message)
        }
        return profile.id
    }

    /// Binds a profile of the household to a file at a path. A file that exists there is backed up and merged in as a
    /// copy. It is not known how much of it is counted already, so a counter gets the larger of both totals and no
    /// more. If the file belongs to another profile, that profile is joined into this one for good. Refused while there
    /// is a question about the other profile's last save: the answer names its backups. Where the profile had its file at
    /// this path before, what the file holds by now is read as play since.
    ///
    /// - Parameters:
    ///   - isEarned: Whether the file began empty on this device. Then its counters count in full.
    ///   - isApart: Whether the player says that the file was played independently and is no copy of the household's
    ///     document. Then its counters count in full. Refused if the file shows a state that is known here.
    package mutating func bind(
        _ id: ProfileID, to path: String, isEarned: Bool = false, isApart: Bool = false, now: Moment
    ) throws(AdoptFault) {
        guard let known = profiles[id] else { throw AdoptFault("no profile \(id) is known here") }
        if known.state.isForgotten {
            throw AdoptFault(
                "\(known.name) was forgotten in this household for good; to keep its file as a new save: hearth add FILE"
            )
        }
        if known.file.path != path { try refuseOtherPath(to: path, now: now.monotonic) }
        if isApart, known.file.path != path, let (_, document) = try readDocument(path, known.state.rules),
            let why = whyNotApart(document, path, of: known)
        {
            throw AdoptFault(why)
        }
        if let other = profile(at: path), other != id, profiles[other]?.notices.question != nil {
            throw AdoptFault(
                "\(path) is \(profiles[other]!.name), and its last save is asked about; answer that first, with "
                    + "hearth accept \(word(other)) or hearth keep \(word(other))")
        }
        if let former = known.file.path, former != path { try leave(former, of: known, for: path, now: now) }
        do {
            if let other = profile(at: path), other != id {
                try join(other, into: id, isApart: isApart, now: now)
            }
        } catch {
            throw AdoptFault(error.message)
        }
        guard var profile = profiles[id] else { throw AdoptFault("no profile \(id) is known here") }
        guard profile.file.path == nil else { return }
        if !isEarned, let left = try leftFile(of: profile, at: path) {
            return try bind(&profile, toLeft: left, isApart: isApart, now: now)
        }
        let found = try readDocument(path, profile.state.rules)
        profile.file.bind(to: path)
        var (atoms, lost) = ([KeyedAtom](), [LostWrite]())
        var baseHistory: BaseHistory.Change?
        do {
            if let (content, document) = found {
                forgetRestored(path)
                makeDurable(path)
                try keepBackup(content.bytes, of: &profile, now: now.wall)
                let context = context(profile, now: now.wall, fileTime: content.modified, base: VersionVector())
                let adopted =
                    isEarned || isApart
                    ? profile.state.adopt(earned: document, context) : profile.state.adopt(copy: document, context)
                (atoms, lost) = (adopted.atoms, profile.state.lost(joining: document, context))
                baseHistory = profile.baseHistory.appendGame(content.bytes, vector: profile.state.vector)
                profile.file.foundContent()
                profile.noteVersionStatus()
            }
            try commit(
                &profile, atoms: atoms, as: .adopt, at: now.wall, baseHistory: baseHistory,
                notes: LeftFile.notes(nil, of: profile.id), lost: lost)
        } catch {
            throw AdoptFault(error.message)
        }
    }

    /// Binds a profile to the file that it had before.
    private mutating func bind(
        _ profile: inout KeptProfile, toLeft left: LeftFile, isApart: Bool, now: Moment
    ) throws(AdoptFault) {
        guard !isApart else {
            throw AdoptFault(
                "\(profile.name) had its file at \(left.path) before, so what was played there since is known and counts "
                    + "in full; leave --apart out")
        }
        forgetRestored(left.path)
        makeDurable(left.path)
        let history = left.history
        profile.file.bind(to: left.path)
        profile.baseHistory = history.value
        do {
            if let content = try files.read(left.path, limit: Self.fileLimit) {
                try keepBackup(content.bytes, of: &profile, now: now.wall)
            }
            try commit(&profile, baseHistory: history.change, notes: LeftFile.notes(nil, of: profile.id))
            _ = try ingest(profile.id, now: now)
        } catch {
            throw AdoptFault(error.message)
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
            let what = content.bytes.isEmpty ? "\(path) is empty" : "\(path):\(error)"
            throw AdoptFault("\(what); Hearth keeps saves that are JSON, and this is none: name another file")
        }
        if case .refused(let why, _) = VersionStatus(document, rules) { throw AdoptFault("\(path) \(why)") }
        return (content, document.current(rules) ?? document)
    }
}
