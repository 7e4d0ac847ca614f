package import MergeCore

/// The form of a save (its text without local values). It is sent to other devices, and is the model for a first file
/// here.
extension ProfileEngine {
    /// Whether a profile is to get its first file here, so that nothing on this device shows how its game writes the
    /// file.
    package func wantsFirstFile(_ id: ProfileID) -> Bool {
        guard wantsProjection(id), let profile = profiles[id], let path = profile.file.path,
            profile.baseHistory.newest == nil, profile.file.quarantined == nil
        else { return false }
        return (try? files.read(path, limit: Self.fileLimit)) == nil
    }

    /// The last save that was seen, without local values; `nil` where there is none at the version of the rules.
    package func form(_ id: ProfileID) -> [UInt8]? {
        guard let profile = readable(id), profile.rulesHeld == nil, profile.file.versionStatus == .current,
            let newest = profile.baseHistory.newest, let document = profile.document(newest)
        else { return nil }
        return SaveForm.text(of: document, rules: profile.state.rules)
    }

    /// The content of a profile's first file, written like a save of another device; `nil` where that save cannot be
    /// used.
    package func firstFile(_ id: ProfileID, like form: [UInt8]) -> [UInt8]? {
        profiles[id].flatMap { firstFile($0, like: form) }
    }

    func firstFile(_ profile: KeptProfile, like form: [UInt8]) -> [UInt8]? {
        let bytes = SaveForm.file(of: profile.state, like: form)
        return bytes.flatMap { $0.count <= Self.fileLimit ? $0 : nil }
    }
}
