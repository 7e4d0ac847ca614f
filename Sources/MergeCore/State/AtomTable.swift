/// The store for the atoms of a state: records of fixed size and the bytes they refer to, in pages.
///
/// A dictionary of values would take a dozen allocations for each atom. Here an atom is a record of 48 bytes, and its
/// key and content lie in the bytes of the record's page. A record is named by a number. Pages are copied on write: a
/// change in a copy of the table copies one page. So a profile can be changed in a copy, which takes the place of the
/// original once the change is durable.
///
/// A record is a *place* (path and kind, with the atom that has no sub, if any) or a *part* of a place (one sub).
/// Records are never removed; one without an atom has sequence 0.
struct AtomTable: Sendable {
    /// The number of a record. Stays the same as long as the table lives.
    typealias Number = Int

    /// A number of atoms, and the bytes of their keys and contents.
    struct Amount: Hashable {
        var atoms = 0
        var bytes = 0

        static func += (a: inout Amount, b: Amount) { (a.atoms, a.bytes) = (a.atoms + b.atoms, a.bytes + b.bytes) }
    }

    static let none = UInt32.max
    private static let pageBits = 8
    private static let pageMask = (1 << pageBits) - 1

    private var pages: [Page] = []
    private(set) var recordCount = 0
    private(set) var atomCount = 0
    /// How much each replica has in the table, by the replica's number.
    private(set) var amounts: [Amount] = []
    /// A hash table with open addressing over the keys of the records. A slot holds 1 + the number of a record; an
    /// empty slot holds 0.
    private var slots: [UInt32] = Array(repeating: 0, count: 16)
    /// The keys and contents that are too long for a page, by the numbers of their records.
    private var largeKeys: [Int: [UInt8]] = [:]
    private var largeContents: [Int: [UInt8]] = [:]

    // MARK: Finding

    func place(_ path: DocumentPath, _ kind: AtomKind) -> Number? {
        recordCount == 0 ? nil : find(path.encoded, kind, Self.none, Self.hash(path.encoded, kind, Self.none))
    }

    func part(_ sub: [UInt8], of place: Number) -> Number? {
        let kind = self[place].kind
        return find(sub, kind, UInt32(place), Self.hash(sub, kind, UInt32(place)))
    }

    func number(_ key: AtomKey) -> Number? {
        guard let place = place(key.path, key.kind) else { return nil }
        return key.sub.isEmpty ? place : part(key.sub, of: place)
    }

    /// The record for a key. It is made if there is none yet.
    mutating func make(_ key: AtomKey) -> (number: Number, place: Number, isNewPlace: Bool) {
        let hash = Self.hash(key.path.encoded, key.kind, Self.none)
        var isNew = false
        let place: Number
        if let known = find(key.path.encoded, key.kind, Self.none, hash) {
            place = known
        } else {
            place = append(key.path.encoded, key.kind, Self.none, hash)
            isNew = true
        }
        guard !key.sub.isEmpty else { return (place, place, isNew) }
        let subHash = Self.hash(key.sub, key.kind, UInt32(place))
        if let known = find(key.sub, key.kind, UInt32(place), subHash) { return (known, place, isNew) }
        let part = append(key.sub, key.kind, UInt32(place), subHash)
        link(part, to: place)
        return (part, place, isNew)
    }

    /// Adds a record for a key that has none yet, in the order of a stored state. Returns false if the key has a
    /// record.
    mutating func append(_ key: [UInt8], _ kind: AtomKind, place: Number?) -> Bool {
        let owner = place.map { UInt32($0) } ?? Self.none
        let hash = Self.hash(key, kind, owner)
        guard find(key, kind, owner, hash) == nil, place == nil || !key.isEmpty else { return false }
        let number = append(key, kind, owner, hash)
        if let place { link(number, to: place) }
        return true
    }

    // MARK: Records

    subscript(number: Number) -> Record {
        pages[number >> Self.pageBits].records[number & Self.pageMask]
    }

    /// The place of a record: for a part the place it belongs to, for a place the record itself.
    func placeNumber(of number: Number) -> Number {
        let place = self[number].place
        return place == Self.none ? number : Int(place)
    }

    /// The bytes of a record's own key: the path of a place, the sub of a part.
    func keyBytes(_ number: Number) -> ArraySlice<UInt8> {
        let page = pages[number >> Self.pageBits]
        let record = page.records[number & Self.pageMask]
        return record.keyCount == Page.large ? largeKeys[number]![...] : page.key(record)
    }

    func content(_ number: Number) -> ArraySlice<UInt8> {
        let page = pages[number >> Self.pageBits]
        let record = page.records[number & Self.pageMask]
        return record.contentCount == Page.large ? largeContents[number]![...] : page.content(record)
    }

    func key(_ number: Number) -> AtomKey { key(number, Array(keyBytes(number))) }

    /// The key of a record whose own key bytes the caller has already.
    func key(_ number: Number, _ bytes: [UInt8]) -> AtomKey {
        let record = self[number]
        guard record.place != Self.none else { return AtomKey(DocumentPath(encoded: bytes), record.kind) }
        return AtomKey(DocumentPath(encoded: Array(keyBytes(Int(record.place)))), record.kind, sub: bytes)
    }

