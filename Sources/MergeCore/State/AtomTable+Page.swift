extension AtomTable {
    /// An atom, or the place of atoms: numbers of fixed size, and where its key and content lie.
    struct Record {
        var sequence: UInt64 = 0
        var keyStart: UInt32 = 0
        var contentStart: UInt32 = 0
        var hash: UInt32
        var replica: UInt32 = 0
        /// For a part: the number of its place. For a place: ``none``.
        var place: UInt32
        /// For a place: its first part. For a part: the next part of the same place. ``none`` at the end.
        var next: UInt32 = AtomTable.none
        /// The number of the atom's epoch in the ``EpochRegistry``, from 1; 0 for no epoch.
        var epoch: UInt32 = 0
        /// For a place: the number of the epoch in force there; 0 for none.
        var inForce: UInt32 = 0
        var keyCount: UInt16 = 0
        var contentCount: UInt16 = 0
        var kind: AtomKind
    }

    /// Records, and the bytes of their keys and contents.
    struct Page {
        /// Most bytes of a key or content in a page. The table keeps longer ones itself; the count of such a one is
        /// ``large``.
        static let smallLimit = 4_096
        static let large = UInt16.max

        var records: [Record] = []
        private var bytes: [UInt8] = []
        /// How many of ``bytes`` no record refers to any more.
        private var garbage = 0

        /// - Parameter former: The page before, which is full. This one will be about as large.
        init(after former: Page?, limit: Int) {
            guard let former else { return }
            records.reserveCapacity(limit)
            bytes.reserveCapacity(former.bytes.count + 64)
        }

        func key(_ record: Record) -> ArraySlice<UInt8> {
            bytes[Int(record.keyStart)..<Int(record.keyStart) + Int(record.keyCount)]
        }

        func content(_ record: Record) -> ArraySlice<UInt8> {
            bytes[Int(record.contentStart)..<Int(record.contentStart) + Int(record.contentCount)]
        }

        func holds(_ key: [UInt8], _ record: Record) -> Bool {
            guard Int(record.keyCount) == key.count else { return false }
            let start = Int(record.keyStart)
            return bytes.withUnsafeBufferPointer { stored in
                key.withUnsafeBufferPointer { given in
                    for index in given.indices where stored[start + index] != given[index] { return false }
                    return true
                }
            }
        }

        /// Adds a record with a key that is not too long.
        mutating func append(_ record: Record, key: [UInt8]) {
            var record = record
            record.keyStart = UInt32(bytes.count)
            record.keyCount = UInt16(key.count)
            bytes.append(contentsOf: key)
            records.append(record)
        }

        /// Gives a record a content that is not too long. `record` takes the place of the one at `index`.
        mutating func put(_ content: some Collection<UInt8>, _ record: Record, at index: Int) {
            var record = record
            let (count, former) = (content.count, record.contentCount == Self.large ? 0 : Int(record.contentCount))
            if count <= former {
                let start = Int(record.contentStart)
                bytes.replaceSubrange(start..<start + count, with: content)
                garbage += former - count
            } else {
                garbage += former
                record.contentStart = UInt32(bytes.count)
                bytes.append(contentsOf: content)
            }
            record.contentCount = UInt16(count)
            records[index] = record
            tidy()
        }

        /// The content of a record is kept by the table from now on.
        mutating func putLarge(_ record: Record, at index: Int) {
            var record = record
            garbage += record.contentCount == Self.large ? 0 : Int(record.contentCount)
            record.contentCount = Self.large
            records[index] = record
            tidy()
        }

        /// Writes the bytes again without those that no record refers to any more, where these are most of them.
        private mutating func tidy() {
            guard garbage > 2_048, garbage * 2 > bytes.count else { return }
            let old = bytes
            bytes = []
            bytes.reserveCapacity(old.count - garbage)
            for index in records.indices {
                var record = records[index]
                if record.keyCount != Self.large {
                    let start = Int(record.keyStart)
                    record.keyStart = UInt32(bytes.count)
                    bytes += old[start..<start + Int(record.keyCount)]
                }
                if record.contentCount != Self.large {
                    let start = Int(record.contentStart)
                    record.contentStart = UInt32(bytes.count)
                    bytes += old[start..<start + Int(record.contentCount)]
                }
                records[index] = record
            }
            garbage = 0
        }
    }
}
