import LosslessJSON
import MergeCore
import Testing

/// The side that got further wins whole.
@Suite struct FurthestTests {
    static let ruleSet = MergeCoreTests.rules(["/progress": MergeRule(.furthest, by: ["level", "xp"])])

    private func household(_ count: Int = 2) -> [Device] {
        Device.household(count, Self.ruleSet, sharing: #"{"progress":{"level":1,"xp":0,"map":"start"}}"#)
    }

    @Test(arguments: [
        ((2, 10), (1, 99), 0), ((2, 10), (2, 11), 1), ((10, 0), (9, 0), 0), ((3, 5), (3, 5), 1),
    ]) func theFurtherSideWinsWhole(_ a: (Int, Int), _ b: (Int, Int), _ winner: Int) {
        var devices = household()
        devices[1].clock += .milliseconds(5)
        for (index, side) in [a, b].enumerated() {
            devices[index].set(
                "progress",
                [
                    "level": .number(JSONNumber(side.0)), "xp": .number(JSONNumber(side.1)),
                    "map": .string(JSONString("of \(index)")),
                ]
            )
        }
        settle(&devices)
        for device in devices { #expect(device.value["progress"]?["map"] == .string(JSONString("of \(winner)"))) }
    }

    @Test func spendingOnTheOwnDeviceIsNotReverted() {
        var devices = household()
        devices[0].set("progress", ["level": 5, "xp": 100])
        settle(&devices)
        devices[0].set("progress", ["level": 5, "xp": 20])
        settle(&devices)
        for device in devices { #expect(device.value["progress"] == ["level": 5, "xp": 20]) }
    }

    /// A third side lost against the winner. When the winner's player then spends, the third does not come up again.
    @Test func whoLostOnceDoesNotComeUpWhenTheWinnerSpends() {
        var devices = household(3)
        devices[0].set("progress", ["level": 5, "xp": 100])
        devices[1].set("progress", ["level": 5, "xp": 90])
        devices[2].set("progress", ["level": 5, "xp": 80])
        settle(&devices)
        devices[1].set("progress", ["level": 5, "xp": 10])
        settle(&devices)
        for device in devices { #expect(device.value["progress"] == ["level": 5, "xp": 10]) }
    }

    @Test func membersThatAreMissingCountLeast() {
        var devices = household()
        devices[0].set("progress", ["level": 5])
        devices[1].set("progress", ["level": 5, "xp": 1])
        settle(&devices)
        for device in devices { #expect(device.value["progress"] == ["level": 5, "xp": 1]) }
    }

    @Test func bigNumbersInStringsCountAsNumbersWhereTheRuleSaysSo() {
        let rules = rules(["/run": MergeRule(.furthest, as: .number, by: ["best"])])
        var devices = Device.household(2, rules, sharing: #"{"run":{"best":"1"}}"#)
        devices[0].set("run", ["best": "9.5e99"])
        devices[1].set("run", ["best": "1e1000"])
        settle(&devices)
        for device in devices { #expect(device.value["run"]?["best"] == "1e1000") }
    }
}
