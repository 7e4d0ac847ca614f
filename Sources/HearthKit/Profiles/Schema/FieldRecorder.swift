import LosslessJSON

/// Records which members a type encodes and their types, without encoding the members themselves.
final class FieldRecorder: Encoder {
    /// One member as the type hands it to the encoder.
    struct Field {
        let key: String
        /// The value; `nil` where the type encodes nil or a nested container.
        let value: Any?
        let type: Any.Type
    }

    private(set) var fields: [Field] = []
    /// Whether the type encodes members at all.
    private(set) var isObject = false
    /// Takes the content that a type encodes through nested containers. Only the key of such a member counts, so the
    /// content is discarded.
    private let scrap = ProfileEncoder(
        path: FieldPath(FieldRecorder.self),
        scope: .local,
        notes: EncodingNotes(fillsIn: false)
    )

    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        isObject = true
        return KeyedEncodingContainer(Members<Key>(recorder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { scrap.unkeyedContainer() }

    func singleValueContainer() -> any SingleValueEncodingContainer { scrap.singleValueContainer() }

    private func add(_ key: any CodingKey, _ value: Any?, _ type: Any.Type) {
        fields.append(Field(key: key.stringValue, value: value, type: type))
    }

    private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let recorder: FieldRecorder
        let codingPath: [any CodingKey] = []

        func encodeNil(forKey key: Key) { recorder.add(key, nil, Any?.self) }

        func encode<Value: Encodable>(_ value: Value, forKey key: Key) { recorder.add(key, value, Value.self) }

        // `KeyedEncodingContainer` has its own methods for these two types, and their default implementations throw.
        func encode(_ value: Int128, forKey key: Key) { recorder.add(key, value, Int128.self) }
        func encode(_ value: UInt128, forKey key: Key) { recorder.add(key, value, UInt128.self) }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type,
            forKey key: Key
        ) -> KeyedEncodingContainer<Nested> {
            recorder.add(key, nil, Any.self)
            return recorder.scrap.container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            recorder.add(key, nil, Any.self)
            return recorder.scrap.unkeyedContainer()
        }

        func superEncoder() -> any Encoder { recorder.scrap }

        func superEncoder(forKey key: Key) -> any Encoder {
            recorder.add(key, nil, Any.self)
            return recorder.scrap
        }

        // A nil is a field too. The default implementations of these methods would skip it.
        private func optional<Value: Encodable>(_ value: Value?, _ key: Key) {
            recorder.add(key, value, Value?.self)
        }

        func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) { optional(value, key) }
        func encodeIfPresent(_ value: Bool?, forKey key: Key) { optional(value, key) }
        func encodeIfPresent(_ value: String?, forKey key: Key) { optional(value, key) }
        func encodeIfPresent(_ value: Double?, forKey key: Key) { optional(value, key) }
        func encodeIfPresent(_ value: Float?, forKey key: Key) { optional(value, key) }
        func encodeIfPresent(_ value: Int?, forKey key: Key) { optional(value, key) }
        func encodeIfPresent(_ value: Int8?, forKey key: Key) { optional(value, key) }
        func encodeIfPresent(_ value: Int16?, forKey key: Key) { optional(value, key) }
        func encodeIfPresent(_ value: Int32?, forKey key: Key) { optional(value, key) }
        func encodeIfPresent(_ value: Int64?, forKey key: Key) { optional(value, key) }
        func encodeIfPresent(_ value: Int128?, forKey key: Key) { optional(value, key) }
        func encodeIfPresent(_ value: UInt?, forKey key: Key) { optional(value, key) }
        func encodeIfPresent(_ value: UInt8?, forKey key: Key) { optional(value, key) }
        func encodeIfPresent(_ value: UInt16?, forKey key: Key) { optional(value, key) }
        func encodeIfPresent(_ value: UInt32?, forKey key: Key) { optional(value, key) }
        func encodeIfPresent(_ value: UInt64?, forKey key: Key) { optional(value, key) }
        func encodeIfPresent(_ value: UInt128?, forKey key: Key) { optional(value, key) }
    }
}
