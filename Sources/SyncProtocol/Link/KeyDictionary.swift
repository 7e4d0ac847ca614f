/// An atom's key in the form in which the wire carries it.
struct WireKey: Equatable {
    var path: [UInt8]
    var kind: UInt8
    /// Whether the sub is that of the dot's replica; `sub` is empty then.
    var own: Bool
    var sub: [UInt8]
}

/// The dictionary of keys of one direction of a link. Keys are numbered from 1, in the order in which they were sent in
/// full.
///
/// The keys are packed into one buffer, with one offset each and a hash index of their numbers; a key costs no array of
/// its own.
struct KeyDictionary {
    /// Each key as 1 byte kind, 2 bytes with `own` as the highest bit and the path's length in the 15 bits below, the
    /// path, and the sub.
    private var bytes: [UInt8] = []
    private var ends: [UInt32] = []
    /// Bytes of paths and subs.
    private var named = 0
    /// The hash index of the numbers: open addressing, 0 marks a free slot, at most half full. Empty until a key is
    /// first looked for.
    private var slots: [UInt32] = []
    /// Scratch buffer: the key that is being looked for or added, in its packed form.
    private var spelled: [UInt8] = []
    /// The path of the last key sent in full, numbered or not.
    var lastPath: [UInt8] = []

    private static let head = 3

    var count: Int { ends.count }

    /// The key with a number; `nil` for a number that was never given. O(size).
    func key(_ number: Int) -> WireKey? {
        guard number > 0, number <= count else { return nil }
        let range = range(number)
        let length = UInt16(bytes[range.lowerBound + 1]) << 8 | UInt16(bytes[range.lowerBound + 2])
        let path = range.lowerBound + Self.head
        let sub = path + Int(length & 0x7FFF)
        return WireKey(
            path: Array(bytes[path..<sub]), kind: bytes[range.lowerBound], own: length & 0x8000 != 0,
            sub: Array(bytes[sub..<range.upperBound])
        )
    }

    /// The number of a key; `nil` where it has none. O(size), and once O(all keys).
    mutating func number(of key: WireKey) -> Int? {
        guard count > 0, spell(key) else { return nil }
        if slots.isEmpty { index() }
        let number = slots[slot()]
        return number == 0 ? nil : Int(number)
    }

    /// Adds a key that was sent in full. It gets the next number, where the dictionary has room.
    mutating func add(_ key: WireKey) {
        let size = key.path.count + key.sub.count
        guard count < Limits.keyNames, named + size <= Limits.keyNameBytes, spell(key) else { return }
        named += size
        bytes += spelled
        ends.append(UInt32(bytes.count))
        guard !slots.isEmpty else { return }
        if 2 * count > slots.count { index() } else { slots[slot()] = UInt32(count) }
    }

    // MARK: Parts

    private func range(_ number: Int) -> Range<Int> {
        (number == 1 ? 0 : Int(ends[number - 2]))..<Int(ends[number - 1])
    }

    /// Writes a key into ``spelled``. Returns `false` where the key is too long to have a number.
    private mutating func spell(_ key: WireKey) -> Bool {
        guard key.path.count + key.sub.count <= Limits.keyName else { return false }
        let length = UInt16(key.path.count) | (key.own ? 0x8000 : 0)
        spelled.removeAll(keepingCapacity: true)
        spelled.append(key.kind)
        spelled.append(UInt8(length >> 8))
        spelled.append(UInt8(length & 0xFF))
        spelled += key.path
        spelled += key.sub
        return true
    }

    /// The slot of the key in ``spelled``, or the free slot where it would go.
    private func slot() -> Int {
        var slot = Self.hash(spelled[...]) & (slots.count - 1)
        while slots[slot] != 0, !bytes[range(Int(slots[slot]))].elementsEqual(spelled) {
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }

    /// Builds the index again, large enough for all keys.
    private mutating func index() {
        var size = 64
        while size <= 2 * count { size *= 2 }
        slots = [UInt32](repeating: 0, count: size)
        for number in 1...count {
            var slot = Self.hash(bytes[range(number)]) & (size - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = UInt32(number)
        }
    }

    /// The hash of a packed key. Every process uses another seed, so that a peer cannot prepare keys that collide. No
    /// number depends on it.
    private static func hash(_ bytes: ArraySlice<UInt8>) -> Int {
        var hasher = Hasher()
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}

/// The key dictionaries of both directions of a link. Either side may use the numbers of both.
struct LinkKeys {
    /// The keys that this side sent in full.
    var sent = KeyDictionary()
    /// The keys that the peer sent in full.
    var known = KeyDictionary()

    /// The number by which to name a key to the peer; 0 where the key has to be sent in full.
    mutating func refer(to key: WireKey) -> UInt32 {
        if let number = sent.number(of: key) { return UInt32(2 * number - 1) }
        if let number = known.number(of: key) { return UInt32(2 * number) }
        return 0
    }

    /// The key that the peer means by a number. Not to be called with 0.
    func resolve(_ number: UInt32) throws(ProtocolFault) -> WireKey {
        let index = Int(number / 2) + Int(number % 2)
        guard let key = number % 2 == 1 ? known.key(index) : sent.key(index) else {
            throw ProtocolFault("key number \(number) was never given on this link")
        }
        return key
    }
}
