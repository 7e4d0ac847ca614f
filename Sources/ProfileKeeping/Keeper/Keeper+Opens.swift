package import MergeCore

/// Who opened a profile's file while one of its images stood there.
extension Keeper {
    /// Tells what was seen of other processes since that was told last. Call right before and right after each
    /// projection, so that it is known which image they opened; a look at the file asks by itself.
    ///
    /// - Parameter isSwap: A projection was done since that was told last.
    package mutating func note(_ opens: FileOpens, of id: ProfileID, isSwap: Bool = false) {
        profiles.updateSilently(id) { $0.lineage.note(opens, isSwap: isSwap) }
    }
}
