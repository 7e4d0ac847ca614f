/// The versions of a save in the order in which the rule file lists them, the oldest first.
///
/// Only the list gives the order: "1.10" may be before or after "1.9", and "winter" anywhere.
public struct VersionOrder: Hashable, Sendable {
    /// The versions, the oldest first; each one once.
    public let versions: [String]

    /// The versions that the rules know: those of their migrations, or only their own. O(migrations).
    public init(_ rules: RuleSet) {
        if let first = rules.migrations.first?.from {
            versions = [first] + rules.migrations.map(\.to)
        } else {
            versions = rules.version.map { [$0] } ?? []
        }
    }

    /// The index of a version in the list, from 0; `nil` if it is not listed. Compared byte by byte.
    public func index(of version: String) -> Int? {
        versions.firstIndex { $0.utf8.elementsEqual(version.utf8) }
    }

    /// Whether a version that is not listed is later than all listed ones, as far as its numbers show.
    ///
    /// Versions are compared by their leading numbers, one after the other, so that 1.10 is later than 1.9. A save of a
    /// later version must not be taken for a legacy one and be rewritten. So a version counts as newer if its numbers
    /// are larger.
    func isBeyond(_ version: String) -> Bool {
        let known = versions.compactMap(Self.numbers)
        guard let numbers = Self.numbers(version), !known.isEmpty else { return false }
        return known.allSatisfy { Self.precedes($0, numbers) }
    }

    /// The leading numbers of a version: `v1.2.3-beta` gives the digits of 1, 2 and 3, without zeros in front. `nil`
    /// where the version does not begin with a number.
    private static func numbers(_ version: String) -> [[UInt8]]? {
        var text = Array(version.utf8)[...]
        if text.first == UInt8(ascii: "v") || text.first == UInt8(ascii: "V") { text.removeFirst() }
        var result: [[UInt8]] = []
        while true {
            let digits = text.prefix { $0 &- 0x30 < 10 }
            guard !digits.isEmpty else { break }
            result.append(Array(digits.drop { $0 == 0x30 }))
            text = text[digits.endIndex...]
            guard text.first == UInt8(ascii: ".") else { break }
            text.removeFirst()
        }
        // 1.2 and 1.2.0 are the same version.
        while result.count > 1, result.last == [] { result.removeLast() }
        return result.isEmpty ? nil : result
    }

    private static func precedes(_ a: [[UInt8]], _ b: [[UInt8]]) -> Bool {
        for (x, y) in zip(a, b) where x != y {
            return x.count != y.count ? x.count < y.count : x.lexicographicallyPrecedes(y)
        }
        return a.count < b.count
    }
}
