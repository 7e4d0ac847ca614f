import LosslessJSON
import Testing

@testable import MergeCore

/// Mistakes that are easily made in a merge and that no other test would notice; see Tests/Promises.
@Suite struct NamedMistakeTests {
    /// A writer that rewrites its value still stands in place of all that it ever replaced.
    @Test(arguments: [MergeRule(.choice), MergeRule(.furthest, by: ["xp"])])
    func whatWasReplacedStaysReplaced(rule: MergeRule) {
        var devices = Device.household(2, rules(["/end": rule]), sharing: #"{"end":{"xp":1}}"#)
        devices[0].set("end", ["xp": 9])
        settle(&devices)
        for xp in [3, 2] as [JSONValue] { devices[1].set("end", ["xp": xp]) }
        settle(&devices)
        for device in devices { #expect(device.value == ["end": ["xp": 2]] && device.state.openChoices.isEmpty) }
    }

    @Test func aValueThatMeansNothingYetNeverWins() {
        let ruleSet = rules(["/best": MergeRule(.min, none: [0, .null]), "/top": MergeRule(.max, none: [999])])
        var devices = Device.household(2, ruleSet, sharing: #"{"best":12,"top":5}"#)
        devices[0].save(#"{"best":0,"top":999}"#)
        settle(&devices)
        for device in devices { #expect(device.value == ["best": 12, "top": 5]) }
        devices[1].set("best", .some(.null))
        settle(&devices)
        for device in devices { #expect(device.value["best"] == 12) }
    }

    @Test func theStateKeepsWhatALimitLeavesOut() {
        let path = DocumentPath([.member("log")])
        var devices = Device.household(1, rules(["/log": MergeRule(.union, limit: 2)]), sharing: #"{"log":[5]}"#)
        devices[0].set("log", [5, 4, 3, 2, 1])
        devices[0].project()
        #expect(devices[0].value["log"] == [5, 4])
        #expect(devices[0].state.liveParts(path, .union).count == 5)
    }

    /// Two resets of one number that begin differently are two: the larger one stands alone.
    @Test func resetsThatStartFromDifferentValuesAreTwo() throws {
        var devices = Device.household(2, rules(["/coins": MergeRule(.counter)]), sharing: #"{"coins":10}"#)
        for (index, start) in [#"{"coins":1}"#, #"{"coins":5}"#].enumerated() {
            try devices[index].reset("/coins", to: start)
            devices[index].project()
            devices[index].set("coins", 100)
        }
        settle(&devices)
        #expect(devices[0].state.epochs.count == 2)
        for device in devices { #expect(device.value["coins"] == 100) }
    }

    @Test func whatGamesWriteNeverGoesThroughADouble() {
        let ruleSet = rules([
            "/coins": MergeRule(.counter), "/top": MergeRule(.max), "/low": MergeRule(.min, as: .number),
        ])
        var devices = Device.household(
            2,
            ruleSet,
            sharing: #"{"coins":9007199254740993,"top":9007199254740992,"low":"0.30000000000000000001"}"#
        )
        devices[0].edit {
            $0.setting("coins", to: json("9007199254740994")).setting("top", to: json("9007199254740993"))
        }
        devices[1].edit { $0.setting("coins", to: json("9007199254741003")).setting("low", to: "0.3") }
        settle(&devices)
        for device in devices {
            #expect(device.value["coins"]?.spelled == "9007199254741004")
            #expect(device.value["top"]?.spelled == "9007199254740993" && device.value["low"] == "0.3")
        }
    }
}
