/// Gives a type that reads itself some value for everything that it asks for, and notes what that was.
struct SchemaDecoder: Decoder {
    let record: SchemaRecord

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        record.noteObject()
        return KeyedDecodingContainer(SchemaMembers<Key>(record: record))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { SchemaElements(record: record) }

    func singleValueContainer() -> any SingleValueDecodingContainer { SchemaScalar(record: record) }
}

/// The members of an object.
private final class SchemaMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let record: SchemaRecord
    /// The member of which was asked whether it is there: it may be missing.
    private var optional: String?

    init(record: SchemaRecord) { self.record = record }

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool {
        optional = key.stringValue
        return true
    }

    func decodeNil(forKey key: Key) -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let isOptional = optional == key.stringValue
        let (schema, value) = try SchemaReader.read(type)
        record.note(key.stringValue, schema, isRequired: !isOptional)
        return value
    }

    func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Inner> {
        throw SchemaReader.Unknown(type: "the member \(key.stringValue)")
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw SchemaReader.Unknown(type: "the member \(key.stringValue)")
    }

    func superDecoder() throws -> any Decoder { throw SchemaReader.Unknown(type: "a class") }

    func superDecoder(forKey key: Key) throws -> any Decoder { throw SchemaReader.Unknown(type: "a class") }
}

/// The elements of a list: one.
private struct SchemaElements: UnkeyedDecodingContainer {
    let record: SchemaRecord
    private(set) var currentIndex = 0

    init(record: SchemaRecord) { self.record = record }

    var codingPath: [any CodingKey] { [] }
    var count: Int? { 1 }
    var isAtEnd: Bool { currentIndex > 0 }

    mutating func decodeNil() -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let (schema, value) = try SchemaReader.read(type)
        record.note(.list(schema))
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type
    ) throws -> KeyedDecodingContainer<Inner> { throw SchemaReader.Unknown(type: "a list") }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw SchemaReader.Unknown(type: "a list")
    }

    mutating func superDecoder() throws -> any Decoder { throw SchemaReader.Unknown(type: "a class") }
}

/// One value that is neither an object nor a list.
private struct SchemaScalar: SingleValueDecodingContainer {
    let record: SchemaRecord

    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let (schema, value) = try SchemaReader.read(type)
        record.note(schema)
        return value
    }
}
