package import MergeCore

/// Whether a file shows what its profile's state knows.
extension Keeper {
    /// Whether something would have to be written into the file for it to show all that is known, as far as the rules
    /// and versions in force let it be written at all.
    ///
    /// - Parameter unknown: What to say where only a comparison of all could tell, while it is not worth one.
    /// - Complexity: O(changed · depth); O(document + state) where it is not known what has changed.
    package func fileLags(_ id: ProfileID, whereUnknown unknown: Bool? = nil) -> Bool {
        guard wantsProjection(id), let profile = profiles[id] else { return false }
        guard profile.status != .missing, let newest = profile.lineage.newest, profile.discarded == nil else {
            return true
        }
        if profile.lag == .unknown, let unknown { return unknown }
        guard let document = profile.document(newest) else { return true }
        return !Projection(of: profile.state, onto: document, touching: profile.lag.compared).edits.isEmpty
    }
}
