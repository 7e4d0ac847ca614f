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

    /// What others add under the other key stays, in whatever order they meet.
    @Test(arguments: [[0, 1, 2], [0, 2, 1], [1, 2, 0], [2, 1, 0], [1, 0, 2]])
    func whatOthersAddUnderTheOtherKeyStays(order: [Int]) {
        func added(_ id: String, _ uid: String, to save: String) -> String {
            save.replacing("}],", with: #"},{"id":"\#(id)","uid":"\#(uid)","n":1}],"#)
        }
        var devices = Device.household(3, keyed("/inv[id]/n"), sharing: Self.start)
        for pattern in [nil, "/inv[uid]/n"] {
            let (document, context) = (document(devices[0].shown), devices[0].context(devices[0].state.vector))
            _ = devices[0].state.changeRules(to: keyed(pattern), document: document, context)
            devices[0].touched = nil
            devices[0].project()
        }
        devices[0].save(added("v", "u9", to: Self.start))
        devices[1].save(added("w", "u3", to: Self.start))
        devices[2].save(added("x", "u4", to: Self.start))
        for _ in 0..<3 {
            for one in order { for other in order where other != one { devices[one].pull(devices[other]) } }
            for index in devices.indices { devices[index].project() }
        }
        let ids = devices.map { device -> Set<JSONValue> in
            guard case .array(let elements)? = device.value["inv"] else { return [] }
            #expect(elements.count == 5, "\(device.shown)")
            return Set(elements.compactMap { $0["uid"] })
        }
        #expect(ids.allSatisfy { $0 == ["u1", "u2", "u3", "u4", "u9"] }, "\(devices.map(\.shown))")
    }

    /// Both members have the same values, for other elements.
    @Test func elementsThatAreCalledAsOthersStay() {
        let start = #"{"inv":[{"id":1,"uid":2,"n":2},{"id":2,"uid":1,"n":5}],"hp":3}"#
        var devices = Device.household(2, keyed("/inv[id]/n"), sharing: start)
        for pattern in [nil, "/inv[uid]/n"] {
            let (document, context) = (document(devices[0].shown), devices[0].context(devices[0].state.vector))
            _ = devices[0].state.changeRules(to: keyed(pattern), document: document, context)
            devices[0].touched = nil
            devices[0].project()
        }
        devices[1].save(start.replacing(#""hp":3"#, with: #""hp":4"#))
        settle(&devices)
        for device in devices {
            guard case .array(let elements)? = device.value["inv"] else { return #expect(Bool(false), "no list") }
            #expect(Set(elements.compactMap { $0["uid"] }) == [1, 2] && elements.count == 2, "\(device.shown)")
        }
    }
}