    /// The parts of a place, in no particular order.
    func parts(of place: Number) -> some Sequence<Number> {
        sequence(first: self[place].next) { self[Int($0)].next }
            .lazy.prefix { $0 != Self.none }.map { Int($0) }
    }

    // MARK: Changing

    /// Puts an atom into a record. Sequence 0 empties the record.
    mutating func set(
        _ number: Number, _ content: some Collection<UInt8>, sequence: UInt64, replica: UInt32, epoch: UInt32
    ) {
        let (page, index) = (number >> Self.pageBits, number & Self.pageMask)
        var record = pages[page].records[index]
        if record.sequence == 0, sequence != 0 { atomCount += 1 }
        if record.sequence != 0, sequence == 0 { atomCount -= 1 }
        let keys = keySize(record, number)
        count(record.replica, record.sequence, -1, keys + contentSize(record, number))
        count(replica, sequence, 1, keys + content.count)
        (record.sequence, record.replica, record.epoch) = (sequence, replica, epoch)
        if record.contentCount == Page.large { largeContents[number] = nil }
        if content.count > Page.smallLimit {
            largeContents[number] = Array(content)
            pages[page].putLarge(record, at: index)
        } else {
            pages[page].put(content, record, at: index)
        }
    }

    /// The bytes of a record's path, sub and content.
    func size(_ number: Number) -> Int {
        let record = self[number]
        return keySize(record, number) + contentSize(record, number)
    }

    private func contentSize(_ record: Record, _ number: Number) -> Int {
        record.contentCount == Page.large ? largeContents[number]?.count ?? 0 : Int(record.contentCount)
    }

    private func keySize(_ record: Record, _ number: Number) -> Int {
        let own = record.keyCount == Page.large ? largeKeys[number]?.count ?? 0 : Int(record.keyCount)
        guard record.place != Self.none else { return own }
        return own + keySize(self[Int(record.place)], Int(record.place))
    }

    /// Adds an atom to the amounts of its replica, or subtracts it. Sequence 0 is no atom.
    private mutating func count(_ replica: UInt32, _ sequence: UInt64, _ sign: Int, _ bytes: Int) {
        guard sequence > 0 else { return }
        while amounts.count <= replica { amounts.append(Amount()) }
        amounts[Int(replica)] += Amount(atoms: sign, bytes: sign * bytes)
    }

    mutating func setInForce(_ place: Number, _ epoch: UInt32) {
        pages[place >> Self.pageBits].records[place & Self.pageMask].inForce = epoch
    }

    mutating func reserve(_ count: Int) {
        pages.reserveCapacity(count >> Self.pageBits + 1)
        if count * 4 > slots.count * 3 { grow(to: count) }
    }

    // MARK: Inside

    private mutating func link(_ part: Number, to place: Number) {
        pages[part >> Self.pageBits].records[part & Self.pageMask].next = self[place].next
        pages[place >> Self.pageBits].records[place & Self.pageMask].next = UInt32(part)
    }

    private func find(_ bytes: [UInt8], _ kind: AtomKind, _ place: UInt32, _ hash: UInt32) -> Number? {
        let mask = slots.count - 1
        var at = Int(hash) & mask
        while slots[at] != 0 {
            let number = Int(slots[at] - 1)
            let page = number >> Self.pageBits
            let record = pages[page].records[number & Self.pageMask]
            if record.hash == hash, record.kind == kind, record.place == place {
                if record.keyCount == Page.large {
                    if largeKeys[number]! == bytes { return number }
                } else if pages[page].holds(bytes, record) {
                    return number
                }
            }
            at = (at + 1) & mask
        }
        return nil
    }

    private mutating func append(_ bytes: [UInt8], _ kind: AtomKind, _ place: UInt32, _ hash: UInt32) -> Number {
        let number = recordCount
        if number & Self.pageMask == 0 { pages.append(Page(after: pages.last, limit: 1 << Self.pageBits)) }
        let page = number >> Self.pageBits
        var record = Record(hash: hash, place: place, kind: kind)
        if bytes.count > Page.smallLimit {
            largeKeys[number] = bytes
            record.keyCount = Page.large
            pages[page].records.append(record)
        } else {
            pages[page].append(record, key: bytes)
        }
        recordCount += 1
        if recordCount * 4 > slots.count * 3 {
            grow(to: recordCount)
        } else {
            index(number, hash)
        }
        return number
    }

    private mutating func index(_ number: Number, _ hash: UInt32) {
        let mask = slots.count - 1
        var at = Int(hash) & mask
        while slots[at] != 0 { at = (at + 1) & mask }
        slots[at] = UInt32(number + 1)
    }

    /// Makes the hash table large enough for `count` records.
    private mutating func grow(to count: Int) {
        var size = slots.count
        while count * 3 >= size * 2 { size *= 2 }
        slots = Array(repeating: 0, count: size)
        for number in 0..<recordCount { index(number, self[number].hash) }
    }

    /// The hash of a record's key. Every process uses another seed, so that a peer cannot choose paths that collide.
    /// Nothing may depend on its value.
    private static func hash(_ bytes: [UInt8], _ kind: AtomKind, _ place: UInt32) -> UInt32 {
        var hasher = Hasher()
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        hasher.combine(UInt64(place) << 8 | UInt64(kind.rawValue))
        return UInt32(truncatingIfNeeded: hasher.finalize())
    }
}
