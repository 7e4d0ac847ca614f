/// Going back to an older build of the game.
extension ProfileStore {
    /// Takes the save on this device back to an earlier version, for a player who returns to an older build of the
    /// game, and closes the store. When this build opens the slot again, it migrates the save again.
    ///
    /// ```swift
    /// let migration = try await saves.rollBack(to: "1.1.0")
    /// if migration.isFromBackup { show("The save of before the update is back") }
    /// ```
    ///
    /// The migration steps since that version are undone, so progress stays. Where a step cannot be undone (a `remove`
    /// that dropped something, or a closure), the newest backup of that version replaces the save. The save before is
    /// kept in a pinned backup, and the household keeps all of it: other devices are not touched, and what is played
    /// with the older build counts for them too. Do not edit the profile meanwhile.
    ///
    /// - Parameter version: A version that one of ``Profile/migrations`` begins with.
    /// - Returns: What was done.
    /// - Throws: ``StoreError`` with ``StoreError/Code/migration`` where the save cannot be taken back. To a version
    ///   before a closure that is possible only without an agent, since the household could not read what that build
    ///   writes. The save stays as it is, and the store stays open.
    @discardableResult
    public func rollBack(to version: String) async throws -> ProfileMigration {
        let migration = try await core.rollBack(to: version)
        try await close()
        return migration
    }
}
