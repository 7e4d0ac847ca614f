/// The difference between two snapshots of a file: the bytes that both begin with, those that both end with, and the
/// part between.
///
/// A game mostly changes little between two saves, but rarely in one place: it changes a score near the front and a
/// time near the end. So the part between is stored as the new bytes or, if that is shorter, as steps through the old
/// snapshot's bytes (see ``ByteDiffSteps``).
package struct ByteDiff: Hashable, Sendable {
    /// The number of bytes kept from the front. If ``middle`` holds steps, it is the bitwise complement of that number,
    /// so negative.
    package var prefix: Int
    /// The number of bytes kept from the end.
    package var suffix: Int
    /// The bytes between, or the steps that make them.
    package var middle: [UInt8]

    package init(prefix: Int, suffix: Int, middle: [UInt8]) {
        self.prefix = prefix
        self.suffix = suffix
        self.middle = middle
    }

    /// A byte diff that gives `bytes` whatever the old snapshot is.
    package static func whole(_ bytes: [UInt8]) -> ByteDiff { ByteDiff(prefix: 0, suffix: 0, middle: bytes) }

    /// Makes the difference from `old` to `new`. O(n), and little more than a comparison where few places differ.
    package init(from old: [UInt8], to new: [UInt8]) {
        let shorter = min(old.count, new.count)
        let prefix = Bytes.commonPrefix(old, new)
        let suffix = Bytes.commonSuffix(old, new, most: shorter - prefix)
        let between = prefix..<(new.count - suffix)
        if let steps = ByteDiffSteps.encoded(from: old[prefix..<(old.count - suffix)], to: new[between]) {
            self.init(prefix: ~prefix, suffix: suffix, middle: steps)
        } else {
            self.init(prefix: prefix, suffix: suffix, middle: Array(new[between]))
        }
    }

    /// The new snapshot; `nil` where the byte diff does not fit `old` (it may come from a damaged record).
    package func applied(to old: [UInt8]) -> [UInt8]? {
        var bytes = old
        return apply(to: &bytes) ? bytes : nil
    }

    /// Turns the old snapshot into the new one in place, without a copy of the bytes that stay. Where the byte diff
    /// does not fit the bytes, returns false and changes nothing.
    package func apply(to bytes: inout [UInt8]) -> Bool {
        let kept = prefix < 0 ? ~prefix : prefix
        guard suffix >= 0, kept <= bytes.count, suffix <= bytes.count - kept else { return false }
        let between = kept..<(bytes.count - suffix)
        guard prefix < 0 else {
            bytes.replaceSubrange(between, with: middle)
            return true
        }
        guard let steps = ByteDiffSteps.parsed(middle, room: between.count) else { return false }
        if steps.allSatisfy({ $0.dropped == $0.added.count }) {
            for step in steps {
                let place = kept + step.place
                bytes.replaceSubrange(place..<(place + step.dropped), with: middle[step.added])
            }
        } else {
            bytes.replaceSubrange(between, with: ByteDiffSteps.joined(steps, middle, bytes[between]))
        }
        return true
    }
}
