import ArgumentParser
import HearthKit

/// Where this device keeps its things.
struct Device: ParsableArguments {
    @Option(help: "Be a device of its own: its saves and its Hearth are in this folder.")
    var on: String?

    @Flag(help: "Talk to no other device.")
    var alone = false

    /// Opens the only profile of the game: what this device has is there at once, whoever else is around.
    func open() async throws -> ProfileStore<Career> {
        var options = StoreOptions()
        options.folder = on.map { $0 + "/saves" }
        options.home = on.map { $0 + "/hearth" }
        options.deviceName = on?.split(separator: "/").last.map(String.init)
        options.network = !alone
        options.pairedProfile = .automatic  // a new device goes on where the others are
        return try await ProfileStore<Career>.open(game: "shift-shift", slot: "player", options)
    }
}
