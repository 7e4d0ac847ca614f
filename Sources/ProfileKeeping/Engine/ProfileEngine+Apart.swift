import LosslessJSON
import MergeCore

/// Counters of two saves that become one: the player may say that the two were played independently.
extension ProfileEngine {
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
        try takeBackContainedTwice(in: kept, now: now)
    }

    /// Takes back what this device took off for a copy, as far as another device took off the same for another copy.
    mutating func takeBackContainedTwice(in kept: ProfileID, now: Moment) throws(StorageFault) {
        let joined = Array(profiles.joined(into: kept).prefix(Self.copiesCompared))
        guard joined.count > 1, var target = profiles[kept] else { return }
        try target.read()
        let context = context(target, now: now.wall, fileTime: now.wall, base: target.state.vector)
        let atoms = target.state.takeBackContainedTwice(joining: joined, own: [target.replica], context)
        guard !atoms.isEmpty else { return }
        target.file.compareAll()
        try commit(&target, atoms: atoms, as: .adopt, at: now.wall)
    }

    /// Most profiles joined into one whose copies are compared. Only a bad member makes more.
    private static var copiesCompared: Int { 64 }

    /// The state that two profiles have as one. Nothing is stored.
    func joinedState(
        of gone: ProfileID, into kept: ProfileID, isApart: Bool, now: Moment
    ) -> ProfileState {
        guard let target = profiles[kept], let source = profiles[gone] else { return ProfileState() }
        let context = context(target, now: now.wall, fileTime: now.wall, base: target.state.vector)
        var state = target.state
        let joining = state.join(source.state, notes: Self.ofEachProfile, of: gone, into: kept)
        if target.state.knowsNothing(of: source.state) {
            _ = state.settleStarts(of: target.state, source.state, context)
        }
        _ = state.mergeRules(joining, context)
        // As in the join itself: where another device has joined the two, the amounts are counted already.
        let amounts =
            target.state.hasCounted(joining: gone, into: kept)
            ? [] : target.state.beside(joining: source.state, under: state.rules, isApart: isApart)
        let writers = Set(state.vector.sortedReplicas)
        for former in [target.state, source.state] {
            _ = state.reissue(joined: former, document: nil, own: writers, context)
        }
        _ = state.count(amounts, besideJoining: gone, context)
        _ = state.countBeginning(of: source.state, gone, in: kept, context)
        return state
    }
}

extension ProfileState {
    /// Whether nothing of another profile was ever joined into this one.
    func knowsNothing(of other: ProfileState) -> Bool {
        other.vector.entries.keys.allSatisfy { vector.sequence(of: $0) == 0 }
    }
}
