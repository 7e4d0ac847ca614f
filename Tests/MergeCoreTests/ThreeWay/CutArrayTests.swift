import LosslessJSON
import MergeCore
import Testing

/// Arrays by position: no game wrote the null that would stand where one was cut off and another went on.
@Suite struct CutArrayTests {
    private static let inside = rules([
        "/n/*": .init(.counter), "/s/*/best": .init(.flag), "/c/*": .init(.choice), "/m/*": .init(.max),
        "/w/*/stars": .init(.counter), "/t/*": .init(.set), "/low/*": .init(.min, none: [0]),
        "/plain/*/x": .init(.max),
    ])

    @Test(arguments: [
        (#"{"s":[{}]}"#, #"{"s":[]}"#, #"{"s":[{},{}]}"#, #"{"s":[{},{}]}"#),
        (#"{"n":[32,-6]}"#, #"{"n":[32,-6,37]}"#, #"{"n":[32]}"#, #"{"n":[32,-6,37]}"#),
        (#"{"n":[22,-3]}"#, #"{"n":[22,-3,-2]}"#, #"{"n":[58]}"#, #"{"n":[58,-3,-2]}"#),
        (#"{"c":["a","b"]}"#, #"{"c":["a"]}"#, #"{"c":["a","b","c"]}"#, #"{"c":["a","b","c"]}"#),
        (#"{"plain":[1,"x",null]}"#, #"{"plain":[1]}"#, #"{"plain":[1,"x",null,4]}"#, #"{"plain":[1,"x",null,4]}"#),
        (#"{"t":[["a"],["b"]]}"#, #"{"t":[["a"]]}"#, #"{"t":[["a"],["b"],["c"]]}"#, #"{"t":[["a"],["b"],["c"]]}"#),
        (
            #"{"w":[{"stars":1},{"stars":2,"x":"y"}]}"#, #"{"w":[{"stars":1}]}"#,
            #"{"w":[{"stars":1},{"stars":2,"x":"y"},{"stars":3}]}"#,
            #"{"w":[{"stars":1},{"stars":2,"x":"y"},{"stars":3}]}"#
        ),
    ])
    func whatStandsBehindKeepsWhatWasCut(base: String, a: String, b: String, wanted: String) throws {
        let (base, a, b, wanted) = (padded(base), padded(a), padded(b), json(padded(wanted)))
        var devices = try Device.mergedApart(a, b, base: base, Self.inside, showing: wanted)
        let restored = try ProfileState(decoding: devices[0].state.encoded)
        #expect(restored.holdsTheSame(as: devices[0].state))
        #expect(Projection(of: restored, onto: document(devices[0].shown)).edits.isEmpty)
        // Whoever cuts it off again decides how long it is.
        for last in [b, a, base] {
            devices[2].save(last)
            settle(&devices)
            #expect(devices.allSatisfy { $0.value == json(last) }, "\(devices.map(\.shown))")
        }
    }

    /// Where nothing is known of an index and something stands behind it, it is filled by what its rule begins with: no
    /// game reads null where it wrote an amount.
    @Test func whatNothingIsKnownOfIsFilledByItsRule() throws {
        let ruleSet = rules(["/coins/*": .init(.counter), "/done/*": .init(.flag), "/log/*": .init(.choice)])
        let save = #"{"coins":[4,35,10],"done":[true,true],"log":["a","b"]}"#
        let whole = Device.household(1, ruleSet, sharing: save)[0].state
        let known = whole.delta(beyond: VersionVector()).filter { !($0.key.path.steps ?? []).contains(.index(0)) }
        var part = ProfileState()
        _ = part.join(known, vector: whole.vector)
        let shown = try #require(Projection.newDocument(of: part))
        #expect(shown == json(#"{"coins":[0,35,10],"done":[false,true],"log":[null,"b"]}"#))
        let file = document(#"{"coins":[],"done":[],"log":[]}"#)
        let edited = try file.patched(Projection(of: part, onto: file).edits)
        #expect(String(decoding: edited, as: UTF8.self) == #"{"coins":[0,35,10],"done":[false,true],"log":[null,"b"]}"#)
    }

    /// What says nothing under its rule is nothing to put back, and no null either.
    @Test func nothingYetIsCutOffAsWell() throws {
        let (base, a, b) = (padded(#"{"low":[5,0]}"#), padded(#"{"low":[5]}"#), padded(#"{"low":[5,0,7]}"#))
        #expect(json(try merge(base, a, base: base, rules: Self.inside)) == json(a))
        #expect(json(try merge(a, b, base: base, rules: Self.inside)) == json(b))
        #expect(json(try merge(b, a, base: base, rules: Self.inside)) == json(b))
    }

    /// A game cuts its array; elements that another device removed but this game still holds stay.
    @Test func whoCutsLessKeepsTheRest() {
        var devices = Device.household(2, Self.inside, sharing: padded(#"{"n":[1,2,3],"plain":["a","b","c"]}"#))
        devices[0].save(padded(#"{"n":[1],"plain":["a"]}"#))
        devices[1].save(padded(#"{"n":[1,2,3,4],"plain":["a","b","c","d"]}"#))
        settle(&devices)
        let less = padded(#"{"n":[1,2,3],"plain":["a","b","c"]}"#)
        devices[1].save(less)
        settle(&devices)
        #expect(devices.allSatisfy { $0.value == json(less) }, "\(devices.map(\.shown))")
    }

    /// One game alone: cut off is cut off, and what it appends then is new.
    @Test func oneWriterIsNotHeldBack() {
        var devices = Device.household(2, Self.inside, sharing: padded(#"{"n":[1,2,3],"plain":["a","b","c"]}"#))
        for save in [
            #"{"n":[1],"plain":["a"]}"#, #"{"n":[1,7],"plain":["a",null]}"#, #"{"n":[],"plain":[]}"#,
            #"{"n":[0,0,5],"plain":[{"x":1},{}]}"#, #"{"n":[0],"plain":[{"x":1}]}"#, "{}",
        ] {
            devices[0].save(padded(save))
            settle(&devices)
            #expect(devices.allSatisfy { $0.value == json(padded(save)) }, "\(devices.map(\.shown))")
        }
    }
}

/// Beside what stays, so that no side is taken for an empty state.
private func padded(_ save: String) -> String {
    #"{"stays":[1,2,3,4,5,6,7,8],"k1":1,"k2":2,"k3":3,"k4":4,"k5":5,"k6":6,"k7":7,"k8":8,"k9":9,"k10":1,"k11":1"#
        + (save == "{}" ? "}" : "," + save.dropFirst())
}
