/// A dictionary in many small parts, so that a change beside a copy of it costs one part and not everything.
///
/// A profile is changed in a copy that takes the former's place once the change is durable. With one dictionary, every
/// save would copy a hundred thousand entries for the sake of one.
struct SplitMap<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// Entries a part has on average, at most.
    private static var partLimit: Int { 256 }

    /// A power of two of them.
    private var parts: [[Key: Value]] = [[:]]
    private var bits = 0
    private(set) var count = 0

    /// Every key, in no particular order.
    var keys: some Sequence<Key> { parts.lazy.flatMap { $0.keys } }

    /// Every entry, in no particular order.
    var entries: some Sequence<(key: Key, value: Value)> { parts.lazy.flatMap { $0 } }

    subscript(key: Key) -> Value? {
        get { parts[index(key)][key] }
        set {
            let index = index(key)
            guard let newValue else {
                if parts[index].removeValue(forKey: key) != nil { count -= 1 }
                return
            }
            guard parts[index].updateValue(newValue, forKey: key) == nil else { return }
            count += 1
            if count > Self.partLimit << bits { split(into: bits + 2) }
        }
    }

    /// Makes room for entries to come.
    mutating func reserveCapacity(_ capacity: Int) {
        var bits = bits
        while capacity > Self.partLimit << bits { bits += 2 }
        if bits > self.bits { split(into: bits) }
    }

    private mutating func split(into bits: Int) {
        let former = parts
        self.bits = bits
        parts = Array(repeating: [:], count: 1 << bits)
        for part in former {
            for (key, value) in part { parts[index(key)][key] = value }
        }
    }

    private func index(_ key: Key) -> Int {
        // The upper bits; with no bits to take, the shift leaves none.
        Int(UInt(bitPattern: key.hashValue) >> UInt(UInt.bitWidth - bits))
    }
}
