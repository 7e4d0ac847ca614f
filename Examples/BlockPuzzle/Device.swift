import ArgumentParser
import HearthKit

/// Options that say where this device keeps its save and its Hearth.
struct Device: ParsableArguments {
    @Option(help: "Be a device of its own: its saves and its Hearth are in this folder.")
    var on: String?

    @Flag(help: "Talk to no other device.")
    var alone = false

    /// Opens the save, runs the body, and closes the save.
    @discardableResult
    func play<Result>(_ body: (ProfileStore<Puzzle>) async throws -> Result) async throws -> Result {
        var options = StoreOptions()
        options.folder = on.map { $0 + "/saves" }
        options.home = on.map { $0 + "/hearth" }
        options.deviceName = on?.split(separator: "/").last.map(String.init)
        options.network = !alone
        options.pairedProfile = .ask  // see Restore
        let saves = try await ProfileStore<Puzzle>.open(game: "block-puzzle", slot: "player", options)
        // A game need not wait for the agent. A command that ends at once gives it a moment to sync.
        await saves.subscribed(within: .seconds(3))
        let result = try await body(saves)
        await saves.subscribed(within: .seconds(3))
        try await saves.close()
        return result
    }
}
