import LosslessJSON

/// Stores without a file, for previews and unit tests.
extension ProfileStore {
    /// A store that keeps its profile in memory alone: no file, no agent, no other device. Everything else is as with
    /// one that ``open(_:_:)`` gives: ``update(_:)``, ``changes``, records, ``reset(_:)``, Observation.
    ///
    /// ```swift
    /// let saves = try ProfileStore<Player>.inMemory(Player(level: 7))
    /// try await saves.update { $0.coins += 5 }
    /// ```
    ///
    /// - Parameter profile: What the save holds; by default nothing is saved yet.
    /// - Throws: ``StoreError``: ``StoreError/Code/declaration`` for a type that cannot work, ``StoreError/Code/value``
    ///   for a profile that no save can hold.
    public static func inMemory(_ profile: Subject? = nil) throws(StoreError) -> ProfileStore {
        do {
            let codec = try ProfileCodec<Subject>()
            var options = StoreOptions()
            (options.agent, options.autoSave.onTermination, options.autoSave.onSuspension) = (.none, false, false)
            let place = try StorePlace(game: "memory", slot: "profile", folder: "/")
            let (save, index) = (MemorySave("the save in memory"), SlotIndex())
            if let profile { _ = save.write(try codec.newText(profile), over: nil) }
            let entry = try index.mint(place.name)
            let file = StoreFile(codec, save, entry.id, BackupLocations())
            return try ProfileStore(file, place, options, index, entry, nil, ContinuousClock())
        } catch {
            throw StoreError.of(error)
        }
    }
}
