import LosslessJSON
import TestSupport
import Testing

@testable import MergeCore

/// Reading a few places of a large save takes no view of the whole.
@Suite struct PlaceReaderTests {
    /// An element or an array that is read alone shows what it shows in the view of the whole state: after random play of
    /// three devices with elements that come, go and change places, resets and another kind of array.
    @Test(arguments: [MergeRule(.latest), MergeRule(.local)])
    func whatIsReadAloneIsWhatTheWholeShows(elements rule: MergeRule) throws {
        let set = rules([
            "/ch[id]": rule, "/ch[id]/n": .init(.counter), "/ch[id]/tags": .init(.set), "/ch[id]/in[id]/n": .init(.max),
        ])
        var compared = 0
        for seed in 0..<60 {
            var random = SeededRandom(seed: UInt64(seed))
            var devices = Device.household(3, set, sharing: #"{"ch":[{"id":"a","n":1},{"id":"b","n":2}],"x":1}"#)
            for _ in 0..<25 {
                let index = random.below(3)
                devices[index].clock += .milliseconds(Int64(random.below(1_000)))
                switch random.below(6) {
                case 0...2: devices[index].edit { Self.played($0, &random) }
                case 3 where random.once(in: 4): try devices[index].reset("/ch")
                case 3 where random.once(in: 4): devices[index].set("ch", .array([1, 2]))
                default:
                    devices[index].pull(devices[random.below(3)])
                    devices[index].project()
                }
            }
            for device in devices {
                let places = Set(device.state.places.map(\.path)).sorted()
                var whole = PlaceReader(device.state)
                let elements = places.filter(\.endsInElement)
                for _ in 0..<5 { for path in elements { _ = whole.value(at: path) } }
                for path in elements {
                    var alone = PlaceReader(device.state)
                    #expect(alone.value(at: path) == whole.value(at: path), "seed \(seed): \(path)")
                    compared += 1
                }
                for path in Set(places.flatMap { [$0, $0.parent].compactMap(\.self) }) where !path.isReserved {
                    var alone = PlaceReader(device.state)
                    #expect(alone.names(at: path) == whole.names(at: path), "seed \(seed): \(path)")
                }
            }
        }
        #expect(compared > 500)
    }

    private static func played(_ save: JSONValue, _ random: inout SeededRandom) -> JSONValue {
        var list: [JSONValue] = []
        if case .array(let elements)? = save["ch"] { list = elements }
        let id = ["a", "b", "c", "d", "e/~"][random.below(5)]
        let number = JSONValue.number(JSONNumber(text: "\(random.below(9))")!)
        let element: JSONValue = [
            "id": .string(JSONString(id)), "n": number, "tags": .array([number]),
            "in": [["id": number, "n": number]],
        ]
        switch random.below(4) {
        case 0 where !list.isEmpty: list.remove(at: random.below(list.count))
        case 1: list = random.shuffled(list)
        case 2 where !list.isEmpty: list[random.below(list.count)] = element
        default: list.insert(element, at: random.below(list.count + 1))
        }
        var seen = Set<JSONValue>()
        list = list.filter { seen.insert($0["id"] ?? .null).inserted }
        return save.setting("ch", to: .array(list))
    }
}
