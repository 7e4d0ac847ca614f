import LosslessJSON
import MergeCore
import Testing

/// Bits, dates in a game's own format, sorted and limited logs.
@Suite struct PresentationTests {
    @Test func bitsUnlockedApartComeTogether() {
        let rules = rules(["/bits": MergeRule(.union, as: .bits), "/text": MergeRule(.union, as: .bits)])
        var devices = Device.household(2, rules, sharing: #"{"bits":1,"text":"1"}"#)
        devices[0].edit { $0.setting("bits", to: 5).setting("text", to: "1180591620717411303425") }
        devices[1].edit { $0.setting("bits", to: 9).setting("text", to: "3") }
        settle(&devices)
        for device in devices {
            #expect(device.value["bits"] == 13 && device.value["text"] == "1180591620717411303427")
        }
        devices[0].set("bits", 0)
        settle(&devices)
        #expect(devices[1].value["bits"] == 13, "what is unlocked stays")
        devices[0].set("bits", -4)
        #expect(devices[0].unreadable.map(\.path.description) == ["/bits"])
        devices[0].project()
        #expect(devices[0].value["bits"] == -4, "what a rule cannot read is left alone")
    }

    @Test func datesInAFormatCompareByTimeAndKeepTheirSpelling() {
        let rules = rules([
            "/last": MergeRule(.max, as: .date, format: "%d.%m.%Y"),
            "/first": MergeRule(.min, as: .date, format: "%d.%m.%Y"),
        ])
        var devices = Device.household(2, rules, sharing: #"{"last":"31.12.2023","first":"31.12.2023"}"#)
        devices[0].edit { $0.setting("last", to: "02.01.2024").setting("first", to: "30.12.2023") }
        devices[1].edit { $0.setting("last", to: "01.02.2024").setting("first", to: "01.12.2023") }
        settle(&devices)
        for device in devices { #expect(device.value["last"] == "01.02.2024" && device.value["first"] == "01.12.2023") }
        devices[0].set("last", "yesterday")
        #expect(devices[0].unreadable.count == 1)
    }

    /// The spelling of an amount is its last writer's, also where a former one spelled the same amount otherwise.
    @Test func anAmountIsSpelledAsItsLastWriterSpelledIt() {
        var devices = Device.household(2, rules(["/n": MergeRule(.counter)]), sharing: #"{"n":1e2}"#)
        for (device, save) in [(1, #"{"n":101}"#), (1, #"{"n":100}"#), (0, #"{"n":99}"#), (0, #"{"n":100.0}"#)] {
            devices[device].save(save)
            settle(&devices)
            #expect(devices.map(\.shown) == [save, save])
        }
    }

    /// What was spent was earned back while another device was away: to that one the amount is as before, and its file
    /// keeps its spelling.
    @Test func anAmountThatIsAsBeforeStaysAsItIsSpelled() {
        var devices = Device.household(2, rules(["/n": MergeRule(.counter)]), sharing: #"{"n":74.20}"#)
        devices[0].save(#"{"n":39.2}"#)
        devices[0].save(#"{"n":74.2}"#)
        settle(&devices)
        #expect(devices.map(\.shown) == [#"{"n":74.2}"#, #"{"n":74.20}"#])
        devices[1].save(#"{"n":75.2}"#)
        settle(&devices)
        #expect(devices.map(\.shown) == [#"{"n":75.2}"#, #"{"n":75.2}"#])
    }

    @Test func aSortedLogShowsTheLargestAndKeepsThemAll() {
        let rules = rules(["/log": MergeRule(.union, sort: "at", limit: 3)])
        var devices = Device.household(2, rules, sharing: #"{"log":[]}"#)
        devices[0].set("log", [["at": 1, "s": "a"], ["at": 4, "s": "b"]])
        devices[1].set("log", [["at": 2, "s": "c"], ["at": 3, "s": "d"]])
        settle(&devices)
        for device in devices {
            #expect(device.value["log"] == [["at": 4, "s": "b"], ["at": 3, "s": "d"], ["at": 2, "s": "c"]])
        }
        // The file shows three; a save that holds these removes nothing.
        devices[0].edit { $0.setting("other", to: 1) }
        let path = DocumentPath([.member("log")])
        #expect(devices[0].state.explain(path).contributions.count == 4)
    }

    @Test func aLimitAloneKeepsTheOrderOfTheHousehold() {
        let rules = rules(["/tags": MergeRule(.set, limit: 2)])
        var devices = Device.household(2, rules, sharing: #"{"tags":[3]}"#)
        devices[0].set("tags", [3, 9])
        devices[1].set("tags", [3, 5])
        settle(&devices)
        #expect(devices[0].shown == #"{"tags":[5,9]}"# && devices[1].value["tags"] == [5, 9])
        devices[0].set("tags", [9])
        settle(&devices)
        #expect(devices[0].value["tags"] == [3, 9], "\(devices[0].shown)")
    }
}
