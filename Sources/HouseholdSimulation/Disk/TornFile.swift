/// The contents that a power cut may leave of a file with unsynced writes.
struct TornFile: RandomAccessCollection, Sendable {
    private enum Way: Sendable {
        case whole
        /// The file has its new length, and zeros from this byte on.
        case zeros(from: Int)
        /// The first writes are complete, and of the next one some bytes are there.
        case torn(writes: Int, bytes: Int)
        /// Each block is new, zero or old: one digit in base three for each block.
        case blocks(Int)
        case durable
    }

    let file: MemoryDisk.File
    private let ways: [Way]

    static let blockSize = 512

    /// The first element is everything that was written, the second zeros in the new length, the last the durable
    /// content.
    init(_ file: MemoryDisk.File) {
        self.file = file
        var ways = [Way.whole, .zeros(from: 0)]
        ways += Self.cuts(file.bytes.count).map { .zeros(from: $0) }
        for (index, write) in file.writes.enumerated() {
            if case .put(let bytes, _) = write {
                ways += Self.cuts(bytes.count).map { .torn(writes: index, bytes: $0) }
            }
            if index > 0 { ways.append(.torn(writes: index, bytes: 0)) }
        }
        let blocks = (file.bytes.count + Self.blockSize - 1) / Self.blockSize
        if 2...4 ~= blocks { ways += (0..<[9, 27, 81][blocks - 2]).map { .blocks($0) } }
        self.ways = ways + [.durable]
    }

    var startIndex: Int { 0 }
    var endIndex: Int { ways.count }

    subscript(index: Int) -> [UInt8] {
        switch ways[index] {
        case .whole: file.bytes
        case .zeros(let start): file.bytes[..<start] + [UInt8](repeating: 0, count: file.bytes.count - start)
        case .torn(let count, let bytes): torn(count, bytes)
        case .blocks(let digits): blocks(digits)
        case .durable: file.durable
        }
    }

    private func torn(_ count: Int, _ rest: Int) -> [UInt8] {
        let before = file.writes[..<count].reduce(file.durable) { $1.applied(to: $0) }
        guard case .put(let bytes, let offset) = file.writes[count], rest > 0 else { return before }
        return MemoryDisk.Write.put(Array(bytes[..<rest]), at: offset).applied(to: before)
    }

    private func blocks(_ digits: Int) -> [UInt8] {
        var (digits, bytes) = (digits, [UInt8]())
        while bytes.count < file.bytes.count {
            let range = bytes.count..<Swift.min(file.bytes.count, bytes.count + Self.blockSize)
            let zeros = [UInt8](repeating: 0, count: range.count)
            switch digits % 3 {
            case 0: bytes += file.bytes[range]
            case 1: bytes += zeros
            default: bytes += (file.durable.dropFirst(range.lowerBound) + zeros).prefix(range.count)
            }
            digits /= 3
        }
        return bytes
    }

    /// The byte counts after which a write may be cut: every one in a small write; in a large one those at and next to
    /// the block borders.
    private static func cuts(_ count: Int) -> [Int] {
        guard count > blockSize else { return count > 1 ? Array(1..<count) : [] }
        return stride(from: blockSize, to: count, by: blockSize).flatMap { [$0 - 1, $0, $0 + 1] }.filter { $0 < count }
    }
}
