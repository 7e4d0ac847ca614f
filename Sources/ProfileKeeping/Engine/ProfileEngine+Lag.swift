package import MergeCore

/// Whether a file shows what its profile's state knows.
extension ProfileEngine {
    /// Whether the file has to be written for it to show everything that is known, as far as the rules and versions in
    /// force allow the file to be written.
    ///
    /// - Parameter unknown: The answer to give where only a comparison of the whole file could tell; `nil` to compare.
    /// - Complexity: O(changed · depth); O(document + state) where it is not known what has changed, and O(1) where the
    ///   answer for that is given: of a quiet profile nothing is read then.
    package func fileLags(_ id: ProfileID, whereUnknown unknown: Bool? = nil) -> Bool {
        guard wantsProjection(id), let profile = profiles[id] else { return false }
        guard profile.file.status != .missing, profile.keptHistory.hasSnapshots, profile.file.quarantined == nil
        else {
            return true
        }
        if profile.file.lag == .unknown, let unknown { return unknown }
        guard let document = profile.newestDocument else { return true }
        return !profile.projection(onto: document, touching: profile.file.lag.compared).isEmpty
    }
}
