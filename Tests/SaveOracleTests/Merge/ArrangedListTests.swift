import SaveOracle
import Testing

/// Lists that two arranged, every case of a few elements before the model's eyes.
@Suite struct ArrangedListTests {
    private static let rules = RuleTable([(Pattern([.name("x")]), Rule(.set))])

    private static func orders(of elements: [Int]) -> [[Int]] {
        if elements.isEmpty { return [[]] }
        return elements.flatMap { first in orders(of: elements.filter { $0 != first }).map { [first] + $0 } }
    }

    private func save(_ list: [Int], beside day: Int = 1) throws -> JSON {
        try #require(JSON(#"{"x":\#(list),"day":\#(day)}"#))
    }

    @Test(arguments: [1, 2]) func everyTwoOrdersOfFour(timeB: Int) throws {
        try expectNoFindings(Self.orders(of: [1, 2, 3, 4]), Self.orders(of: [1, 2, 3, 4]), timeB)
    }

    /// One removes and adds, the other arranges.
    @Test(arguments: [1, 2]) func everyOrderBesideWhatCameAndWent(timeB: Int) throws {
        let others = [[1, 2, 4], [4, 3, 2], [9, 1, 2, 3, 4], [4, 1, 9, 2, 3], [2, 9, 1, 8, 4]]
        try expectNoFindings(Self.orders(of: [1, 2, 3, 4]), others, timeB)
        try expectNoFindings(Self.orders(of: [1, 2, 3, 4]).map { [9] + $0 }, others, timeB)
    }

    /// One arranges, the other arranges and adds two.
    @Test(arguments: [1, 2]) func everyOrderBesideEveryOrderWithTwoMore(timeB: Int) throws {
        try expectNoFindings(
            Self.orders(of: [1, 2, 3]), Self.orders(of: [1, 2, 3, 8, 9]), timeB, base: [1, 2, 3])
    }

    private func expectNoFindings(
        _ orders: [[Int]], _ others: [[Int]], _ timeB: Int, base: [Int] = [1, 2, 3, 4]
    ) throws {
        for (one, two) in orders.flatMap({ one in others.map { (one, $0) } }) {
            let item = MergeCase(
                rules: Self.rules, base: try save(base), a: try save(one, beside: 2), b: try save(two),
                timeA: 1, timeB: timeB)
            let outcome = MergeLibrary().run([item])[0]
            #expect(item.findings(outcome).isEmpty, "\(one), \(two): \(outcome.outputs)")
        }
    }
}
