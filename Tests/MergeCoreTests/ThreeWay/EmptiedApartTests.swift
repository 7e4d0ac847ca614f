import LosslessJSON
import MergeCore
import Testing

/// Where several take something out of a container, each another thing, it is empty in the end, and not gone: none of
/// them removed it.
@Suite struct EmptiedApartTests {
    private static let inside = rules([
        "/shop/*/stars": .init(.counter), "/bag[id]/n": .init(.counter), "/tags": .init(.set), "/u/*/tags": .init(.set),
        "/town/n": .init(.counter), "/best/**": .init(.counter), "/log[id]/seen": .init(.union),
    ])

    @Test(arguments: [
        (#"{"town":{"a":1,"b":2}}"#, #"{"town":{"a":1}}"#, #"{"town":{"b":2}}"#, #"{"town":{}}"#),
        (#"{"town":{"n":1,"b":2}}"#, #"{"town":{"n":1}}"#, #"{"town":{"b":2}}"#, #"{"town":{}}"#),
        (#"{"a":{"b":{"x":1,"y":2}}}"#, #"{"a":{"b":{"x":1}}}"#, #"{"a":{"b":{"y":2}}}"#, #"{"a":{"b":{}}}"#),
        (
            #"{"bag":[{"id":1,"n":3},{"id":2}]}"#, #"{"bag":[{"id":1,"n":3}]}"#, #"{"bag":[{"id":2}]}"#,
            #"{"bag":[]}"#
        ),
        (#"{"tags":["a","b"]}"#, #"{"tags":["a"]}"#, #"{"tags":["b"]}"#, #"{"tags":[]}"#),
        (
            #"{"shop":[{"stars":7,"best":6}]}"#, #"{"shop":[{"stars":7}]}"#, #"{"shop":[{"best":6}]}"#,
            #"{"shop":[{}]}"#
        ),
    ])
    func whatSeveralEmptiedIsEmpty(base: String, a: String, b: String, wanted: String) throws {
        let (base, a, b, wanted) = (padded(base), padded(a), padded(b), json(padded(wanted)))
        var devices = try Device.mergedApart(a, b, base: base, Self.inside, showing: wanted)
        // It outlives a restart.
        let restored = try ProfileState(decoding: devices[0].state.encoded)
        #expect(Projection(of: restored, onto: document(devices[0].shown)).edits.isEmpty)
        #expect(Projection.newDocument(of: restored).map { Agreed($0, .empty) } == Agreed(wanted, .empty))
        // Gone is gone: whoever removes it then removes it everywhere.
        for device in devices.indices { devices[device].touched = nil }
        settle(&devices)
        devices[1].save(padded("{}"))
        settle(&devices)
        #expect(devices.allSatisfy { $0.value == json(padded("{}")) }, "\(devices.map(\.shown))")
    }

    /// A set that two games emptied together, each of another element, goes where a third one removes it.
    @Test func aSetThatSeveralEmptiedCanBeRemoved() {
        var devices = Device.household(3, Self.inside, sharing: #"{"tags":["a","b"],"x":1}"#)
        devices[0].save(#"{"tags":["a"],"x":1}"#)
        devices[1].save(#"{"tags":["b"],"x":1}"#)
        settle(&devices)
        devices[2].save(#"{"x":1}"#)
        settle(&devices)
        #expect(devices.map(\.shown) == Array(repeating: #"{"x":1}"#, count: 3))
        // And is there again once something is put into it.
        devices[1].save(#"{"x":1,"tags":["c"]}"#)
        settle(&devices)
        #expect(devices.allSatisfy { $0.value == json(#"{"x":1,"tags":["c"]}"#) }, "\(devices.map(\.shown))")
    }

    /// What is removed inside is an edit of what is around it.
    @Test(arguments: [
        (
            #"{"best":{"mill":{"n":6},"ash":{}}}"#, "{}", #"{"best":{"ash":{}}}"#, #"{"best":{"ash":{}}}"#
        ),
        (
            #"{"bag":[{"id":1,"in":{"fox":{"n":5}}}]}"#, #"{"bag":[{"id":1,"in":{}}]}"#,
            #"{"bag":[{"id":1,"in":{"fox":{}}}]}"#, #"{"bag":[{"id":1,"in":{"fox":{}}}]}"#
        ),
    ])
    func aRemovalInsideKeepsWhatIsAround(base: String, a: String, b: String, wanted: String) throws {
        let (base, a, b, wanted) = (padded(base), padded(a), padded(b), json(padded(wanted)))
        #expect(json(try merge(a, b, base: base, rules: Self.inside)) == wanted)
        #expect(json(try merge(b, a, base: base, rules: Self.inside)) == wanted)
    }
}

/// Beside what stays, so that no side is taken for an empty state.
private func padded(_ save: String) -> String {
    #"{"stays":[1,2,3,4,5,6,7,8],"k1":1,"k2":2,"k3":3,"k4":4,"k5":5,"k6":6,"k7":7,"k8":8,"k9":9,"k10":1,"k11":1"#
        + (save == "{}" ? "}" : "," + save.dropFirst())
}
