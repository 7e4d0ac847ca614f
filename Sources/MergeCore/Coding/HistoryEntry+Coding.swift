import LosslessJSON

/// The changes of an entry as bytes, for the record.
///
/// Integers are LEB128.
/// - one byte version: 1, or 2 where orders follow, or 3 where orders and lowered places follow, or 4 where orders, lowered
///   places and parts follow
/// - how many more places changed than are listed
/// - replicas (count, 16 bytes each)
/// - count of changes; for each: count of bytes shared with the path before, count of the path's other bytes, and
///   those; the index of the dot's replica in the list, the dot's sequence number; old and new value, each 0 for none,
///   else 1 + the count of bytes of its JSON text, and that text
/// - from version 2 on, which is written where there are orders: count of orders (at least 1 in version 2); for each:
///   path, and the arrays of names before and after as values
/// - from version 3 on, which is written where a save lowered places: count of these (at least 1 in version 3); for each
///   the count of bytes of its words, and the words; how many more there are
/// - in version 4 only, which is written where a change is of an undo's part: count of these changes (at least 1); for
///   each its index among the changes, larger than the one before, and the part's name (25 bytes)
extension HistoryEntry {
    private static let version: UInt8 = 1
    private static let versionWithOrders: UInt8 = 2
    private static let versionWithLowered: UInt8 = 3
    private static let versionWithParts: UInt8 = 4

    /// The changes in the form above. O(size).
    public var encodedChanges: [UInt8] {
        var whole = ByteWriter()
        let parts = changes.enumerated().compactMap { index, change in change.undoPart.map { (index, $0) } }
        let version =
            !parts.isEmpty
            ? Self.versionWithParts
            : !lowered.isEmpty ? Self.versionWithLowered : orders.isEmpty ? Self.version : Self.versionWithOrders
        whole.add(version)
        whole.add(varint: more)
        let replicas = Set(changes.map(\.dot.replica)).sorted()
        let numbers = Dictionary(uniqueKeysWithValues: zip(replicas, 0...))
        whole.add(varint: replicas.count)
        for replica in replicas { whole.add(replica.bytes) }
        whole.add(varint: changes.count)
        var last: [UInt8] = []
        for change in changes {
            let path = change.path.encoded
            let shared = zip(last, path).prefix { $0 == $1 }.count
            whole.add(varint: shared)
            whole.add(counted: Array(path[shared...]))
            last = path
            whole.add(varint: numbers[change.dot.replica] ?? 0)
            whole.add(varint: change.dot.sequence)
            for value in [change.old, change.new] {
                guard let value else {
                    whole.add(0)
                    continue
                }
                let text = value.jsonBytes
                whole.add(varint: text.count + 1)
                whole.add(text)
            }
        }
        if version == Self.version { return whole.bytes }
        whole.add(varint: orders.count)
        for order in orders {
            whole.add(counted: order.path.encoded)
            for names in [order.old, order.new] {
                let text = JSONValue.array(names).jsonBytes
                whole.add(varint: text.count + 1)
                whole.add(text)
            }
        }
        guard version >= Self.versionWithLowered else { return whole.bytes }
        whole.add(varint: lowered.count)
        for words in lowered { whole.add(counted: Array(words.utf8)) }
        whole.add(varint: moreLowered)
        guard version == Self.versionWithParts else { return whole.bytes }
        whole.add(varint: parts.count)
        for (index, name) in parts {
            whole.add(varint: index)
            whole.add(name)
        }
        return whole.bytes
    }

    /// Reads what ``encodedChanges`` wrote. Every bound is checked before anything is allocated for it.
    ///
    /// - Throws: ``StateCodingError`` for too many bytes, a newer version, and bytes that are not of this form.
    public init(time: WallTime, origin: Origin, encodedChanges bytes: [UInt8]) throws(StateCodingError) {
        guard bytes.count <= Self.encodedLimit else {
            throw StateCodingError(
                description: "a step of the history has \(bytes.count) bytes; the most is \(Self.encodedLimit)"
            )
        }
        guard let version = bytes.first, Self.version...Self.versionWithParts ~= version else {
            throw StateCodingError(
                description: "a step of the history was stored by a newer Hearth; update Hearth here"
            )
        }
        var reader = ByteReader(bytes)
        _ = reader.byte()
        guard let decoded = Self.decode(&reader), case var changes = decoded.changes,
            let orders = version == Self.version ? [] : Self.decodeOrders(&reader),
            !orders.isEmpty || version != Self.versionWithOrders,
            let lowered = version >= Self.versionWithLowered ? Self.decodeLowered(&reader) : ([], 0),
            !lowered.words.isEmpty || version != Self.versionWithLowered,
            version < Self.versionWithParts || Self.decodeParts(&reader, of: &changes), reader.isAtEnd
        else {
            throw StateCodingError(description: "a step of the history is damaged")
        }
        self.init(
            time: time, origin: origin, changes: changes, more: decoded.more, orders: orders, lowered: lowered.words,
            moreLowered: lowered.more)
    }

