/// Writes the numbers and bytes of a compact form.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func add(_ byte: UInt8) { bytes.append(byte) }

    mutating func add(_ other: some Collection<UInt8>) { bytes.append(contentsOf: other) }

    /// Base 128, least significant first (LEB128).
    mutating func add(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func add(varint value: Int) { add(varint: UInt64(value)) }

    /// Writes the difference to a former number as a zigzag varint: small in either direction means few bytes. Wraps
    /// around.
    mutating func add(_ value: UInt64, since former: UInt64) {
        let difference = Int64(bitPattern: value &- former)
        add(varint: UInt64(bitPattern: (difference << 1) ^ (difference >> 63)))
    }

    /// Bytes with their count before them.
    mutating func add(counted other: [UInt8]) {
        add(varint: other.count)
        bytes += other
    }
}

/// Reads what ``ByteWriter`` wrote; `nil` wherever the bytes end too soon or a number is too large.
struct ByteReader {
    private let bytes: [UInt8]
    private var position: Int
    private let end: Int

    init(_ bytes: [UInt8]) { self.init(bytes, 0, bytes.count) }

    private init(_ bytes: [UInt8], _ position: Int, _ end: Int) {
        self.bytes = bytes
        self.position = position
        self.end = end
    }

    var isAtEnd: Bool { position == end }
    var remaining: Int { end - position }

    mutating func byte() -> UInt8? {
        guard position < end else { return nil }
        position += 1
        return bytes[position - 1]
    }

    mutating func varint() -> UInt64? {
        var result: UInt64 = 0
        var shift: UInt64 = 0
        while position < end, shift < 64 {
            let byte = bytes[position]
            position += 1
            if shift == 63, byte > 1 { return nil }
            result |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return result }
            shift += 7
        }
        return nil
    }

    /// Reads a count of things that are still to be read; `nil` when it is more than the bytes that are left.
    mutating func count() -> Int? { varint().flatMap { Int(exactly: $0) }.flatMap { $0 <= remaining ? $0 : nil } }

    mutating func number(since former: UInt64) -> UInt64? {
        varint().map { former &+ UInt64(bitPattern: Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1)) }
    }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= remaining else { return nil }
        position += count
        return bytes[position - count..<position]
    }

    /// Reads a count of bytes, and these bytes.
    mutating func counted() -> ArraySlice<UInt8>? { count().flatMap { take($0) } }

    /// Reads a count, and as many items of a size.
    mutating func list<Item>(_ size: Int, _ make: (ArraySlice<UInt8>) -> Item?) -> [Item]? {
        guard let count = count(), count <= remaining / size else { return nil }
        var items: [Item] = []
        items.reserveCapacity(count)
        for _ in 0..<count {
            guard let item = take(size).flatMap(make) else { return nil }
            items.append(item)
        }
        return items
    }

    /// Reads a count of bytes, and gives a reader over these bytes.
    mutating func run() -> ByteReader? {
        guard let count = count() else { return nil }
        position += count
        return ByteReader(bytes, position - count, position)
    }
}
