import LosslessJSON
import MergeCore

/// What the scalars at one place of a document have in common. Null values do not count.
struct ValueFacts {
    enum Class {
        case nothing, truth, number, numericText, date, text, mixed
    }

    private(set) var kind = Class.nothing
    /// Whether every number is whole and from 0 to 5, like the stars of a level.
    private(set) var isFew = true
    /// Whether a number is negative.
    private(set) var isNegative = false
    /// Whether every text that holds a number is spelled as Hearth spells a sum: digits alone.
    private(set) var isPlain = true
    /// Whether a number is above 10^15 or below -10^15; games do not count such numbers exactly.
    private(set) var isHuge = false

    /// Collects the facts from values that are no containers. O(bytes of the values).
    init(_ document: JSONDocument, _ nodes: [JSONNode]) {
        for node in nodes {
            add(document, node)
            if kind == .mixed { return }
        }
    }

    var isNumber: Bool { kind == .number || kind == .numericText }

    private mutating func add(_ document: JSONDocument, _ node: JSONNode) {
        switch document.kind(node) {
        case .null: return
        case .true, .false: merge(.truth)
        case .number:
            merge(.number)
            if let decimal = document.number(node)?.decimal { add(decimal) } else { (isHuge, isFew) = (true, false) }
        case .string:
            guard let text = document.string(node) else { return }
            if DateValue(text.bytes) != nil {
                merge(.date)
            } else if let decimal = ExactDecimal(numericString: text) {
                merge(.numericText)
                add(decimal)
                isPlain =
                    isPlain && text.bytes.allSatisfy { $0 &- 0x30 < 10 }
                    && (text.bytes.count == 1 || text.bytes[0] != 0x30)
            } else {
                merge(.text)
            }
        case .object, .array: merge(.mixed)
        }
    }

    private mutating func add(_ decimal: ExactDecimal) {
        if decimal > Self.largestSum || decimal < Self.largestSum.negated { isHuge = true }
        isNegative = isNegative || decimal < Self.zero
        isFew = isFew && decimal.int.map((0...5).contains) ?? false
    }

    private mutating func merge(_ other: Class) {
        switch (kind, other) {
        case (.nothing, _): kind = other
        case (.number, .numericText), (.numericText, .number): kind = .numericText
        case (let known, _): if known != other { kind = .mixed }
        }
    }

    private static let largestSum = ExactDecimal(text: "1e15")!
    private static let zero = ExactDecimal(0)
}