    /// The most bytes of an encoded entry. ``byteLimit`` counts paths and values. The other bytes of a change, an order or
    /// a part are less than 64, and there are at most ``changeLimit`` of each. A Unicode scalar takes 4 bytes at most.
    private static let encodedLimit = byteLimit + 64 + changeLimit * 192 + loweredLimit * (loweredWordsLimit * 4 + 8)

    private static func decode(_ reader: inout ByteReader) -> (changes: [Change], more: Int)? {
        guard let more = reader.varint().flatMap({ Int(exactly: $0) }), let replicaCount = reader.count(),
            replicaCount <= changeLimit
        else { return nil }
        var replicas: [ReplicaID] = []
        for _ in 0..<replicaCount {
            guard let replica = reader.take(16).flatMap(ReplicaID.init(bytes:)) else { return nil }
            replicas.append(replica)
        }
        guard let count = reader.count(), count <= changeLimit else { return nil }
        var changes: [Change] = []
        var last: [UInt8] = []
        for _ in 0..<count {
            guard let shared = reader.varint(), shared <= UInt64(last.count), let rest = reader.count(),
                let bytes = reader.take(rest), let number = reader.varint(), number < UInt64(replicas.count),
                let sequence = reader.varint(), let old = value(&reader), let new = value(&reader)
            else { return nil }
            last.removeSubrange(Int(shared)...)
            last += bytes
            let path = DocumentPath(encoded: last)
            guard path.steps != nil, !path.isReserved else { return nil }
            changes.append(
                Change(
                    path: path, old: old.value, new: new.value,
                    dot: Dot(replica: replicas[Int(number)], sequence: sequence)))
        }
        return (changes, more)
    }

    private static func decodeOrders(_ reader: inout ByteReader) -> [ListOrder]? {
        guard let count = reader.count(), count <= changeLimit else { return nil }
        var orders: [ListOrder] = []
        for _ in 0..<count {
            guard let size = reader.count(), let bytes = reader.take(size),
                let old = value(&reader), let new = value(&reader), case .array(let before)? = old.value,
                case .array(let after)? = new.value
            else { return nil }
            let path = DocumentPath(encoded: Array(bytes))
            guard path.steps != nil, !path.isReserved else { return nil }
            orders.append(ListOrder(path: path, old: before, new: after))
        }
        return orders
    }

    private static func decodeLowered(_ reader: inout ByteReader) -> (words: [String], more: Int)? {
        guard let count = reader.count(), count <= loweredLimit else { return nil }
        var words: [String] = []
        for _ in 0..<count {
            guard let size = reader.count(), size <= loweredWordsLimit * 4, let bytes = reader.take(size) else {
                return nil
            }
            words.append(String(decoding: bytes, as: UTF8.self))
        }
        guard let more = reader.varint().flatMap({ Int(exactly: $0) }) else { return nil }
        return (words, more)
    }

    private static func decodeParts(_ reader: inout ByteReader, of changes: inout [Change]) -> Bool {
        guard let count = reader.count(), count > 0, count <= changes.count else { return false }
        var next = 0
        for _ in 0..<count {
            guard let index = reader.varint().flatMap({ Int(exactly: $0) }), next..<changes.count ~= index,
                let name = reader.take(UndoPart.nameLength).map(Array.init), UndoPart.isName(name)
            else { return false }
            changes[index].undoPart = name
            next = index + 1
        }
        return true
    }

    /// Reads a value; `nil` for damaged bytes. The value comes in a tuple, because an absent value is no damage.
    private static func value(_ reader: inout ByteReader) -> (value: JSONValue?, Void)? {
        guard let count = reader.varint() else { return nil }
        guard count > 0 else { return (JSONValue?.none, ()) }
        guard let count = Int(exactly: count - 1), let text = reader.take(count),
            let value = try? JSONValue(parsing: Array(text))
        else { return nil }
        return (value, ())
    }
}

extension HistoryEntry.Change {
    /// Bytes of path and values as they are stored; `nil` when a parser would refuse a value, for example one that is
    /// nested too deep.
    var storedSize: Int? {
        var size = path.encoded.count
        for case let value? in [old, new] {
            let text = value.jsonBytes
            size += text.count
            switch value {
            case .array, .object: if (try? JSONDocument(parsing: text)) == nil { return nil }
            default: continue
            }
        }
        return size
    }
}
