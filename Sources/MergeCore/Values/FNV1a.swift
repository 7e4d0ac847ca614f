/// The hash FNV-1a (Fowler, Noll, Vo) over bytes, 64 bits. It is the same on every machine and in every version, so it
/// may be stored and sent.
///
/// Different bytes rarely have the same hash by chance. It is no defence against a person who looks for two byte
/// strings with one hash.
package struct FNV1a: Hashable, Sendable {
    /// The hash of the bytes that were added; of none, the offset basis.
    package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    package init() {}

    package init(_ bytes: some Sequence<UInt8>) { add(bytes) }

    package mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }

    package mutating func add(_ bytes: some Sequence<UInt8>) {
        // Most bytes lie in an array. Read where they lie they cost a twentieth of what a sequence of any kind does.
        var hash = self
        let isDone: Void? = bytes.withContiguousStorageIfAvailable { for byte in $0 { hash.add(byte) } }
        guard isDone == nil else { return self = hash }
        for byte in bytes { add(byte) }
    }
}
