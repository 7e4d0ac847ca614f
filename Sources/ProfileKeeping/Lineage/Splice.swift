/// The difference between two byte strings as one replaced stretch: what games do to a save between two moments is
/// mostly small and in one place.
package struct Splice: Hashable, Sendable {
    /// Bytes kept from the front.
    package var prefix: Int
    /// Bytes kept from the end.
    package var suffix: Int
    package var middle: [UInt8]

    package init(prefix: Int, suffix: Int, middle: [UInt8]) {
        self.prefix = prefix
        self.suffix = suffix
        self.middle = middle
    }

    /// The whole of `bytes`, whatever came before.
    package static func whole(_ bytes: [UInt8]) -> Splice { Splice(prefix: 0, suffix: 0, middle: bytes) }

    /// The smallest single replacement that turns `old` into `new`. O(n).
    package init(from old: [UInt8], to new: [UInt8]) {
        let shorter = min(old.count, new.count)
        let prefix = Bytes.commonPrefix(old, new)
        let suffix = Bytes.commonSuffix(old, new, most: shorter - prefix)
        self.init(prefix: prefix, suffix: suffix, middle: Array(new[prefix..<(new.count - suffix)]))
    }

    /// `nil` where the splice was not made from `old` (it may come from a damaged record).
    package func applied(to old: [UInt8]) -> [UInt8]? {
        guard prefix >= 0, suffix >= 0, prefix <= old.count, suffix <= old.count - prefix else { return nil }
        return old[..<prefix] + middle + old[(old.count - suffix)...]
    }
}
