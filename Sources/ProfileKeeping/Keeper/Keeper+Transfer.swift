package import LosslessJSON
package import MergeCore

/// How a document from elsewhere is taken up.
package enum ForeignDocument: Hashable, Sendable {
    /// It is a start, apart from all that was counted here: counters join it by the larger value.
    case start
    /// It may hold what was counted here: counters come to the larger total and no further.
    case copy
}

extension ProfileState {
    /// Takes up a document from elsewhere. Nothing that is known is removed or goes down; values that a game wrote here
    /// stand before it.
    package mutating func take(
        _ document: JSONDocument, as kind: ForeignDocument, _ context: WriteContext
    ) -> WriteResult {
        adopt(foreign: document, mayBeCounted: kind == .copy, context)
    }
}

/// Profiles that come by file, from somebody who is not of the household.
extension Keeper {
    /// Takes a document up into a profile that is known here. What its file held is kept as a backup.
    package mutating func take(
        _ id: ProfileID, _ document: JSONDocument, as kind: ForeignDocument, fileTime: Int64, now: Int64
    ) throws(StorageFault) {
        guard var profile = profiles[id] else { return }
        let context = context(profile, now: now, fileTime: fileTime, base: VersionVector())
        let written = profile.state.take(document, as: kind, context)
        guard !written.atoms.isEmpty else { return }
        profile.lag = .unknown
        if let newest = profile.lineage.newest { try keepBackup(newest.bytes, of: &profile, now: now) }
        try commit(&profile, atoms: written.atoms, as: .merge, at: now)
    }

    /// Takes a document up as a new profile that has no file here yet.
    package mutating func found(
        _ ids: FreshIDs, name: String, rules: RuleSet, _ document: JSONDocument, fileTime: Int64, now: Int64
    ) throws(StorageFault) {
        var profile = KeptProfile(ids.profile, StoredProfile(replica: ids.replica), lineage: Lineage())
        let context = context(profile, now: now, fileTime: fileTime, base: VersionVector())
        var atoms = profile.state.note(.name, .string(JSONString(name)), context)
        if rules != .empty { atoms += profile.state.changeRules(to: rules, document: nil, context).atoms }
        atoms += profile.state.adopt(document, context).atoms
        try commit(&profile, atoms: atoms, as: .adopt, at: now)
    }
}
