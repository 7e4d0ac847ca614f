package import MergeCore

/// The form of a save: what another device is sent of it, and what the first file here is written like.
extension Keeper {
    /// Whether a profile is to get a file here that it never had, so that nothing tells how its game writes it.
    package func wantsFirstFile(_ id: ProfileID) -> Bool {
        guard wantsProjection(id), let profile = profiles[id], let path = profile.file,
            profile.lineage.newest == nil, profile.discarded == nil
        else { return false }
        return (try? files.read(path, limit: Self.fileLimit)) == nil
    }

    /// The save as it was seen last, without what is local; `nil` where there is none of the version of the rules.
    package func form(_ id: ProfileID) -> [UInt8]? {
        guard let profile = profiles[id], profile.state.rulesHeld == nil, profile.standing == .current,
            let newest = profile.lineage.newest, let document = profile.document(newest)
        else { return nil }
        return SaveForm.text(of: document, rules: profile.state.rules)
    }

    /// The first file of a profile, written like a save of another device; `nil` where that is of no use.
    package func firstFile(_ id: ProfileID, like form: [UInt8]) -> [UInt8]? {
        profiles[id].flatMap { firstFile($0, like: form) }
    }

    func firstFile(_ profile: KeptProfile, like form: [UInt8]) -> [UInt8]? {
        let bytes = SaveForm.file(of: profile.state, like: form)
        return bytes.flatMap { $0.count <= Self.fileLimit ? $0 : nil }
    }
}
