/// The running hash of all writes of one replica, by ``FNV1a``.
///
/// The hash distinguishes two histories under one replica id, which happen when a record is cloned or rolled back. It
/// is no defence against forgery: members are trusted to write data.
package struct HistoryHash {
    private var hash = FNV1a()

    package var value: UInt64 { hash.value }

    package init(_ former: UInt64) { add(former) }

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
        hash.add(bytes)
    }

    private mutating func add(_ number: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { hash.add(UInt8(truncatingIfNeeded: number >> shift)) }
    }
}
