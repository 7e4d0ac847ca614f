package import LosslessJSON
package import MergeCore

/// The sums of one counter when a file, or another profile's file, joins a profile of the household.
package struct JoinedSum: Hashable, Sendable {
    package let path: DocumentPath
    /// The amount that the household has, and the amount in the file at the path.
    package let known, here: ExactDecimal
    /// The sum if one may be a copy of the other: the larger amount, which is certain.
    package let joined: ExactDecimal
    /// The sum if the player says that the two were played independently.
    package let apart: ExactDecimal
}

/// A preview before two saves become one: both possible sums of each counter.
extension ProfileEngine {
    /// The sums of all counters that both saves have and that change by the join, or depend on whether the two were played
    /// independently. Empty if nothing is to be joined. Changes nothing.
    package func sums(of id: ProfileID, joining path: String, now: Moment) throws(AdoptFault) -> [JoinedSum] {
        guard let known = profiles[id], known.file.path != path, try leftFile(of: known, at: path) == nil else {
            return []
        }
        var (joined, apart) = (known.state, known.state)
        let here: JSONDocument
        if let other = profile(at: path), other != id {
            guard let document = Projection.document(of: profiles[other]!.state) else { return [] }
            here = document
            joined = joinedState(of: other, into: id, isApart: false, now: now)
            apart = joinedState(of: other, into: id, isApart: true, now: now)
        } else {
            guard let (content, document) = try readDocument(path, known.state.rules) else { return [] }
            here = document
            let context = context(known, now: now.wall, fileTime: content.modified, base: VersionVector())
            _ = joined.adopt(copy: document, context)
            _ = apart.adopt(earned: document, context)
        }
        let states = [known.state, joined, apart].map { Projection.document(of: $0) }
        let sums = [states[0], here, states[1], states[2]].map { $0?.counterAmounts(under: joined.rules) ?? [:] }
        return sums[0].keys.sorted().compactMap { path in
            guard let known = sums[0][path], let here = sums[1][path], let joined = sums[2][path],
                let apart = sums[3][path], joined != apart || joined != known
            else { return nil }
            return JoinedSum(path: path, known: known, here: here, joined: joined, apart: apart)
        }
    }

    /// The reason why a file cannot have been played independently of a profile; `nil` where it may have been. A file
    /// that shows a state known here is a copy, whatever the player says.
    func whyNotApart(_ document: JSONDocument, _ path: String, of profile: KeptProfile) -> String? {
        guard showsKnownState(document, of: profile) else { return nil }
        return "\(path) is a copy: it holds what \(profile.name) holds or held, so nothing in it was played apart; "
            + "leave --apart out"
    }

    /// Whether a document shows what a profile holds, or held at any time that is known here.
    func showsKnownState(_ document: JSONDocument, of profile: KeptProfile) -> Bool {
        let rules = profile.state.rules
        let isPresent = Projection.document(of: profile.state).map {
            DocumentDiff(from: $0, to: document, rules: rules).changes.isEmpty
        }
        return isPresent == true || isOlderCopy(document, of: profile)
    }

    // MARK: Two profiles

    /// The notes which say that the player joins two profiles here, and whether they were played independently. A note
    /// stays until the difference to a plain join is counted.
    static var joiningNotes: NoteSpace { NoteSpace("joining") }

    /// Whether two profiles that are being joined were played independently; `nil` if another device joined them.
    func isJoinedApart(_ gone: ProfileID) throws(StorageFault) -> Bool? {
        try store.note(Self.joiningNotes.key(gone)).map { $0 == Self.apart }
    }

    static var apart: [UInt8] { [1] }

    /// Takes back what this device counted for two joined profiles, if another device counted the same before the two
    /// devices connected.
    mutating func takeBackCountedTwice(in kept: ProfileID, now: Moment) throws(StorageFault) {
        for gone in profiles.joined(into: kept) {
            // If two devices joined them each way, only the profile that stays may lose the amounts.
            guard var target = profiles[kept], kept < gone || target.state.joinedInto != gone else { continue }
            let context = context(target, now: now.wall, fileTime: now.wall, base: target.state.vector)
            let own = Set([target.replica, profiles[gone]?.replica].compactMap { $0 })
            let atoms = target.state.takeBack(joining: gone, into: kept, own: own, context)
            guard !atoms.isEmpty else { continue }
            target.file.compareAll()
            try commit(&target, atoms: atoms, as: .adopt, at: now.wall)
        }
    }

    /// The state that two profiles have as one. Nothing is stored.
    private func joinedState(
        of gone: ProfileID, into kept: ProfileID, isApart: Bool, now: Moment
    ) -> ProfileState {
        guard let target = profiles[kept], let source = profiles[gone] else { return ProfileState() }
        let context = context(target, now: now.wall, fileTime: now.wall, base: target.state.vector)
        var state = target.state
        let joining = state.join(source.state, notes: Self.ofEachProfile, of: gone, into: kept)
        _ = state.mergeRules(joining, context)
        let amounts = target.state.beside(joining: source.state, under: state.rules, isApart: isApart)
        let writers = Set(state.vector.sortedReplicas)
        for former in [target.state, source.state] {
            _ = state.reissue(joined: former, document: nil, own: writers, context)
        }
        _ = state.countBeginning(of: source.state, gone, in: kept, context)
        _ = state.count(amounts, besideJoining: gone, context)
        return state
    }
}
