import LosslessJSON
import MergeCore
import TestSupport
import Testing

/// Resets stay reset, whatever comes from before them; what is played after them stays as well.
@Suite struct ResetTests {
    static let ruleSet = MergeCoreTests.rules([
        "/level": MergeRule(.max), "/best": MergeRule(.min), "/coins": MergeRule(.counter),
        "/themes": MergeRule(.union),
        "/friends": MergeRule(.set), "/done": MergeRule(.flag), "/ending": MergeRule(.choice),
        "/items/[id]/count": MergeRule(.counter),
    ])
    static let save = """
        {"level":30,"best":12,"coins":500,"themes":["a","b"],"friends":["x"],"done":true,"name":"Ada","ending":"good",
        "items":[{"id":1,"count":3}],"grid":[1,2]}
        """

    @Test func resetReachesEveryDeviceAndEveryRule() throws {
        var devices = Device.household(2, Self.ruleSet, sharing: Self.save)
        try devices[0].reset("/level", "/best", "/coins", "/themes", "/friends", "/done", "/ending", "/items", "/name")
        settle(&devices)
        for device in devices {
            #expect(device.value == json(#"{"coins":0,"themes":[],"friends":[],"done":false,"grid":[1,2]}"#))
        }
    }
}
