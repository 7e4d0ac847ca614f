import LosslessJSON
import MergeCore
import TestSupport
import Testing

/// Random arrays, written by one game or by two.
@Suite struct OrderHistoryTests {
    enum Shape: String, CaseIterable, Sendable {
        case set, union, keyed

        var rules: RuleSet {
            switch self {
            case .set: MergeCoreTests.rules(["/a": .init(.set)])
            case .union: MergeCoreTests.rules(["/a": .init(.union)])
            case .keyed: MergeCoreTests.rules(["/a[id]": .init(.latest)])
            }
        }

        func save(_ list: [JSONValue]) -> String {
            guard self == .keyed else { return "{\"a\":\(JSONValue.array(list).spelled)}" }
            let elements = list.map { name in
                JSONValue.object([JSONMember(key: "id", value: name), JSONMember(key: "n", value: 1)])
            }
            return "{\"a\":\(JSONValue.array(elements).spelled)}"
        }

        func names(_ device: Device) -> [JSONValue] {
            guard case .array(let elements)? = device.value["a"] else { return [] }
            return self == .keyed ? elements.compactMap { $0["id"] } : elements
        }

        /// Some are near one another, some are long; where `alike`, some have one natural position.
        func element(_ random: inout SeededRandom, alike: Bool = false) -> JSONValue {
            switch random.below(self == .keyed ? 3 : 4) {
            case 0: .number(JSONNumber(random.below(2_000) - 50))
            case 1 where alike: .string(JSONString("the same beginning of a long name \(random.below(500))"))
            case 1: .string(JSONString("long \(random.below(500)) that is named by a hash"))
            case 2: .string(JSONString(String(UnicodeScalar(UInt8(97 + random.below(26)))) + "\(random.below(9))"))
            default: ["at": .number(JSONNumber(random.below(900))), "by": "me"]
            }
        }
    }

    private static func insert(
        _ list: inout [JSONValue], _ shape: Shape, _ random: inout SeededRandom, alike: Bool = false
    ) {
        let index = random.pick([0, list.count, random.below(list.count + 1)])
        for offset in 0...random.below(4) {
            let new = shape.element(&random, alike: alike)
            if !list.contains(new) { list.insert(new, at: min(index + offset, list.count)) }
        }
    }

    private static func changed(
        _ old: [JSONValue], _ shape: Shape, _ random: inout SeededRandom, alike: Bool = false
    ) -> [JSONValue] {
        var list = old
        switch random.below(12) {
        case 0...4: insert(&list, shape, &random, alike: alike)
        case 5...7 where !list.isEmpty:
            let element = list.remove(at: random.below(list.count))
            list.insert(element, at: random.below(list.count + 1))
        // What a union loses is put back.
        case 8 where !list.isEmpty && shape != .union: list.remove(at: random.below(list.count))
        case 10: list.reverse()
        case 11 where random.chance(30): list = random.shuffled(list)
        default: insert(&list, shape, &random)
        }
        return list.isEmpty ? ["x"] : list
    }

    @Test(arguments: Shape.allCases) func oneWritersArraysAreReproduced(shape: Shape) {
        let count = TestDepth.count(quick: 15, usual: 30, all: 60)
        let fault = firstFault(in: 0..<count) { Self.whatIsNotReproduced(shape, seed: $0) }
        #expect(fault == nil, "\(fault ?? "")")
    }

    private static func whatIsNotReproduced(_ shape: Shape, seed: Int) -> String? {
        var random = SeededRandom(seed: UInt64(seed))
        var list = (0..<random.below(12)).map { _ in shape.element(&random) }.reduce(into: [JSONValue]()) {
            if !$0.contains($1) { $0.append($1) }
        }
        if list.isEmpty { list = ["x"] }
        var devices = Device.household(3, shape.rules, sharing: shape.save(list))
        for step in 0..<25 {
            list = changed(list, shape, &random, alike: true)
            devices[0].save(shape.save(list))
            guard devices[0].wouldEdit == 0 else { return "in step \(step) the writer's own file would change" }
            if random.chance(60) { devices.sync(0, 1) }
        }
        devices.sync(0, 1)
        devices[2].file = nil
        devices[2].snapshots = []
        devices.sync(1, 2)
        for index in 1...2 where devices[index].shown != shape.save(list) {
            return "device \(index) shows \(devices[index].shown), not \(shape.save(list))"
        }
        return nil
    }

    /// How often two writers meet, for each shape.
    private static let meetings = TestDepth.count(quick: 50, usual: 100, all: 200)

    @Test(arguments: Shape.allCases) func twoWritersEndInOneOrderThatKeepsBoth(shape: Shape) {
        let fault = firstFault(in: 0..<Self.meetings) { Self.whatTwoWritersLose(shape, seed: $0) }
        #expect(fault == nil, "\(fault ?? "")")
    }

    private static func whatTwoWritersLose(_ shape: Shape, seed: Int) -> String? {
        var random = SeededRandom(seed: UInt64(seed))
        var start: [JSONValue] = ["m"]
        for _ in 0..<3 { insert(&start, shape, &random) }
        var devices = Device.household(2, shape.rules, sharing: shape.save(start))
        var (first, second) = (start, start)
        // One may do anything, the other only adds: so the order of each one's save can be told from the result.
        for _ in 0..<1 + random.below(3) { first = changed(first, shape, &random) }
        for _ in 0..<1 + random.below(3) { insert(&second, shape, &random) }
        // What both added stands where the later one put it.
        second.removeAll { first.contains($0) && !start.contains($0) }
        devices[0].save(shape.save(first))
        devices[1].save(shape.save(second))
        devices.sync(0, 1)
        let (one, other) = (shape.names(devices[0]), shape.names(devices[1]))
        let saves = "start \(words(start)), \(words(first)) and \(words(second))"
        if one != other { return "two orders: \(words(one)) and \(words(other)); \(saves)" }
        if Set(one) != Set(first).union(Set(second).subtracting(start)) {
            return "not what both have: \(words(one)); \(saves)"
        }
        if one.filter(first.contains) != first { return "not the order of the first: \(words(one)); \(saves)" }
        if devices.contains(where: { $0.wouldEdit > 0 }) { return "a second projection changes something; \(saves)" }
        return nil
    }

    @Test(arguments: Shape.allCases) func addingOnBothSidesKeepsTheOrderOfEach(shape: Shape) {
        let fault = firstFault(in: 1_000..<1_000 + Self.meetings) { Self.whatAddingMoves(shape, seed: $0) }
        #expect(fault == nil, "\(fault ?? "")")
    }

    private static func whatAddingMoves(_ shape: Shape, seed: Int) -> String? {
        var random = SeededRandom(seed: UInt64(seed))
        var start: [JSONValue] = ["m"]
        for _ in 0..<3 { insert(&start, shape, &random) }
        var devices = Device.household(2, shape.rules, sharing: shape.save(start))
        var (first, second) = (start, start)
        for _ in 0..<2 { insert(&first, shape, &random) }
        for _ in 0..<2 { insert(&second, shape, &random) }
        second.removeAll { first.contains($0) && !start.contains($0) }
        devices[0].save(shape.save(first))
        devices[1].save(shape.save(second))
        devices.sync(0, 1)
        let (one, other) = (shape.names(devices[0]), shape.names(devices[1]))
        guard one == other, one.filter(first.contains) == first, one.filter(second.contains) == second else {
            return "\(words(one)) and \(words(other)) of \(words(first)) and \(words(second))"
        }
        return nil
    }
}

private func words(_ list: [JSONValue]) -> String { list.map(\.spelled).joined(separator: " ") }
