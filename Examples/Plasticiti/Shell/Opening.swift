import HearthKit

/// Opens the save before the terminal is used for drawing.
enum Opening {
    /// Opens the save. Where it cannot be read, the player is asked first what to do with it.
    static func store(_ options: StoreOptions) async throws -> ProfileStore<Arcade> {
        do {
            return try await ProfileStore.open(game: "plasticiti", slot: "player", options)
        } catch let error as StoreError where error.code == .damaged {
            print("Your save cannot be read: \(error)")
            print("B puts the newest good backup in its place, F starts afresh, Enter leaves it alone.")
            var options = options
            switch readLine()?.lowercased() {
            case "b": options.damagedSave = .restoreNewestBackup
            case "f": options.damagedSave = .startFresh
            default: throw error
            }
            return try await ProfileStore.open(game: "plasticiti", slot: "player", options)
        }
    }
}
