package import MergeCore

extension Record {
    /// One part of a profile, of a record that can only read it whole.
    package func load(_ profile: ProfileID, _ part: StoredPart) throws(StorageFault) -> StoredProfile? {
        try load(profile)?.only(part)
    }
}

extension StoredProfile {
    /// The profile with one part of it only.
    package func only(_ part: StoredPart) -> StoredProfile {
        var result = self
        switch part {
        case .outline:
            result.atoms = atoms.filter(\.key.path.isReserved)
            result.baseHistory = []
        case .state: result.baseHistory = []
        case .snapshots: result.atoms = []
        }
        return result
    }
}
