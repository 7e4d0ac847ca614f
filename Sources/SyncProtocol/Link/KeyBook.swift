/// An atom's key as the wire spells it.
struct WireKey: Equatable {
    var path: [UInt8]
    var kind: UInt8
    /// Whether the sub is that of the dot's replica; `sub` is empty then.
    var own: Bool
    var sub: [UInt8]
}

/// Keys in the order they were numbered, packed one behind the other: no array a key.
struct KeyPages {
    /// Each key: kind; length of the path in 15 bits, below one bit for `own`; path; sub.
    private(set) var bytes: [UInt8] = []
    private var ends: [UInt32] = []
    /// Bytes of paths and subs.
    private var named = 0

    private static let head = 3

    var count: Int { ends.count }

    /// Where a key lies.
    func range(_ number: Int) -> Range<Int> { (number == 1 ? 0 : Int(ends[number - 2]))..<Int(ends[number - 1]) }

    /// Puts a key behind the others, without a number yet; `nil` where it may have none.
    mutating func append(_ key: WireKey) -> Range<Int>? {
        let size = key.path.count + key.sub.count
        guard count < Limits.keyNames, size <= Limits.keyName, named + size <= Limits.keyNameBytes else { return nil }
        let start = bytes.count
        let length = UInt16(key.path.count) | (key.own ? 0x8000 : 0)
        bytes.append(key.kind)
        bytes.append(UInt8(length >> 8))
        bytes.append(UInt8(length & 0xFF))
        bytes += key.path
        bytes += key.sub
        return start..<bytes.count
    }

    /// Gives the key appended last the next number.
    mutating func keep() {
        let start = ends.last.map { Int($0) } ?? 0
        named += bytes.count - start - Self.head
        ends.append(UInt32(bytes.count))
    }

    /// Takes the key appended last away.
    mutating func drop() {
        bytes.removeLast(bytes.count - (ends.last.map { Int($0) } ?? 0))
    }

    func key(_ number: Int) -> WireKey {
        let range = range(number)
        let length = UInt16(bytes[range.lowerBound + 1]) << 8 | UInt16(bytes[range.lowerBound + 2])
        let path = range.lowerBound + Self.head
        let sub = path + Int(length & 0x7FFF)
        return WireKey(
            path: Array(bytes[path..<sub]), kind: bytes[range.lowerBound], own: length & 0x8000 != 0,
            sub: Array(bytes[sub..<range.upperBound])
        )
    }
}

/// The dictionary of keys at the side that sends.
struct SentKeys {
    private var pages = KeyPages()
    /// Numbers by hash, open addressing, 0 for free; at most half full.
    private var slots: [UInt32] = []
    /// The path of the last key sent in full.
    var lastPath: [UInt8] = []

    /// The number of a key; 0 where it has to be sent in full, and takes the next number if there is room. O(1).
    mutating func number(_ key: WireKey) -> UInt32 {
        guard let new = pages.append(key) else { return find(key) }
        if 2 * (pages.count + 1) > slots.count { grow() }
        let slot = self.slot(new)
        if slots[slot] != 0 {
            pages.drop()
            return slots[slot]
        }
        pages.keep()
        slots[slot] = UInt32(pages.count)
        return 0
    }

    /// A full dictionary still knows what it holds.
    private func find(_ key: WireKey) -> UInt32 {
        guard !slots.isEmpty, key.path.count + key.sub.count <= Limits.keyName else { return 0 }
        var alone = KeyPages()
        guard let range = alone.append(key) else { return 0 }
        return slots[slot(range, in: alone.bytes)]
    }

    private func slot(_ range: Range<Int>) -> Int { slot(range, in: pages.bytes) }

    /// Where a key is or would be. The hash is seeded anew in every process, so that nobody can prepare keys that meet;
    /// it decides no number.
    private func slot(_ range: Range<Int>, in bytes: [UInt8]) -> Int {
        var hasher = Hasher()
        bytes.withUnsafeBytes { hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: $0[range])) }
        var slot = hasher.finalize() & (slots.count - 1)
        while slots[slot] != 0, !pages.bytes[pages.range(Int(slots[slot]))].elementsEqual(bytes[range]) {
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }

    private mutating func grow() {
        slots = [UInt32](repeating: 0, count: max(64, 2 * slots.count))
        for number in 0..<pages.count { slots[slot(pages.range(number + 1))] = UInt32(number + 1) }
    }
}

/// The dictionary of keys at the side that receives.
struct KnownKeys {
    private var pages = KeyPages()
    /// The path of the last key that came in full.
    var lastPath: [UInt8] = []

    /// `nil` for a number that was never given. O(size).
    func key(_ number: UInt32) -> WireKey? {
        number > 0 && number <= pages.count ? pages.key(Int(number)) : nil
    }

    /// Takes a key that came in full.
    mutating func add(_ key: WireKey) {
        if pages.append(key) != nil { pages.keep() }
    }
}
