package import LosslessJSON
import MergeCore

/// The version of a profile's file compared with that of its rules.
extension ProfileEngine {
    /// Notes whether the game here is behind the rules. Call when the newest snapshot or the rules have changed.
    func noteStanding(_ profile: inout KeptProfile) {
        guard profile.state.rules.version != nil, profile.state.rules.versionAt != nil,
            let newest = profile.baseHistory.newest, let document = profile.document(newest)
        else {
            profile.standing = .current
            return
        }
        profile.standing = SaveStanding(document, profile.state.rules)
    }

    /// The status of a file as far as its version is concerned. One in quarantine stays there until it is overwritten
    /// or has other content.
    func status(_ profile: KeptProfile) -> FileStatus {
        if profile.quarantined != nil { return profile.status }
        let name = profile.file ?? profile.name
        switch profile.standing {
        case .current: return .good
        case .behind(let version):
            return .behind(
                "\(name) is of \(version.map { "version \($0)" } ?? "no known version"), and the household plays version "
                    + "\(profile.state.rules.version ?? ""): update the game on this device; what is played here counts, "
                    + "and to have here what others play: hearth migrate \(word(profile.id))")
        case .refused(let why, _): return .bad("\(name) \(why)")
        }
    }
}

extension KeptProfile {
    /// A snapshot as a document; `nil` where it cannot be parsed.
    func document(_ snapshot: BaseHistory.Snapshot) -> JSONDocument? { try? parse(snapshot.bytes) }

    /// Whether any snapshot can be the base of the game's next save. The newest is asked first: mostly it was parsed
    /// already.
    var hasReadableSnapshot: Bool {
        guard let newest = baseHistory.newest else { return false }
        return document(newest) != nil || baseHistory.candidates.contains { document($0) != nil }
    }

    /// The content that the file has or is about to get, at the version of the rules. `nil` where nothing was seen at
    /// its path, or the file cannot be upcast.
    package var merged: JSONDocument? {
        guard let newest = baseHistory.newest, let document = document(newest)?.current(state.rules) else { return nil }
        let edits = projection(onto: document)
        if edits.isEmpty { return document }
        return (try? document.patched(edits)).flatMap { try? JSONDocument(parsing: $0) }
    }
}
