/// The way back to an older build of the game.
extension ProfileStore {
    /// Takes the save on this device back to an earlier version of the game, for a player who goes back to an older
    /// build, and closes the store: this build migrates the save again when it opens the slot next.
    ///
    /// ```swift
    /// let migration = try await saves.rollBack(to: "1.1.0")
    /// if migration.isFromBackup { show("The save of before the update is back") }
    /// ```
    ///
    /// The steps of the migrations since then are taken back, so what was played stays. Where one cannot be taken back
    /// (a `remove` that dropped something, or a closure), the newest backup of that version takes the save's place.
    /// The save as it was is kept as a backup that nothing pushes out, and the household keeps all of it: other devices
    /// are not touched, and what is played with the older build counts for them. Do not edit meanwhile.
    ///
    /// - Parameter version: One of those that ``Profile/migrations`` begin with.
    /// - Returns: What was done.
    /// - Throws: ``StoreError`` with ``StoreError/Code/migration`` where there is no way back: to a version before a
    ///   closure there is one only without an agent, since the household could not read what that build writes. The
    ///   save then stays as it is, and the store is open.
    @discardableResult
    public func rollBack(to version: String) async throws -> ProfileMigration {
        let migration = try await core.rollBack(to: version)
        try await close()
        return migration
    }
}
