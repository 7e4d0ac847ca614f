import ArgumentParser
import HearthKit

/// Where this device keeps its things.
struct Device: ParsableArguments {
    @Option(help: "Be a device of its own: its saves and its Hearth are in this folder.")
    var on: String?

    @Option(help: "The save itself, where it is not in the usual folder.")
    var save: String?

    @Flag(help: "Talk to no other device.")
    var alone = false

    /// Opens the scores, and lets them go when the body is done.
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
        // A game has no need to wait for the agent; a command that ends at once gives it a moment.
        await saves.attached(within: .seconds(3))
        let result = try await body(saves)
        await saves.attached(within: .seconds(3))
        try await saves.close()
        return result
    }
}
