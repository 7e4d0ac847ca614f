/// Bytes to be signed or hashed: a list of fields, each preceded by its length as 4 bytes (most significant first), so
/// that two different lists never give the same bytes.
struct CanonicalBytes {
    private(set) var bytes: [UInt8] = []

    init(label: String) { add(Array(label.utf8)) }

    init() {}

    mutating func add(_ field: [UInt8]) {
        precondition(field.count <= 1 << 24, "a field of \(field.count) bytes is no field of a signed text")
        bytes += Self.length(of: field)
        bytes += field
    }

    /// The 4 bytes before a field.
    static func length(of field: [UInt8]) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: field.count >> $0) }
    }

    mutating func add(_ number: UInt64) {
        add((0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) })
    }
}
