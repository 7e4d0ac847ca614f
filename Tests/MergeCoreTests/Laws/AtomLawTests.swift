import LosslessJSON
import MergeCore
import Testing

/// Every triple of a small stock of atoms, for every kind: the join picks, and picks the same whatever the order.
@Suite struct AtomLawTests {
    struct Stock: Sendable, CustomTestStringConvertible {
        let name: String
        let kind: AtomKind
        let contents: [AtomContent]

        var testDescription: String { name }

        init(_ name: String, _ kind: AtomKind, _ contents: [AtomContent]) {
            (self.name, self.kind, self.contents) = (name, kind, contents)
        }
    }

    static let scalars: [JSONValue] = [1, 2, -3, "1", "b", false, true, .null, [1]]
    static let dates: [JSONValue] = [
        "2024-01-01", "2024-01-01 00:00:00 +0000", "2024-01-01T01:00:00+0100", "2023-12-31T23:59:59.9Z", "no date", 7,
    ]
    static let stamps: [Stamp] = [.adopted(milliseconds: 9), .live(milliseconds: 1), Stamp(rawValue: .max)]

    static let stocks: [Stock] = [
        Stock("latest", .latest, stamps.flatMap { [.register($0, 1), .register($0, 2), .register($0, nil)] }),
        Stock("max", .max, scalars.map { .extremum($0) } + [.extremum(json("1.0"))]),
        Stock("min", .min, scalars.map { .extremum($0) } + [.extremum(json("1.0"))]),
        Stock("max as number", MergeRule(.max, as: .number).kind!, scalars.map { .extremum($0) } + [.extremum("1e0")]),
        Stock("min as number", MergeRule(.min, as: .number).kind!, scalars.map { .extremum($0) } + [.extremum("1e0")]),
        Stock("max as date", MergeRule(.max, as: .date).kind!, dates.map { .extremum($0) }),
        Stock("min as date", MergeRule(.min, as: .date).kind!, dates.map { .extremum($0) }),
        Stock(
            "tally", .counter,
            [(0, 0), (1, 0), (0, 1), (5, 2), (5, 3)].map { .tally(earned: .init($0), spent: .init($1)) }),
        Stock(
            "baseline", .counter,
            [-5, 0, 1, 100].map { .baseline(ExactDecimal($0)) } + [.baseline(.init(text: "1e40")!)]),
        Stock("union", .union, [.member(1), .member(json("1.0")), .member(json("10e-1"))]),
        Stock(
            "set", .set, [0, 1, 2, 3, .max].map { .membership(length: $0, 1) } + [.membership(length: 3, json("1.0"))]),
        Stock("element", .element, [0, 1, 2, .max - 1, .max].map { .membership(length: $0, "id") }),
        Stock("flag", .flag, [.flag(false), .flag(true)]),
        Stock("rules", .rules, stamps.flatMap { [.register($0, [:]), .register($0, ["set": 1]), .register($0, nil)] }),
        Stock(
            "whole", .latest, stamps.map { .register($0, ["x": 1, "y": [1, 2]]) } + stamps.map { .register($0, []) }),
        Stock("unknown", AtomKind(rawValue: 0x1F), [.opaque([]), .opaque([1]), .opaque([0, 2])]),
        Stock(
            "mixed up", .latest,
            [.flag(true), .opaque([1]), .extremum(1), .member(1), .register(stamps[1], 1), .baseline(.zero)]),
    ]

    @Test(arguments: stocks) func joinObeysTheLaws(of stock: Stock) {
        let dots = [dot(1, 2), dot(2, 1)]
        // Every content under every dot: forged ones, several under one dot, included.
        let atoms = stock.contents.flatMap { content in dots.map { Atom(content, $0) } }
        func join(_ a: Atom, _ b: Atom) -> Atom { a.joined(with: b, kind: stock.kind) }
        for a in atoms {
            guard join(a, a) == a else { return fail(stock, "idempotent", [a]) }
            for b in atoms {
                let ab = join(a, b)
                guard ab == join(b, a) else { return fail(stock, "commutative", [a, b]) }
                guard ab == a || ab == b else { return fail(stock, "selective", [a, b]) }
                for c in atoms where join(ab, c) != join(a, join(b, c)) {
                    return fail(stock, "associative", [a, b, c])
                }
            }
        }
    }

    private func fail(_ stock: Stock, _ law: String, _ atoms: [Atom]) {
        Issue.record("the join of \(stock.name) is not \(law): \(atoms)")
    }

    /// The encoded form reads back as the same atom.
    @Test(arguments: stocks.filter { $0.name != "mixed up" }) func encodingRoundTrips(of stock: Stock) throws {
        for content in stock.contents {
            let sub: [UInt8] =
                switch content {
                case .tally: replica(1).bytes
                case .member(let value), .membership(_, let value): value.canonicalBytes
                default: []
                }
            let path =
                stock.kind == .element ? DocumentPath([.member("inv"), .element(sub)]) : DocumentPath([.member("x")])
            let key = AtomKey(path, stock.kind, sub: stock.kind == .element ? [] : sub)
            #expect(try AtomContent(encoded: content.encoded, key: key) == content)
        }
    }
}
