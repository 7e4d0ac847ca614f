/// The columns of a stored state, see ``ProfileState/encoded``.
struct StateColumns {
    private var keys = ByteWriter()
    private var places = ByteWriter()
    private var dots = ByteWriter()
    private var stamps = ByteWriter()
    private var counts = ByteWriter()
    private var contents = ByteWriter()
    private var lastKey: [UInt8] = []
    private var lastSequence: UInt64 = 0
    private var lastStamp: UInt64 = 0

    var all: [[UInt8]] {
        [keys.bytes, places.bytes, dots.bytes, stamps.bytes, counts.bytes, contents.bytes]
    }

    /// Adds one record to the columns.
    ///
    /// - Parameter label: The version to put into the keys of places. `none` where the table's paths name it already.
    mutating func add(_ table: AtomTable, _ number: Int, of label: VersionLabel) {
        let record = table[number]
        var key = table.keyBytes(number)
        if label != .none, record.place == AtomTable.none {
            key = DocumentPath(encoded: Array(key)).of(label).encoded[...]
        }
        let shared = zip(lastKey, key).prefix { $0 == $1 }.count
        keys.add(varint: shared)
        keys.add(varint: key.count - shared)
        keys.add(key.dropFirst(shared))
        lastKey.removeSubrange(shared...)
        lastKey += key.dropFirst(shared)
        if record.place == AtomTable.none {
            places.add(0)
            places.add(record.kind.rawValue)
        } else {
            places.add(varint: UInt64(record.place) + 1)
        }
        guard record.sequence > 0 else { return dots.add(0) }
        dots.add(varint: UInt64(record.replica) + 1)
        dots.add(record.sequence, since: lastSequence)
        dots.add(varint: UInt64(record.epoch))
        lastSequence = record.sequence
        var content = table.content(number)
        if AtomForm(record.kind, isPart: record.place != AtomTable.none).beginsWithInteger, content.count >= 8 {
            let stamp = content.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
            stamps.add(stamp, since: lastStamp)
            lastStamp = stamp
            content = content.dropFirst(8)
        }
        counts.add(varint: content.count)
        contents.add(content)
    }

    /// One record as it was read.
    struct Record {
        var place: Int?
        var kind: AtomKind
        /// 0 where the record has no atom.
        var sequence: UInt64 = 0
        var replica = 0
        var epoch = 0
    }

    /// Reads the columns in step.
    struct Reader {
        private var keys: ByteReader
        private var places: ByteReader
        private var dots: ByteReader
        private var stamps: ByteReader
        private var counts: ByteReader
        private var contents: ByteReader
        private var lastSequence: UInt64 = 0
        private var lastStamp: UInt64 = 0
        /// The key of the record read last.
        private(set) var key: [UInt8] = []
        /// The content of the last record that had an atom.
        private(set) var content: [UInt8] = []

        init?(_ reader: inout ByteReader) {
            guard let keys = reader.run(), let places = reader.run(), let dots = reader.run(),
                let stamps = reader.run(),
                let counts = reader.run(), let contents = reader.run()
            else { return nil }
            (self.keys, self.places, self.dots, self.stamps) = (keys, places, dots, stamps)
            (self.counts, self.contents) = (counts, contents)
        }

        /// Reads the next record; `nil` where the columns are damaged.
        ///
        /// - Parameter kindOf: The kind of a record that was read before, by number.
        mutating func next(kindOf: (Int) -> AtomKind?) -> Record? {
            guard let shared = keys.varint(), shared <= UInt64(key.count), let rest = keys.count(),
                let bytes = keys.take(rest), let place = places.varint()
            else { return nil }
            key.removeSubrange(Int(shared)...)
            key += bytes
            var record: Record
            if place == 0 {
                guard let kind = places.byte() else { return nil }
                record = Record(place: nil, kind: AtomKind(rawValue: kind))
            } else {
                guard let number = Int(exactly: place - 1), let kind = kindOf(number) else { return nil }
                record = Record(place: number, kind: kind)
            }
            guard let replica = dots.varint().flatMap({ Int(exactly: $0) }) else { return nil }
            guard replica > 0 else { return record }
            guard let sequence = dots.number(since: lastSequence), sequence > 0,
                let epoch = dots.varint().flatMap({ Int(exactly: $0) })
            else { return nil }
            lastSequence = sequence
            (record.replica, record.sequence, record.epoch) = (replica - 1, sequence, epoch)
            content.removeAll(keepingCapacity: true)
            if AtomForm(record.kind, isPart: record.place != nil).beginsWithInteger {
                guard let stamp = stamps.number(since: lastStamp) else { return nil }
                lastStamp = stamp
                for shift in 0..<8 { content.append(UInt8(truncatingIfNeeded: stamp >> (56 - 8 * UInt64(shift)))) }
            }
            guard let count = counts.varint().flatMap({ Int(exactly: $0) }), let bytes = contents.take(count) else {
                return nil
            }
            content += bytes
            return record
        }

        var isAtEnd: Bool {
            keys.isAtEnd && places.isAtEnd && dots.isAtEnd && stamps.isAtEnd && counts.isAtEnd && contents.isAtEnd
        }
    }
}

extension AtomForm {
    /// Whether the content begins with a number of 8 bytes: a stamp or a causal length.
    var beginsWithInteger: Bool { self == .register || self == .membership || self == .candidate || self == .position }
}
