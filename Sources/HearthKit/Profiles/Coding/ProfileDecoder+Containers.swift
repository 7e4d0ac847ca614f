import LosslessJSON

/// Reads the members of an object.
struct KeyedReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let decoder: ProfileDecoder
    private let members: [JSONMember]
    /// The index of each key in ``members``. Filled only above 16 members; below that a linear search is faster.
    private let positions: [JSONString: Int]

    init(_ decoder: ProfileDecoder) throws {
        guard case .object(let list) = decoder.value else {
            throw decoder.path.error(
                .save,
                "is \(PlainFault.shown(decoder.value)) in the save, where an object belongs"
            )
        }
        self.decoder = decoder
        members = list
        positions =
            list.count <= 16
            ? [:]
            : Dictionary(
                zip(list.map(\.key), list.indices),
                uniquingKeysWith: { first, _ in first }
            )
    }

    private func member(_ key: JSONString) -> JSONValue? {
        if members.count <= 16 { return members.first { $0.key == key }?.value }
        return positions[key].map { members[$0].value }
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { members.compactMap { Key(stringValue: $0.key.string) } }

    func contains(_ key: Key) -> Bool {
        let name = JSONString(key.stringValue)
        return member(name) != nil || (decoder.isPart && decoder.fallback?[name] != nil)
    }

    func decodeNil(forKey key: Key) -> Bool {
        let name = JSONString(key.stringValue)
        if let value = member(name) { return value == .null }
        return decoder.fallback?[name].map { $0 == .null } ?? true
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let name = JSONString(key.stringValue)
        let path = decoder.path.appending(name)
        let fallback = decoder.fallback?[name]
        let takesNil = try decoder.notes.kinds.kind(type).takesNil
        // Null counts as a missing member where the type takes no nil and has a default.
        if let value = member(name), takesNil || value != .null || fallback == nil {
            return try ProfileDecoder.read(type, value, fallback, path, decoder.notes, decoder.nodes?.member(name))
        }
        if let fallback { return try ProfileDecoder.read(type, fallback.json, fallback, path, decoder.notes) }
        guard takesNil else { throw path.error(.save, ProfileDecoder.missing) }
        return try ProfileDecoder.read(type, .null, nil, path, decoder.notes)
    }

    // `KeyedDecodingContainer` has its own methods for these two types, and their default implementations throw.
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try plain(type, key) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try plain(type, key) }

    private func plain<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value {
        try decode(type, forKey: key)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try nested(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try nested(AnyKey.super) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try nested(key) }

    private func nested(_ key: any CodingKey) throws -> ProfileDecoder {
        let name = JSONString(key.stringValue)
        let path = decoder.path.appending(key)
        let fallback = decoder.fallback?[name]
        guard let value = member(name) ?? fallback?.json else { throw path.error(.save, ProfileDecoder.missing) }
        return ProfileDecoder(value: value, fallback: fallback, isPart: false, path: path, notes: decoder.notes)
    }
}

/// Reads the elements of a list.
struct ListReader: UnkeyedDecodingContainer {
    private let decoder: ProfileDecoder
    private let elements: [JSONValue]
    private(set) var currentIndex = 0

    init(_ decoder: ProfileDecoder) throws {
        guard case .array(let elements) = decoder.value else {
            throw decoder.path.error(.save, "is \(PlainFault.shown(decoder.value)) in the save, where a list belongs")
        }
        (self.decoder, self.elements) = (decoder, elements)
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    mutating func decodeNil() throws -> Bool {
        guard try next().value == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let next = try next()
        let nodes = decoder.nodes?.element(currentIndex)
        let result = try ProfileDecoder.read(type, next.value, nil, next.path, decoder.notes, nodes)
        currentIndex += 1
        return result
    }

    mutating func decode(_ type: Int128.Type) throws -> Int128 { try plain(type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try plain(type) }

    private mutating func plain<Value: Decodable>(_ type: Value.Type) throws -> Value { try decode(type) }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try step().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try step().unkeyedContainer() }

    mutating func superDecoder() throws -> any Decoder { try step() }

    private func next() throws -> ProfileDecoder {
        let path = decoder.path.appending(AnyKey(intValue: currentIndex))
        guard !isAtEnd else { throw path.error(.save, ProfileDecoder.missing) }
        return ProfileDecoder(
            value: elements[currentIndex],
            fallback: nil,
            isPart: false,
            path: path,
            notes: decoder.notes
        )
    }

    private mutating func step() throws -> ProfileDecoder {
        let next = try next()
        currentIndex += 1
        return next
    }
}

struct SingleReader: SingleValueDecodingContainer {
    let decoder: ProfileDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.value == .null }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try ProfileDecoder.read(
            type, decoder.value, decoder.fallback, decoder.path, decoder.notes, decoder.nodes?.alone)
    }

    func decode(_ type: Int128.Type) throws -> Int128 { try plain(type) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try plain(type) }

    private func plain<Value: Decodable>(_ type: Value.Type) throws -> Value { try decode(type) }
}
