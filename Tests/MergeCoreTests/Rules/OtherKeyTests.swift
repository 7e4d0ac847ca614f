import LosslessJSON
import MergeCore
import Testing

/// The elements of an array are told apart by another member, after rules that did not take it apart; a machine that was
/// away through both had played meanwhile.
@Suite struct OtherKeyTests {
    private static let start = #"{"inv":[{"id":"s","uid":"u1","n":2},{"id":"t","uid":"u2","n":5}],"hp":3}"#

    private func keyed(_ pattern: String?) -> RuleSet { pattern.map { rules([$0: MergeRule(.counter)]) } ?? .empty }

    @Test(arguments: [
        // An element comes, changes, or goes.
        start.replacing("}],", with: #"},{"id":"w","uid":"u3","n":1}],"#), start.replacing(#""n":5"#, with: #""n":9"#),
        start.replacing(#","n":2"#, with: #","n":2,"new":true"#), start,
    ])
    func whatWasPlayedElsewhereIsThereOnce(played: String) {
        var devices = Device.household(3, keyed("/inv[id]/n"), sharing: Self.start)
        for pattern in [nil, "/inv[uid]/n"] {
            let (document, context) = (document(devices[0].shown), devices[0].context(devices[0].state.vector))
            _ = devices[0].state.changeRules(to: keyed(pattern), document: document, context)
            devices[0].touched = nil
            devices[0].project()
        }
        if played != Self.start { devices[1].save(played) }
        settle(&devices)
        settle(&devices)
        let new = Projection.newDocument(of: devices[0].state)
        for shown in devices.map(\.value) + [new] { #expect(shown == json(played), "\(shown?.spelled ?? "none")") }
        // Play goes on, and counts once.
        let next = played.replacing(#""n":2"#, with: #""n":3"#)
        devices[2].save(next)
        settle(&devices)
        for device in devices { #expect(device.value == json(next), "\(device.shown)") }
    }
}
