import LosslessJSON
import MergeCore

/// A game as most are: it reads the file when it starts, plays on what it has in memory, and overwrites the file.
struct RunningGame {
    var memory: JSONValue
    /// The file as this game read or wrote it last: the true base of its next save.
    private(set) var known: [UInt8]

    init(reading device: Device) {
        memory = device.value
        known = device.file ?? []
    }

    mutating func reload(from device: Device) { self = RunningGame(reading: device) }

    mutating func earn(_ coins: Int) {
        memory = memory.setting("coins", to: .number(JSONNumber((memory.int("coins") ?? 0) + coins)))
    }

    mutating func set(_ name: JSONString, _ value: JSONValue) { memory = memory.setting(name, to: value) }

    mutating func add(_ element: String, to name: JSONString) {
        guard case .array(let list)? = memory[name], !list.contains(.string(JSONString(element))) else { return }
        set(name, .array(list + [.string(JSONString(element))]))
    }

    @discardableResult
    mutating func save(
        to device: inout Device, _ sightings: BaseChoice.Sightings = BaseChoice.Sightings()
    ) -> Guess {
        let choice = device.take(document(memory), sightings)
        known = device.file ?? []
        return choice
    }
}

extension Device {
    /// Takes up a save as the engine does, and guesses what its game had read.
    @discardableResult
    mutating func take(_ save: JSONDocument, _ sightings: BaseChoice.Sightings = .init()) -> Guess {
        let choice = guess(save, sightings)
        clock += .milliseconds(1)
        let base = snapshots[choice.base].vector
        let context = WriteContext(replica: replica, now: clock, fileTime: clock, base: base)
        _ = state.write(choice.changes, context)
        var stands = base
        if let own = state.vector.entries[replica] { stands.advance(replica, to: own) }
        file = save.bytes
        snapshots = [Snapshot(document: save, vector: stands)]
        touched = nil
        return choice
    }

    /// Hears of what another device has, and puts it into the file. Of many projections the 16 newest are remembered.
    mutating func receive(_ other: Device) {
        pull(other)
        show()
    }

    mutating func show() {
        guard wouldEdit > 0 else {
            snapshots[snapshots.count - 1].vector = state.vector
            return
        }
        project()
        if snapshots.count > 17 { snapshots.remove(at: 1) }
    }
}

extension JSONValue {
    func int(_ name: JSONString) -> Int? {
        guard case .number(let number)? = self[name] else { return nil }
        return Int(number.text)
    }
}
