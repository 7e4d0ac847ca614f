package import MergeCore

/// Opens of a profile's file by other processes, while one of its snapshots was in the file.
extension ProfileEngine {
    /// Notes the opens that were seen since the last call. Call right before and right after each projection, so that
    /// it is known which snapshot was opened. A look at the file notes them by itself.
    ///
    /// - Parameter isSwap: Whether a projection was done since the last call.
    package mutating func note(_ opens: FileOpens, of id: ProfileID, isSwap: Bool = false) {
        profiles.updateSilently(id) { $0.keptHistory.note(opens, isSwap: isSwap) }
    }
}
