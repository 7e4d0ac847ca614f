package import LosslessJSON
package import MergeCore

/// The version of a profile's file compared with that of its rules.
extension ProfileEngine {
    /// A sentence for the player about a file that is of an earlier version than the rules: what counts, and what to do.
    package func sentence(onFileOf id: ProfileID, behindAt version: String?) -> String {
        let profile = profiles[id]
        return
            "\(profile?.file.path ?? profile?.name ?? "the save") is of "
            + "\(version.map { "version \($0)" } ?? "no known version"), and the household plays version "
            + "\(profile?.state.rules.version ?? ""): update the game on this device; what is played here counts, "
            + "and to have here what others play: hearth migrate \(word(id))"
    }
}

extension KeptProfile {
    /// Notes whether the game here is behind the rules. Call when the newest snapshot or the rules have changed.
    mutating func noteVersionStatus() {
        guard rules.version != nil, rules.versionAt != nil, let newest = baseHistory.newest,
            let document = document(newest)
        else { return file.noteVersionStatus(.current) }
        file.noteVersionStatus(VersionStatus(document, rules))
    }

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
