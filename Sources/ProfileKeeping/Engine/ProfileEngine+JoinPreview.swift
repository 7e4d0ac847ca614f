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

/// The changes that a join makes: a file, or the file of another profile, becomes one with a profile of the household.
package struct JoinPreview: Hashable, Sendable {
    /// The sums of all counters that both saves have and that change by the join, or depend on whether the two were played
    /// independently.
    package var sums: [JoinedSum] = []
    /// The places of the household's save that change, on every device.
    package var household = Changes()
    /// The values of the file that the joined save does not show, each with the value that takes its place.
    package var replaced = Changes()
    /// The rules of the household that the join changes, on every device, in words.
    package var rules: [String] = []
    /// Whether both are objects that have no member in common: they may be saves of two games.
    package var haveNothingInCommon = false

    /// Places that change, without those of the sums; at most as many as a step of the history holds.
    package struct Changes: Hashable, Sendable {
        package var named: [HistoryEntry.Change] = []
        /// How many more there may be.
        package var more = 0
    }
}

/// A preview before two saves become one.
extension ProfileEngine {
    /// The changes of a join of the file at a path with a profile. Empty if nothing is to be joined. Changes nothing.
    ///
    /// - Parameter isApart: Whether the player says that the two were played independently.
    package func preview(
        of id: ProfileID, joining path: String, isApart: Bool = false, now: Moment
    ) throws(AdoptFault) -> JoinPreview {
        guard let known = profiles[id], known.file.path != path, try leftFile(of: known, at: path) == nil else {
            return JoinPreview()
        }
        var (joined, apart) = (known.state, known.state)
        let here: JSONDocument
        if let other = profile(at: path), other != id {
            guard let document = Projection.document(of: profiles[other]!.state) else { return JoinPreview() }
            joined = joinedState(of: other, into: id, isApart: false, now: now)
            here = document.current(joined.rules) ?? document
            apart = joinedState(of: other, into: id, isApart: true, now: now)
        } else {
            guard let (content, document) = try readDocument(path, known.state.rules) else { return JoinPreview() }
            here = document
            let context = context(known, now: now.wall, fileTime: content.modified, base: VersionVector())
            _ = joined.adopt(copy: document, context)
            _ = apart.adopt(earned: document, context)
        }
        let documents = [known.state, joined, apart].map { Projection.document(of: $0) }
        let amounts = [documents[0], here, documents[1], documents[2]].map {
            $0?.counterAmounts(under: joined.rules) ?? [:]
        }
        let sums = amounts[0].keys.sorted().compactMap { path -> JoinedSum? in
            guard let known = amounts[0][path], let here = amounts[1][path], let joined = amounts[2][path],
                let apart = amounts[3][path], joined != apart || joined != known
            else { return nil }
            return JoinedSum(path: path, known: known, here: here, joined: joined, apart: apart)
        }
        let (after, summed) = (isApart ? apart : joined, Set(sums.map(\.path)))
        let file = ProfileState(holding: here, under: joined.rules)
        var replaced = after.changes(since: file, at: file.sortedAtoms, without: summed)
        replaced.named.removeAll { $0.old == nil }
        return JoinPreview(
            sums: sums, household: after.changes(since: known.state, at: after.sortedAtoms, without: summed),
            replaced: replaced, rules: after.rules.changes(since: known.state.rules),
            haveNothingInCommon: documents[0].map { Self.haveNothingInCommon($0, here, joined.rules) } ?? false)
    }

    private static func haveNothingInCommon(_ one: JSONDocument, _ other: JSONDocument, _ rules: RuleSet) -> Bool {
        guard case .object(let members)? = try? JSONValue(parsing: one.bytes),
            case .object(let others)? = try? JSONValue(parsing: other.bytes)
        else { return false }
        // Saves of most games state a version.
        let version = rules.versionAt.map { JSONString(String($0.dropFirst())) }
        func names(_ members: [JSONMember]) -> Set<JSONString> { Set(members.map(\.key).filter { $0 != version }) }
        let (names, otherNames) = (names(members), names(others))
        return !names.isEmpty && !otherNames.isEmpty && names.isDisjoint(with: otherNames)
    }
}

extension ProfileState {
    /// Makes a state that holds one document only, under the given rules.
    init(holding document: JSONDocument, under rules: RuleSet) {
        self.init()
        let context = WriteContext(
            replica: ReplicaID(high: 0, low: 0), now: 0, fileTime: 0, base: VersionVector())
        _ = changeRules(to: rules, document: nil, context)
        _ = adopt(document, context)
    }

    /// What this state shows otherwise than a former one, at the places of some atoms.
    fileprivate func changes(
        since former: ProfileState, at atoms: [KeyedAtom], without left: Set<DocumentPath>
    ) -> JoinPreview.Changes {
        let entry = history(since: former, touching: atoms.map(\.key), at: 0, as: .adopt)
        return JoinPreview.Changes(named: entry.changes.filter { !left.contains($0.path) }, more: entry.more)
    }
}
