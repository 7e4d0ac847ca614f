/// The running hash of all writes of one replica: FNV-1a (Fowler, Noll, Vo), 64 bits.
///
/// The hash tells two histories under one replica id apart, which happen when a record is cloned or rolled back. It is
/// no defence against forgery: members are trusted to write data.
package struct HistoryHash {
    package private(set) var value: UInt64

    package init(_ former: UInt64) {
        value = 0xcbf2_9ce4_8422_2325
        add(former)
    }

    package mutating func add(_ atom: KeyedAtom) {
        add(atom.key.path.encoded)
        add([atom.key.kind.rawValue])
        add(atom.key.sub)
        add(atom.atom.encoded)
        if let epoch = atom.atom.epoch { add(epoch.bytes) }
        add(atom.atom.dot.sequence)
    }

    mutating func add(text: [UInt8]) { add(text) }

    private mutating func add(_ bytes: [UInt8]) {
        add(UInt64(bytes.count))
        for byte in bytes { mix(byte) }
    }

    private mutating func add(_ number: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { mix(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    private mutating func mix(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
    }
}
