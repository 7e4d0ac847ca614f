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

    /// The last save that was seen, without local values; `nil` where there is none at the version of the rules. What the
    /// profile holds is not read for it: a new device asks for the form of every save.
    package func form(_ id: ProfileID) -> [UInt8]? {
        guard let profile = profiles[id], (try? profile.readHistory()) != nil, profile.rulesHeld == nil,
            profile.file.versionStatus == .current, let newest = profile.baseHistory.newest
        else { return nil }
        guard SaveForm.hasLocal(profile.rules) else { return newest.bytes }
        guard let document = profile.document(newest) else { return nil }
        return SaveForm.text(of: document, rules: profile.rules)
    }

    /// Makes the content of a profile's first file, written like a save of another device, and keeps it for
    /// ``project(_:tag:like:now:)``. Returns false where that save cannot be used.
    package mutating func makeFirstFile(_ id: ProfileID, like form: [UInt8]) -> Bool {
        guard let bytes = profiles[id].flatMap({ firstFile($0, like: form) }) else { return false }
        // It is no change of the profile: nothing is to be told to anyone.
        profiles.updateSilently(id) { $0.file.madeFirstFile(FirstFile(form: form, bytes: bytes)) }
        return true
    }

    /// The content of a profile's first file, made unless it is there already; `nil` where the form cannot be used.
    func firstFile(_ profile: KeptProfile, like form: [UInt8]) -> [UInt8]? {
        if let made = profile.file.firstFile, Bytes.equal(made.form, form) { return made.bytes }
        let bytes = SaveForm.file(of: profile.state, like: form)
        return bytes.flatMap { $0.count <= Self.fileLimit ? $0 : nil }
    }
}

/// The content of a profile's first file on this device, and the save of another device in whose form it was made.
struct FirstFile: Sendable {
    let form: [UInt8]
    let bytes: [UInt8]
}
