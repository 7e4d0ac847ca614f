import LosslessJSON
import MergeCore
import Testing

@Suite struct CompactionTests {
    @Test func compactionChangesNothingThatShowsAndDropsTombstones() throws {
        var devices = Device.household(2, ResetTests.ruleSet, sharing: ResetTests.save)
        for number in 0..<50 { devices[0].set(JSONString("k\(number)"), 1) }
        for number in 0..<50 { devices[0].set(JSONString("k\(number)"), nil) }
        settle(&devices)
        let shown = devices.map(\.value)
        let before = devices[0].state.atomCount
        _ = try devices[0].state.compact(devices[0].context(devices[0].state.vector))
        settle(&devices)
        for index in devices.indices {
            #expect(devices[index].value == shown[index])
            _ = devices[index].state.dropCompacted()
            #expect(devices[index].state.atomCount < before - 40)
        }
        #expect(devices[0].state.sortedAtoms == devices[1].state.sortedAtoms)
        devices[0].set("coins", 510)
        devices[1].set("coins", 520)
        settle(&devices)
        #expect(devices[0].value["coins"] == 530 && devices[1].value["coins"] == 530)
    }

    /// It is to be made when every device has acked; where one wrote meanwhile all the same, nothing of that is lost.
    @Test func whatWasWrittenMeanwhileIsCarriedOver() throws {
        var devices = Device.household(3, ResetTests.ruleSet, sharing: ResetTests.save)
        devices[0].set("coins", 490)
        settle(&devices)
        devices[1].edit {
            $0.setting("coins", to: 600).setting("level", to: 44).setting("friends", to: ["x", "y"])
                .setting("name", to: "Bo").setting("themes", to: ["a", "b", "z"]).setting("ending", to: "bad")
        }
        _ = try devices[0].state.compact(devices[0].context(devices[0].state.vector))
        devices[0].edit { $0.setting("coins", to: 495) }
        settle(&devices)
        settle(&devices)
        for device in devices {
            #expect(
                device.value["coins"] == 605 && device.value["level"] == 44 && device.value["name"] == "Bo",
                "\(device.shown)"
            )
            #expect(device.value["friends"] == ["x", "y"] && device.value["themes"] == ["a", "b", "z"])
        }
        for index in devices.indices { _ = devices[index].state.dropCompacted() }
        settle(&devices)
        for device in devices { #expect(device.value["coins"] == 605) }
    }

    @Test func aResetAfterACompactionStillResets() throws {
        var devices = Device.household(2, ResetTests.ruleSet, sharing: ResetTests.save)
        devices[1].set("coins", 900)
        _ = try devices[0].state.compact(devices[0].context(devices[0].state.vector))
        try devices[0].reset("/coins")
        settle(&devices)
        settle(&devices)
        for device in devices { #expect(device.value["coins"] == 0) }
    }
}
