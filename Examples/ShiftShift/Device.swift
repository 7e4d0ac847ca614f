import ArgumentParser
import HearthKit

/// Options that say where this device keeps its save and its Hearth.
struct Device: ParsableArguments {
    @Option(help: "Be a device of its own: its saves and its Hearth are in this folder.")
    var on: String?

    @Flag(help: "Talk to no other device.")
    var alone = false

    /// Opens the game's only profile. What this device has is there at once, without waiting for others.
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
