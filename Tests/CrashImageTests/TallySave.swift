import LosslessJSON
import MergeCore

/// A save from which can be read what was counted, and what was counted twice: every play has a bit of its own, which
/// it adds to one counter and takes from another, and where the save is logged an entry in a list.
struct TallySave: Hashable {
    enum Kind: Hashable, Sendable {
        /// Counters alone: a save that went back looks like one that spent.
        case plain
        /// With a list and a level that only grow.
        case logged
        /// The same, of some kilobytes.
        case large
    }

    var kind: Kind
    var plays: UInt32

    private static let coins = 1 << 20
    private static let keys = 2 << 20
    /// Numbered, so that no stretch of it passes for another.
    private static let map = (0..<250).map { "m\($0) " }.joined()

    init(_ kind: Kind, plays: UInt32 = 0) { (self.kind, self.plays) = (kind, plays) }

    static func rules(_ kind: Kind) throws -> RuleSet {
        var entries = [
            RuleSet.Entry(try RulePattern(parsing: "/coins"), MergeRule(.counter)),
            RuleSet.Entry(try RulePattern(parsing: "/keys"), MergeRule(.counter)),
        ]
        if kind != .plain {
            entries.append(RuleSet.Entry(try RulePattern(parsing: "/level"), MergeRule(.max)))
            entries.append(RuleSet.Entry(try RulePattern(parsing: "/log"), MergeRule(.union)))
        }
        return try RuleSet(entries)
    }

    /// As the game writes it.
    var bytes: [UInt8] {
        var text = "{\"name\": \"Ada\", \"coins\": \(Self.coins + Int(plays))"
        if kind != .plain {
            text += ", \"level\": \(level), \"log\": [\(log.map { "\"\($0)\"" }.joined(separator: ", "))]"
        }
        if kind == .large { text += ", \"map\": \"\(Self.map)\"" }
        return Array((text + ", \"keys\": \(Self.keys - Int(plays))}\n").utf8)
    }

    /// `nil` for what is no save, or a mixture of several.
    init?(_ bytes: [UInt8], _ kind: Kind) {
        guard let value = try? JSONValue(parsing: bytes), let coins = Self.number(value["coins"]),
            let keys = Self.number(value["keys"]), coins - Self.coins == Self.keys - keys,
            let plays = UInt32(exactly: coins - Self.coins),
            kind != .large || value["map"] == .string(JSONString(Self.map))
        else { return nil }
        self.init(kind, plays: plays)
        guard kind != .plain else { return }
        guard case .array(let entries)? = value["log"], Self.number(value["level"]) == level else { return nil }
        let names = entries.compactMap { entry -> String? in
            if case .string(let name) = entry { "\(name)" } else { nil }
        }
        guard names.count == log.count, Set(names) == Set(log) else { return nil }
    }

    /// A document whatever the order in its lists, which is presentation; `nil` for what is none.
    static func shape(_ bytes: [UInt8]?) -> [UInt8]? {
        func sorted(_ value: JSONValue) -> JSONValue {
            switch value {
            case .array(let elements):
                .array(elements.map(sorted).sorted { $0.canonicalBytes.lexicographicallyPrecedes($1.canonicalBytes) })
            case .object(let members): .object(members.map { .init(key: $0.key, value: sorted($0.value)) })
            default: value
            }
        }
        return bytes.flatMap { try? JSONValue(parsing: $0) }.map { sorted($0).canonicalBytes }
    }

    static func isBroken(_ bytes: [UInt8]) -> Bool { (try? JSONDocument(parsing: bytes)) == nil }

    /// To be read by people.
    static func text(_ bytes: [UInt8]?) -> String {
        guard let bytes else { return "nothing" }
        return String(decoding: bytes.prefix(160).filter { $0 != 10 }.map { $0 == 0 ? 48 : $0 }, as: UTF8.self)
    }

    static func bits(_ plays: UInt32) -> [Int] { (0..<32).filter { plays >> UInt32($0) & 1 == 1 } }

    private var level: Int { 1 + (32 - plays.leadingZeroBitCount) }

    private var log: [String] { ["new"] + (0..<20).filter { plays >> UInt32($0) & 1 == 1 }.map { "p\($0)" } }

    private static func number(_ value: JSONValue?) -> Int? {
        if case .number(let number)? = value { Int(number.text) } else { nil }
    }
}
