import LosslessJSON
import Testing

@testable import MergeCore

/// Rules of a later version come in force while devices play apart.
@Suite struct UpcastTests {
    private static let moved: [[MigrationStep]] = [[.move(pointer("/coins"), to: pointer("/wallet/coins"))]]

    private func household(_ save: String, _ list: KeyValuePairs<String, MergeRule>) -> [Device] {
        Device.household(2, rulesOf(1, [], list), sharing: save)
    }

    @Test func aMovedCounterKeepsWhatBothEarnedAndCountsItOnce() {
        var devices = household(#"{"v":"1","coins":100}"#, ["/coins": .init(.counter)])
        devices[0].save(#"{"v":"1","coins":130}"#)
        devices[1].save(#"{"v":"1","coins":107}"#)
        devices[0].raise(to: rulesOf(2, Self.moved, ["/wallet/coins": .init(.counter)]))
        #expect(devices[0].value == json(#"{"v":"2","wallet":{"coins":130}}"#))
        devices.sync(0, 1)
        #expect(devices[0].value == json(#"{"v":"2","wallet":{"coins":137}}"#))
        #expect(devices[0].state.sortedAtoms == devices[1].state.sortedAtoms)
        #expect(devices[0].state.view == devices[1].state.view)
    }

    @Test func aGameThatWasNotUpdatedStillContributes() {
        var devices = household(#"{"v":"1","coins":100,"name":"a"}"#, ["/coins": .init(.counter)])
        devices[0].raise(to: rulesOf(2, Self.moved, ["/wallet/coins": .init(.counter)]))
        devices[1].pull(devices[0])
        devices[1].saveBehind(#"{"v":"1","coins":110,"name":"b"}"#)
        devices[1].saveBehind(#"{"v":"1","coins":105,"name":"b"}"#)
        devices[0].pull(devices[1])
        devices[0].project()
        #expect(devices[0].value == json(#"{"v":"2","name":"b","wallet":{"coins":105}}"#))
        // Then its game is updated.
        devices[1].upcastFile()
        #expect(devices[1].value == json(#"{"v":"2","name":"b","wallet":{"coins":105}}"#))
        devices[1].edit { $0.setting("wallet", to: ["coins": 115]) }
        devices.sync(0, 1)
        #expect(devices[0].value["wallet"] == ["coins": 115])
    }

    /// Both players put the new rule file in, each on his own device.
    @Test func aGrantIsGivenOnceWhereTwoDevicesUpcastApart() {
        let steps: [[MigrationStep]] = [
            [
                .remove(at("/sword")), .compensate(pointer("/coins"), add: JSONNumber(500), for: pointer("/sword")),
                .fill(at("/volume"), value: 5),
            ]
        ]
        var devices = household(#"{"v":"1","coins":100,"sword":1}"#, ["/coins": .init(.counter)])
        devices[0].save(#"{"v":"1","coins":110,"sword":1}"#)
        devices[1].save(#"{"v":"1","coins":103,"sword":1}"#)
        let rules = rulesOf(2, steps, ["/coins": .init(.counter)])
        devices[0].raise(to: rules)
        #expect(devices[0].value == json(#"{"v":"2","coins":610,"volume":5}"#))
        devices[1].raise(to: rules)
        devices.sync(0, 1)
        devices.sync(0, 1)
        for device in devices { #expect(device.value == json(#"{"v":"2","coins":613,"volume":5}"#), "\(device.shown)") }
        #expect(devices[0].state.view == devices[1].state.view)
        #expect(devices[0].state.restored.view == devices[0].state.view)
    }

    @Test func aKindThatChangesIsCarriedByTheAuthorAndEveryOthersOwnPart() {
        var devices = household(#"{"v":"1","hard":false,"best":3}"#, ["/hard": .init(.flag), "/best": .init(.max)])
        devices[1].save(#"{"v":"1","hard":true,"best":9}"#)
        let steps: [[MigrationStep]] = [
            [
                .map(at("/hard"), [.init(true, "hard"), .init(false, "normal")]),
                .rename(at("/hard"), to: "difficulty"),
                .rename(at("/best"), to: "score"),
            ]
        ]
        devices[0].raise(to: rulesOf(2, steps, ["/score": .init(.max)]))
        #expect(devices[0].value == json(#"{"v":"2","difficulty":"normal","score":3}"#))
        devices.sync(0, 1)
        devices[1].upcastFile()
        devices.sync(0, 1)
        #expect(devices[0].value["score"] == 9)
        #expect(devices[0].value["difficulty"] == devices[1].value["difficulty"])
        #expect(devices[0].state.view == devices[1].state.view)
    }

    @Test func aLaterVersionStandsOverALaterEditOfTheOldRules() {
        var devices = household(#"{"v":"1","coins":100}"#, ["/coins": .init(.counter)])
        devices[0].raise(to: rulesOf(2, Self.moved, ["/wallet/coins": .init(.counter)]))
        devices[1].clock += .milliseconds(1_000_000)
        let context = devices[1].context(devices[1].state.vector)
        _ = devices[1].state.changeRules(
            to: rulesOf(1, [], ["/coins": .init(.max)]), document: devices[1].snapshots.last?.document, context)
        devices.sync(0, 1)
        #expect(devices.map(\.state.rules.version) == ["2", "2"])
        #expect(devices[0].value["wallet"] == ["coins": 100])
        // And one that goes over two versions stands over one that goes over the first.
        var others = household(#"{"v":"1","coins":100}"#, ["/coins": .init(.counter)])
        others[0].raise(
            to: rulesOf(3, Self.moved + [[.rename(at("/wallet/coins"), to: "gold")]], ["/wallet/gold": .init(.counter)])
        )
        others[1].clock += .milliseconds(1_000_000)
        others[1].raise(to: rulesOf(2, Self.moved, ["/wallet/coins": .init(.counter)]))
        others[1].edit { $0.setting("wallet", to: ["coins": 120]) }
        others.sync(0, 1)
        #expect(others.map(\.state.rules.version) == ["3", "3"])
        #expect(others[0].value == json(#"{"v":"3","wallet":{"gold":120}}"#))
    }

    @Test func aResetOfAnOldVersionHoldsInTheNewOne() throws {
        var devices = household(#"{"v":"1","coins":100,"best":7}"#, ["/coins": .init(.counter), "/best": .init(.max)])
        try devices[1].reset("/coins", "/best")
        devices[1].project()
        devices[1].saveBehind(#"{"v":"1","coins":5}"#)
        let steps = [Self.moved[0] + [.rename(at("/best"), to: "score")]]
        devices[0].raise(to: rulesOf(2, steps, ["/wallet/coins": .init(.counter), "/score": .init(.max)]))
        devices.sync(0, 1)
        devices.sync(0, 1)
        #expect(devices[0].value == json(#"{"v":"2","wallet":{"coins":5}}"#))
        #expect(devices[0].state.view == devices[1].state.view)
        #expect(devices[0].state.restored.view == devices[0].state.view)
        // A place that begins anew in version 2 under a name that was reset in version 1 is another one.
        devices[0].edit { $0.setting("best", to: 4) }
        devices.sync(0, 1)
        #expect(devices[0].value["best"] == 4)
    }

    /// The save was kept without rules before it was known what version it is of.
    @Test func whatWasKeptWithoutAVersionIsOfThatOfItsSave() {
        var devices = Device.household(2, sharing: #"{"v":"1","hp":3,"name":"a"}"#)
        devices[1].save(#"{"v":"1","hp":4,"name":"a"}"#)
        devices[0].raise(to: rulesOf(2, [[.rename(at("/hp"), to: "health")]]))
        devices.sync(0, 1)
        #expect(devices[0].value == json(#"{"v":"2","health":4,"name":"a"}"#))
        // The next version upcasts it on.
        devices[1].upcastFile()
        devices[1].raise(to: rulesOf(3, [[.rename(at("/hp"), to: "health")], [.wrap(at("/health"), as: "points")]]))
        devices.sync(0, 1)
        devices[0].upcastFile()
        #expect(devices[0].value == json(#"{"v":"3","health":{"points":4},"name":"a"}"#))
        // A save of version 2 already is left as it is by rules that know how to lead there.
        var others = Device.household(2, sharing: #"{"v":"2","hp":3,"health":1}"#)
        others[0].raise(to: rulesOf(2, [[.rename(at("/hp"), to: "health")]]))
        others.sync(0, 1)
        #expect(others[0].value == json(#"{"v":"2","hp":3,"health":1}"#))
    }

    @Test func aCorrectedStepUpcastsAnewWhatWasWrittenBefore() {
        var devices = household(#"{"v":"1","hp":3,"gold":5}"#, ["/gold": .init(.counter)])
        devices[0].raise(to: rulesOf(2, [[.rename(at("/hp"), to: "heath")]], ["/gold": .init(.counter)]))
        devices[0].raise(to: rulesOf(2, [[.rename(at("/hp"), to: "health")]], ["/gold": .init(.counter)]))
        devices[1].save(#"{"v":"1","hp":4,"gold":6}"#)
        devices.sync(0, 1)
        #expect(devices[0].state.value(at: DocumentPath([.member("health")])) == 4)
        #expect(devices[0].state.value(at: DocumentPath([.member("gold")])) == 6)
        #expect(devices[0].state.view == devices[1].state.view)
    }

    @Test func whatIsSentNamesItsVersion() {
        var devices = household(#"{"v":"1.0/#~","coins":100}"#, [:])
        let before = devices[0].state.sortedAtoms.map(\.key.path)
        #expect(before.contains { $0.encoded.starts(with: "#v/1/".utf8) })
        devices[0].raise(to: rulesOf(2, [[]]))
        devices[0].set("coins", 3)
        let last = devices[0].state.delta(beyond: vector([:])).map(\.key.path.description)
        #expect(last.contains("#v/2/coins") && last.contains("#v/1/coins"), "\(last)")
        #expect(VersionLabel("1.0/#~").name == "1.0/#~")
        let path = DocumentPath([.member("a")]).of(VersionLabel("1.0/#~"))
        #expect(path.version.label == VersionLabel("1.0/#~") && path.version.place == DocumentPath([.member("a")]))
    }

    @Test func aStoredStateKeepsItsVersions() throws {
        var devices = household(#"{"v":"1","coins":100}"#, ["/coins": .init(.counter)])
        let single = try ProfileState(decoding: devices[0].state.encoded)
        #expect(single.view == devices[0].state.view && single.sortedAtoms == devices[0].state.sortedAtoms)
        devices[0].raise(to: rulesOf(2, Self.moved, ["/wallet/coins": .init(.counter)]))
        let both = try ProfileState(decoding: devices[0].state.encoded)
        #expect(both.view == devices[0].state.view && both.sortedAtoms == devices[0].state.sortedAtoms)
        #expect(both.delta(beyond: vector([:])) == devices[0].state.delta(beyond: vector([:])))
    }
}
