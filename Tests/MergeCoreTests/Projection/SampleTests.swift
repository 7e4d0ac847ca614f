import LosslessJSON
import MergeCore
import SampleSaves
import TestSupport
import Testing

/// Saves in the shape of real games.
@Suite struct SampleTests {
    /// A copy with random leaves changed, and every other byte as it was.
    private func edited(_ save: JSONDocument, _ random: inout SeededRandom) throws -> [UInt8] {
        var leaves: [JSONNode] = []
        func collect(_ node: JSONNode) {
            switch save.kind(node) {
            case .object: save.children(node).forEach(collect)
            case .array: break
            default: leaves.append(node)
            }
        }
        collect(save.root)
        let chosen = Set((0..<10).map { _ in random.pick(leaves) }).sorted()
        return try save.patched(
            chosen.map { .replace($0, random.pick([json("12345678901234567890.50"), "text", true, json("1e400")])) })
    }

    @Test(arguments: SampleSave.all) func anEditedSampleArrivesByteForByte(save: SampleSave) throws {
        var random = SeededRandom(seed: 11)
        var devices = Device.household(2, sharing: text(save.bytes))
        #expect(devices.map(\.wouldEdit) == [0, 0])
        for _ in 0..<2 {
            let next = try edited(try JSONDocument(parsing: devices[0].file ?? []), &random)
            devices[0].save(try JSONDocument(parsing: next), on: devices[0].snapshots.last)
            #expect(devices[0].wouldEdit == 0)
            let delta = devices[0].state.delta(beyond: devices[1].state.vector)
            #expect((1...10).contains(delta.count))
            devices[1].pull(devices[0])
            devices[1].project()
            #expect(devices[0].file == next)
            #expect(devices[1].file == next, "\(save) is not the same on the other device")
        }
        let fresh = try #require(Projection.newDocument(of: devices[1].state))
        #expect(fresh == devices[0].value)
    }
}
