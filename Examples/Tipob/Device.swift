import ArgumentParser
import HearthKit

/// Options that say where this device keeps its save and its Hearth.
struct Device: ParsableArguments {
    @Option(help: "Be a device of its own: its saves and its Hearth are in this folder.")
    var on: String?

    @Option(help: "The save itself, where it is not in the usual folder.")
    var save: String?

    @Flag(help: "Talk to no other device.")
    var alone = false

    /// Opens the scores, runs the body, and closes them.
    @discardableResult
    func play<Result>(_ body: (ProfileStore<Scores>) async throws -> Result) async throws -> Result {
        var options = StoreOptions()
        options.folder = on.map { $0 + "/saves" }
        options.home = on.map { $0 + "/hearth" }
        options.deviceName = on?.split(separator: "/").last.map(String.init)
        options.file = save
        options.network = !alone
        options.pairedProfile = .automatic  // scores of two devices become one without a question
        let saves = try await ProfileStore<Scores>.open(game: "tipob", slot: "player", options)
        if let migration = saves.migration { print("An old save was read, and is of version \(migration.to) now.") }
        // A game need not wait for the agent. A command that ends at once gives it a moment to sync.
        await saves.subscribed(within: .seconds(3))
        let result = try await body(saves)
        await saves.subscribed(within: .seconds(3))
        try await saves.close()
        return result
    }
}
