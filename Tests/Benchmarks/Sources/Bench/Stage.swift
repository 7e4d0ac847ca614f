/// Two paired agents; the second reaches the first through a relay where asked.
final class Stage {
    let a: Agent
    let b: Agent
    let relay: Relay?

    init(in folder: String, hearth: String, withRelay: Bool) throws {
        try Files.makeFolder(folder)
        a = try Agent("a", in: folder, hearth: hearth)
        b = try Agent("b", in: folder, hearth: hearth)
        relay = withRelay ? try Relay(to: a.port) : nil
        try a.pair(with: b, through: relay?.port ?? a.port)
    }

    /// Processor time that both agents have used so far.
    var processorSeconds: Double { Kernel.usage(a.pid).seconds + Kernel.usage(b.pid).seconds }

    func stop() {
        b.stop()
        a.stop()
    }

    /// Adds a save on the first, restores it on the second, and waits until it is there.
    func share(_ name: String, _ bytes: [UInt8]) throws -> (game: Game, there: String, events: FolderEvents) {
        let game = Game(path: a.folder + "/saves/\(name).json")
        let folder = b.folder + "/saves/" + name
        try Files.makeFolder(folder)
        let there = folder + "/save.json"
        let events = try FolderEvents(folder)
        _ = try game.save(bytes)
        try a.ask("add", game.path, "--name", name)
        try b.ask("restore", name, "--to", there)
        let start = seconds()
        _ = try events.wait(until: there, holds: bytes, since: start, patience: 120)
        return (game, there, events)
    }
}
