import LosslessJSON
import MergeCore
import Testing

/// Everybody hears of everything, and writes it into the file.
func settle(_ devices: inout [Device]) {
    for _ in 0..<2 {
        for a in devices.indices {
            for b in devices.indices where a != b { devices[a].pull(devices[b]) }
        }
    }
    for index in devices.indices { devices[index].project() }
}

extension Device {
    /// Changes the rules. The file shows what is known before, as it does in an agent, and what became of it afterwards.
    mutating func change(to rules: RuleSet) {
        project()
        let (shown, context) = (document(shown), context(state.vector))
        _ = state.changeRules(to: rules, document: shown, context)
        touched = nil
        project()
    }
}

extension [Device] {
    /// The same devices with one save, adopted by the first.
    func sharing(_ save: String) -> [Device] {
        var devices = self
        devices[0].adopt(save)
        for index in devices.indices.dropFirst() {
            devices[index].pull(devices[0])
            devices[index].file = [UInt8](save.utf8)
            devices[index].snapshots = [Device.Snapshot(document: document(save), vector: devices[index].state.vector)]
            devices[index].touched = []
        }
        return devices
    }

    /// Two devices meet, and both write what they learned into their files.
    mutating func sync(_ first: Int, _ second: Int) {
        self[first].pull(self[second])
        self[second].pull(self[first])
        // The second may have written again (new rules).
        self[first].pull(self[second])
        self[first].project()
        self[second].project()
    }
}
