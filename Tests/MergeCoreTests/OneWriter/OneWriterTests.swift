import LosslessJSON
import TestSupport
import Testing

@testable import MergeCore

/// If only one game writes, every other file comes to hold the same: random rules, random documents.
@Suite struct OneWriterTests {
    /// Histories in each of the blocks, which run beside one another.
    private static let count = TestDepth.count(quick: 15, usual: 20, all: 60)

    /// The order of arrays aside.
    private func same(_ a: JSONValue, _ b: JSONValue) -> Bool { sorted(a) == sorted(b) }

    private func sorted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements):
            .array(elements.map(sorted).sorted { $0.canonicalBytes.lexicographicallyPrecedes($1.canonicalBytes) })
        case .object(let members): .object(members.map { JSONMember(key: $0.key, value: sorted($0.value)) })
        default: value
        }
    }

    private func seeds(of block: Int) -> Range<Int> { block * Self.count..<(block + 1) * Self.count }

    @Test(arguments: 0..<8) func everyOtherFileHoldsWhatWasWritten(block: Int) {
        let fault = firstFault(in: seeds(of: block), whatIsNotReproduced)
        #expect(fault == nil, "\(fault ?? "")")
    }

    private func whatIsNotReproduced(seed: Int) -> String? {
        var writer = RandomWriter(seed: UInt64(seed))
        var story: [String] = []
        let start = writer.start()
        var devices = Device.household(3, writer.rules, sharing: start.spelled)
        devices[2].file = nil
        var save = start
        story.append(save.spelled)
        for _ in 0..<6 {
            save = writer.edited(save)
            story.append(save.spelled)
            devices[0].save(save.spelled)
            let written = devices[0].value
            settle(&devices)
            let whole = Projection.newDocument(of: devices[0].state) ?? .null
            guard same(devices[0].value, written), same(devices[1].value, written), same(devices[2].value, written),
                same(whole, written)
            else {
                return """
                    written was \(written.spelled)
                    the writer holds \(devices[0].shown)
                    the others \(devices[1].shown)
                    \(devices[2].shown)
                    a new one \(whole.spelled)
                    after \(story.joined(separator: "\n"))
                    under \(writer.listed)
                    """
            }
        }
        return nil
    }

    @Test(arguments: 0..<8) func aMergeOfOneChangedSideIsThatSide(block: Int) throws {
        let fault = try firstFault(in: seeds(of: block), whatAMergeChanges)
        #expect(fault == nil, "\(fault ?? "")")
    }

    private func whatAMergeChanges(seed: Int) throws -> String? {
        var writer = RandomWriter(seed: UInt64(seed))
        var base = writer.start()
        for _ in 0..<3 {
            let side = writer.edited(base)
            defer { base = side }
            // A side that lost over half, or lowered what only grows, is asked about.
            let (a, b, rules) = (side.spelled, base.spelled, writer.rules)
            guard try merging(a, b, base: b, rules: rules).questions.isEmpty else { continue }
            let first = json(try merge(a, b, base: b, rules: rules))
            let second = json(try merge(b, a, base: b, rules: rules))
            guard same(first, side), same(second, side) else {
                return """
                    base \(b)
                    side \(a)
                    as A  \(first.spelled)
                    as B  \(second.spelled)
                    under \(writer.listed)
                    """
            }
        }
        return nil
    }
}
