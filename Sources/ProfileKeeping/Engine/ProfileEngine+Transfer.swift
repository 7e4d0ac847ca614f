package import LosslessJSON
package import MergeCore

/// How to take up a document from elsewhere.
package enum ForeignDocument: Hashable, Sendable {
    /// The document is a start, independent of all that was counted here. Counters join it by the larger value.
    case start
    /// The document may hold amounts that were counted here. Counters are raised to the larger total and no further.
    case copy
}

extension ProfileState {
    /// Takes up a document from elsewhere. Nothing known is removed or lowered. Values that a game wrote here win over
    /// it.
    package mutating func take(
        _ document: JSONDocument, as kind: ForeignDocument, _ context: WriteContext
    ) -> WriteResult {
        adopt(foreign: document, mayBeCounted: kind == .copy, context)
    }
}

/// Profiles that come as files from outside the household.
extension ProfileEngine {
    /// Takes a document up into a profile that is known here. The profile's former content is kept as a backup.
    package mutating func take(
        _ id: ProfileID, _ document: JSONDocument, as kind: ForeignDocument, fileTime: WallTime, now: Moment
    ) throws(StorageFault) {
        guard var profile = profiles[id] else { return }
        let context = context(profile, now: now.wall, fileTime: fileTime, base: VersionVector())
        let written = profile.state.take(document, as: kind, context)
        guard !written.atoms.isEmpty else { return }
        profile.file.compareAll()
        if let newest = profile.baseHistory.newest { try keepBackup(newest.bytes, of: &profile, now: now.wall) }
        try commit(&profile, atoms: written.atoms, as: .merge, at: now.wall)
    }

    /// Takes a document up as a new profile that has no file here yet.
    package mutating func found(
        _ ids: FreshIDs, name: String, rules: RuleSet, _ document: JSONDocument, fileTime: WallTime, now: Moment
    ) throws(StorageFault) {
        var profile = KeptProfile(ids.profile, StoredProfile(replica: ids.replica), baseHistory: BaseHistory())
        let context = context(profile, now: now.wall, fileTime: fileTime, base: VersionVector())
        var atoms = profile.state.note(.name, .string(JSONString(name)), context)
        if rules != .empty { atoms += profile.state.changeRules(to: rules, document: nil, context).atoms }
        atoms += profile.state.adopt(document, context).atoms
        try commit(&profile, atoms: atoms, as: .adopt, at: now.wall)
    }
}
