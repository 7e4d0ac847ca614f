package import MergeCore

extension StoredProfile {
    /// The profile with one part of it only; of ``StoredPart/arrival`` it knows nothing.
    package func only(_ part: StoredPart) -> StoredProfile {
        var result = self
        switch part {
        case .outline:
            result.atoms = atoms.filter(\.key.path.isReserved)
            (result.baseHistory, result.history) = ([], HistoryMark())
        case .state: result.baseHistory = []
        case .snapshots: result.atoms = []
        case .arrival: (result.atoms, result.baseHistory) = ([], [])
        }
        return result
    }
}

extension Record {
    package func outlines() throws(StorageFault) -> [(profile: ProfileID, stored: StoredProfile)] {
        var outlines: [(profile: ProfileID, stored: StoredProfile)] = []
        for id in try profiles() {
            if let stored = try load(id, .outline) { outlines.append((id, stored)) }
        }
        return outlines
    }
}
