import LosslessJSON
import MergeCore
import Testing

/// A reset holds where the rule of the place changes, too, while another device plays on that knows of neither.
@Suite struct ResetUnderOtherRulesTests {
    private static let merges = ["counter", "max", "latest"]

    private func ruleSet(_ merge: String) -> RuleSet {
        rules([
            "/coins": merge == "counter" ? MergeRule(.counter) : merge == "max" ? MergeRule(.max) : MergeRule(.latest)
        ])
    }

    /// When the rule changes: on the device that resets, before it or after it and some play; or on the other one.
    enum Turn: CaseIterable { case before, after, elsewhere }

    private func outcome(
        _ from: String, _ to: String, _ turn: Turn, _ act: (inout Device) throws -> Void
    ) throws -> [Device] {
        var devices = Device.household(2, ruleSet(from), sharing: #"{"coins":100,"hp":3}"#)
        func change(_ device: inout Device) {
            let (document, context) = (document(device.shown), device.context(device.state.vector))
            _ = device.state.changeRules(to: ruleSet(to), document: document, context)
            device.touched = nil
            device.project()
        }
        if turn == .before { change(&devices[0]) }
        try act(&devices[0])
        devices[0].project()
        devices[0].save(#"{"coins":7,"hp":3}"#)
        if turn == .after { change(&devices[0]) }
        devices[1].save(#"{"coins":121,"hp":4}"#)
        if turn == .elsewhere { change(&devices[1]) }
        settle(&devices)
        settle(&devices)
        return devices
    }

    @Test(arguments: merges, Turn.allCases) func aResetHolds(from: String, turn: Turn) throws {
        for to in Self.merges where to != from {
            let devices = try outcome(from, to, turn) { try $0.reset("/coins") }
            for device in devices {
                #expect(device.value == json(#"{"coins":7,"hp":4}"#), "\(from) to \(to): \(device.shown)")
            }
        }
    }

    @Test(arguments: merges, Turn.allCases) func aRestoreHolds(from: String, turn: Turn) throws {
        for to in Self.merges where to != from {
            let devices = try outcome(from, to, turn) { try $0.restore(#"{"coins":7,"hp":3}"#) }
            for device in devices {
                #expect(device.value == json(#"{"coins":7,"hp":3}"#), "\(from) to \(to): \(device.shown)")
            }
        }
    }
}
