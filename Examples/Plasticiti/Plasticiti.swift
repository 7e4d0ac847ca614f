import ArgumentParser
import HearthKit

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Two arcade games for the terminal, with a profile that follows the player to every device.
@main
struct PlasticitiCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "Plasticiti",
        abstract: "Wordley and SlideIt, in step on all devices of your home.",
        discussion: """
            Two terminals are two devices when each has a home of its own: --home ~/laptop and --home ~/deck. \
            Press P on both once: one shows a code, the other takes it.
            """
    )

    @Option(help: ArgumentHelp("Hearth's home on this device.", valueName: "dir"))
    var home: String?

    @Option(help: ArgumentHelp("Where the save is; 'saves' in the home where one is given.", valueName: "dir"))
    var folder: String?

    @Option(help: "What this device is called; else by its home, or by the machine.")
    var device: String?

    @Option(help: "The same games every time.")
    var seed: UInt64?

    @Flag(help: "Play without a network: nothing listens, and nobody is looked for.")
    var offline = false

    func run() async throws {
        var options = StoreOptions()
        options.home = home
        options.folder = folder ?? home.map { $0 + "/saves" }
        options.deviceName = device ?? home.flatMap { $0.split(separator: "/").last.map(String.init) }
        options.network = !offline
        // Before the store is opened: at a signal, handlers run in reverse order, so the store saves first.
        guard let terminal = Terminal() else { throw ValidationError("Plasticiti is played in a terminal") }
        let store = try await Opening.store(options)
        let device = options.deviceName ?? Self.machine()
        let shell = Shell(store, terminal, device: device, seed: seed ?? .random(in: 0 ... .max))
        await shell.run()
        try await store.close()
    }

    private static func machine() -> String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "this device" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
