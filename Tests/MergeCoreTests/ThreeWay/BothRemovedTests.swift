import MergeCore
import Testing

/// Both sides removed something, each at another depth: no counter shows an amount that no game wrote.
@Suite struct BothRemovedTests {
    private static let inside = rules([
        "/gems/*/pets": .init(.counter), "/town/*": .init(.counter, as: .number), "/u/*/story": .init(.counter),
        "/u/*/hero": .init(.flag), "/bag/*/laps": .init(.counter), "/bag/*/badges": .init(.union),
        "/best/**": .init(.counter), "/l[id]/n": .init(.counter), "/l[id]/in/*/n": .init(.counter),
    ])

    @Test(arguments: [
        (#"{"gems":{"moss":{"pets":-7}}}"#, "{}", #"{"gems":{}}"#, [#"{"gems":{}}"#, "{}"]),
        (#"{"gems":{"moss":{"pets":613}}}"#, "{}", #"{"gems":{}}"#, [#"{"gems":{}}"#, "{}"]),
        (#"{"town":["2282"]}"#, #"{"town":[]}"#, "{}", [#"{"town":[]}"#, "{}"]),
        (
            #"{"u":{"fox":{"story":2,"hero":false}}}"#, #"{"u":{}}"#, #"{"u":{"fox":{"hero":false}}}"#,
            [#"{"u":{}}"#, #"{"u":{"fox":{"hero":false}}}"#]
        ),
        (
            #"{"bag":{"oak":{"badges":[],"laps":34}}}"#, #"{"bag":{"oak":{"badges":[]}}}"#, #"{"bag":{}}"#,
            [#"{"bag":{}}"#, #"{"bag":{"oak":{"badges":[]}}}"#]
        ),
        (
            #"{"best":{"mill":{"a b":613},"ash":{}}}"#, "{}", #"{"best":{"ash":{}}}"#, [#"{"best":{"ash":{}}}"#, "{}"]
        ),
        (
            #"{"l":[{"id":1,"in":{"a":{"n":3}}}],"x":1}"#, #"{"l":[],"x":1}"#, #"{"l":[{"id":1,"in":{}}],"x":1}"#,
            [#"{"l":[],"x":1}"#, #"{"l":[{"id":1,"in":{}}],"x":1}"#]
        ),
    ])
    func nothingComesBack(base: String, a: String, b: String, wanted: [String]) throws {
        let (a, b, base, wanted) = (padded(a), padded(b), padded(base), wanted.map(padded))
        for (first, second) in [(a, b), (b, a)] {
            for times: (Int64, Int64) in [(1, 2), (2, 1)] {
                let merged = try merge(first, second, base: base, rules: Self.inside, times: times)
                #expect(wanted.contains { json($0) == json(merged) }, "\(merged)")
            }
        }
    }

    /// What the other side edited inside comes back whole, and what it earned there counts.
    @Test(arguments: [
        (#"{"l":[{"id":1,"n":10}]}"#, #"{"l":[]}"#, #"{"l":[{"id":1,"n":10,"t":"x"}]}"#),
        (#"{"l":[{"id":1,"n":10}]}"#, #"{"l":[]}"#, #"{"l":[{"id":1,"n":12}]}"#),
        (#"{"gems":{"moss":{"pets":10}}}"#, #"{"gems":{}}"#, #"{"gems":{"moss":{"pets":12}}}"#),
        (#"{"gems":{"moss":{"pets":10}}}"#, "{}", #"{"gems":{"moss":{"pets":10,"t":1}}}"#),
    ])
    func anEditApartKeepsItsCounters(base: String, removed: String, edited: String) throws {
        let (base, removed, edited) = (padded(base), padded(removed), padded(edited))
        #expect(json(try merge(removed, edited, base: base, rules: Self.inside)) == json(edited))
        #expect(json(try merge(edited, removed, base: base, rules: Self.inside)) == json(edited))
    }

    /// Two devices that add a removed counter again apart: what both wrote counts, what was removed does not.
    @Test func addedAgainApartCountsWhatWasWritten() {
        for (first, second) in [(4, 5), (0, 5), (12, 1)] {
            var devices = Device.household(3, Self.inside, sharing: padded(#"{"gems":{"moss":{"pets":10}}}"#))
            devices[2].save(padded(#"{"gems":{"moss":{"pets":13}}}"#))
            settle(&devices)
            devices[0].save(padded(#"{"gems":{}}"#))
            devices[1].save(padded(#"{"gems":{}}"#))
            settle(&devices)
            for _ in 0..<2 {
                devices[0].save(padded("{\"gems\":{\"moss\":{\"pets\":\(first)}}}"))
                devices[1].save(padded("{\"gems\":{\"moss\":{\"pets\":\(second)}}}"))
                settle(&devices)
                let sum = json(padded("{\"gems\":{\"moss\":{\"pets\":\(first + second)}}}"))
                #expect(devices.allSatisfy { $0.value == sum }, "\(devices.map(\.shown))")
                devices[2].save(padded(#"{"gems":{}}"#))
                settle(&devices)
                #expect(devices.allSatisfy { $0.value == json(padded(#"{"gems":{}}"#)) })
            }
        }
    }

    /// A long whole number stays as its game wrote it.
    @Test func aLongNumberKeepsItsSpelling() throws {
        let long = #"{"l":[{"id":1,"n":80123456789012345678901234567890123456789}]}"#
        let merged = try merge(#"{"l":[]}"#, long, base: #"{"l":[]}"#, rules: Self.inside)
        #expect(merged.contains("80123456789012345678901234567890123456789"))
    }

    /// Removed and written anew beside an edit apart: the old amount does not count, what was earned apart does.
    @Test func writtenAnewBesideAnEditApart() {
        var devices = Device.household(2, Self.inside, sharing: padded(#"{"gems":{"moss":{"pets":10}}}"#))
        devices[0].save(padded(#"{"gems":{}}"#))
        devices[0].save(padded(#"{"gems":{"moss":{"pets":10}}}"#))
        devices[1].save(padded(#"{"gems":{"moss":{"pets":12}}}"#))
        settle(&devices)
        #expect(devices.allSatisfy { $0.value == json(padded(#"{"gems":{"moss":{"pets":12}}}"#)) })
    }
}

/// Beside what stays, so that no side is taken for an empty state.
private func padded(_ save: String) -> String {
    #"{"stays":[1,2,3,4,5,6,7,8]"# + (save == "{}" ? "}" : "," + save.dropFirst())
}
