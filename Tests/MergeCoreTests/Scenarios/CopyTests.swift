import LosslessJSON
import Testing

@testable import MergeCore

/// A plain copy of a save is taken up again: what it holds may be counted already.
@Suite struct CopyTests {
    private let all = rules([
        "/coins": .init(.counter), "/level": .init(.max), "/themes": .init(.union), "/friends": .init(.set),
    ])

    private func played() -> Device {
        var device = Device.household(1, all, sharing: #"{"coins":300,"level":4,"name":"Ada","themes":["a"]}"#)[0]
        device.save(#"{"coins":500,"level":4,"name":"Ada","themes":["a"]}"#)
        device.save(#"{"coins":480,"level":6,"name":"Ada","themes":["a","b"]}"#)
        return device
    }

    private func take(_ copy: String, into device: inout Device) -> WriteResult {
        let context = device.context(VersionVector())
        return device.state.adopt(foreign: document(copy), mayBeCounted: true, context)
    }

    /// What began empty counts in full, whatever was known, also after a reset; below zero it is taken as it is.
    @Test func whatWasEarnedFromNothingCountsInFull() throws {
        var device = played()
        func earn(_ save: String) {
            let context = device.context(VersionVector())
            _ = device.state.adopt(earned: document(save), context)
        }
        func coins() -> JSONValue? { Projection.newDocument(of: device.state)?["coins"] }
        earn(#"{"coins":20,"level":2,"name":"Bo","themes":["c"]}"#)
        #expect(coins() == .number(JSONNumber(500)))
        let shown = Projection.newDocument(of: device.state)
        #expect(shown?["level"] == .number(JSONNumber(6)) && shown?["themes"] == json(#"["a","b","c"]"#))
        earn(#"{"coins":0}"#)
        #expect(coins() == .number(JSONNumber(500)))
        try device.reset("")
        earn(#"{"coins":7}"#)
        #expect(coins() == .number(JSONNumber(7)))
    }

    /// - Parameter after: Coins, level, name, themes.
    @Test(arguments: [
        // Its own copy, an older one, none.
        (#"{"coins":480,"level":6,"name":"Ada","themes":["a","b"]}"#, "480"),
        (#"{"coins":300,"level":4,"name":"Ada","themes":["a"]}"#, "480"),
        (#"{"coins":0,"level":0,"name":"","themes":[]}"#, "480"),
        ("{}", "480"), ("[]", "480"), ("null", "480"),
        // One that got further.
        (#"{"coins":481}"#, "481"), (#"{"coins":1e3}"#, "1000"),
    ]) func aCounterComesToTheLargerTotal(_ copy: String, _ coins: String) {
        var device = played()
        for _ in 1...2 {
            _ = take(copy, into: &device)
            let shown = Projection.newDocument(of: device.state)
            #expect(shown?["coins"] == .number(JSONNumber(text: coins)!), "\(copy)")
            #expect(shown?["level"] == .number(JSONNumber(6)) && shown?["name"] == .string(JSONString("Ada")))
            #expect(shown?["themes"] == json(#"["a","b"]"#))
        }
    }

    @Test func whatIsNewIsTakenAndNothingGoes() {
        var device = played()
        _ = take(
            #"{"coins":490,"level":7,"name":"Bob","themes":["c"],"friends":["x"],"gems":{"red":2}}"#,
            into: &device
        )
        let shown = Projection.newDocument(of: device.state)
        #expect(
            shown
                == json(
                    #"{"coins":490,"friends":["x"],"gems":{"red":2},"level":7,"name":"Ada","themes":["a","b","c"]}"#
                )
        )
        // What is earned afterwards counts on top.
        let written = take("{}", into: &device)
        #expect(written.atoms.isEmpty)
    }

    /// A side that got less far, or another ending, never takes the place of one's own.
    @Test func whatWasChosenOrReachedHereStays() throws {
        let rules = rules([
            "/run": MergeRule(.furthest, by: ["level"]), "/ending": .init(.choice), "/name": .init(.latest),
        ])
        for mayBeCounted in [true, false] {
            var device = Device.household(1, rules, sharing: #"{"ending":"open","name":"A","run":{"level":1}}"#)[0]
            device.save(#"{"ending":"good","name":"B","run":{"gold":9,"level":5}}"#)
            func take(_ copy: String) -> JSONValue? {
                let context = device.context(VersionVector())
                _ = device.state.adopt(foreign: document(copy), mayBeCounted: mayBeCounted, context)
                return Projection.newDocument(of: device.state)
            }
            #expect(
                take(#"{"ending":"bad","name":"C","run":{"level":4}}"#)
                    == json(#"{"ending":"good","name":"B","run":{"gold":9,"level":5}}"#))
            #expect(
                take(#"{"ending":"bad","name":"","run":{"level":6}}"#)
                    == json(#"{"ending":"good","name":"B","run":{"level":6}}"#))
        }
    }

    /// Two devices take up one copy apart: it is one amount.
    @Test func aCopyTakenUpTwiceIsOneAmount() {
        var devices = Device.household(2, all, sharing: #"{"coins":100}"#)
        devices[0].save(#"{"coins":150}"#)
        devices.sync(0, 1)
        for index in 0...1 { _ = take(#"{"coins":170}"#, into: &devices[index]) }
        devices.sync(0, 1)
        #expect(
            devices.map { Projection.newDocument(of: $0.state)?["coins"] } == [
                .number(JSONNumber(170)), .number(JSONNumber(170)),
            ]
        )
    }

    @Test func aDebtIsNotForgivenByTheZeroThatStandsForIt() {
        var devices = Device.household(2, all, sharing: #"{"coins":100}"#)
        devices[0].save(#"{"coins":20}"#)
        devices[1].save(#"{"coins":30}"#)
        devices.sync(0, 1)  // 100 − 80 − 70 = −50
        let before = devices[0].state.vector
        _ = take(#"{"coins":0}"#, into: &devices[0])
        #expect(devices[0].state.vector == before)
    }

    @Test func aCounterOfWhichNothingIsKnownStartsThere() {
        var device = Device.household(1, all)[0]
        _ = take(#"{"coins":7}"#, into: &device)
        #expect(Projection.newDocument(of: device.state) == json(#"{"coins":7}"#))
    }
}
