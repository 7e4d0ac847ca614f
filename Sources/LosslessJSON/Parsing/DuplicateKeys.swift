/// Finds two equal keys in one object, in linear time whatever the keys are.
///
/// The keys of all open objects lie on one stack and are compared when their object closes: pairwise when they are
/// few, through a hash table when they are many, and by sorting when too many hashes collide, which only keys chosen
/// for it make happen. Keys with escapes are compared unescaped.
struct DuplicateKeys {
    private struct Mark {
        var hash: UInt32
        var entry: UInt32
    }

    /// Up to this many keys are compared pairwise.
    private static let few = 16
    /// The number of table slots that may be looked at per key, on average, before the keys are sorted instead.
    private static let patience = 16

    private var marks: [Mark] = []
    private var table: [UInt32] = []

    var count: Int { marks.count }

    /// Remembers a key whose text between the quotes is `text`.
    @inline(__always)
    mutating func append(_ base: UnsafePointer<UInt8>, text: Range<Int>, escaped: Bool, entry: Int) {
        let hash =
            escaped
            ? Self.hashUnescaped(base, text) : ByteRuns.hash(base + text.lowerBound, count: text.count)
        marks.append(Mark(hash: hash, entry: UInt32(truncatingIfNeeded: entry)))
    }

    @inline(never)
    private static func hashUnescaped(_ base: UnsafePointer<UInt8>, _ text: Range<Int>) -> UInt32 {
        unescaped(base, text).bytes.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return ByteRuns.hash(base, count: 0) }
            return ByteRuns.hash(start, count: bytes.count)
        }
    }

    private static func unescaped(_ base: UnsafePointer<UInt8>, _ text: Range<Int>) -> JSONString {
        JSONString(checked: UnsafeBufferPointer(start: base + text.lowerBound, count: text.count), escaped: true)
    }

    /// Ends the innermost object: forgets its keys, and gives the tape indices of the first two keys that are equal;
    /// nil when all differ. `outer` is the number of keys that belong to the objects around it.
    @inline(__always)
    mutating func close(
        _ base: UnsafePointer<UInt8>,
        tape: [TapeEntry],
        outer: Int
    ) -> (first: Int, second: Int)? {
        let own = marks.count &- outer
        guard own > 1 else {
            marks.removeLast(own)
            return nil
        }
        let pair = own <= Self.few ? pairwise(base, tape, from: outer) : hashed(base, tape, from: outer)
        marks.removeLast(own)
        return pair
    }

    private func pairwise(_ base: UnsafePointer<UInt8>, _ tape: [TapeEntry], from outer: Int) -> (Int, Int)? {
        marks.withUnsafeBufferPointer { marks in
            for second in outer &+ 1..<marks.count {
                let hash = marks[second].hash
                for first in outer..<second where marks[first].hash == hash {
                    let pair = (Int(marks[first].entry), Int(marks[second].entry))
                    if Self.isSame(base, tape[pair.0], tape[pair.1]) { return pair }
                }
            }
            return nil
        }
    }

    private mutating func hashed(
        _ base: UnsafePointer<UInt8>,
        _ tape: [TapeEntry],
        from outer: Int
    ) -> (Int, Int)? {
        let own = marks.count - outer
        var capacity = 64
        while capacity < own * 2 { capacity *= 2 }
        if table.count < capacity {
            table = [UInt32](repeating: 0, count: capacity)
        } else {
            for slot in 0..<capacity { table[slot] = 0 }
        }
        var probes = own * Self.patience
        let mask = capacity - 1
        for second in outer..<marks.count {
            let mark = marks[second]
            var slot = Int(truncatingIfNeeded: mark.hash) & mask
            while table[slot] != 0 {
                let first = marks[outer + Int(table[slot]) - 1]
                if first.hash == mark.hash, Self.isSame(base, tape[Int(first.entry)], tape[Int(mark.entry)]) {
                    return (Int(first.entry), Int(mark.entry))
                }
                probes -= 1
                if probes < 0 { return sorted(base, tape, from: outer) }
                slot = (slot + 1) & mask
            }
            table[slot] = UInt32(second - outer + 1)
        }
        return nil
    }

    @inline(never)
    private func sorted(_ base: UnsafePointer<UInt8>, _ tape: [TapeEntry], from outer: Int) -> (Int, Int)? {
        let keys = marks[outer...].map { (entry: Int($0.entry), key: Self.text(base, tape[Int($0.entry)])) }
            .sorted { $0.key != $1.key ? $0.key < $1.key : $0.entry < $1.entry }
        var earliest: (Int, Int)?
        for index in 1..<keys.count where keys[index - 1].key == keys[index].key {
            if earliest.map({ keys[index].entry < $0.1 }) ?? true {
                earliest = (keys[index - 1].entry, keys[index].entry)
            }
        }
        return earliest
    }

    private static func text(_ base: UnsafePointer<UInt8>, _ key: TapeEntry) -> JSONString {
        let inner = key.inner
        return JSONString(
            checked: UnsafeBufferPointer(start: base + inner.lowerBound, count: inner.count),
            escaped: key.hasEscapes
        )
    }

    @inline(__always)
    private static func isSame(_ base: UnsafePointer<UInt8>, _ left: TapeEntry, _ right: TapeEntry) -> Bool {
        if left.hasEscapes || right.hasEscapes { return text(base, left) == text(base, right) }
        let (leftText, rightText) = (left.inner, right.inner)
        return leftText.count == rightText.count
            && ByteRuns.equal(base + leftText.lowerBound, base + rightText.lowerBound, count: leftText.count)
    }
}
