import LosslessJSON

/// Writes the members of an object.
struct KeyedWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ProfileEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) { encoder.slot.set(.null, JSONString(key.stringValue)) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        let name = JSONString(key.stringValue)
        let path = encoder.path.appending(name)
        let known = try ProfileEncoder.known(
            value, path, encoder.scope, encoder.notes, former: encoder.former?.inside.members[name])
        if case .wrapper(let type) = try encoder.notes.kinds.kind(Value.self) {
            if let choice = value as? any ChoiceWrapper, choice.isDecided { encoder.notes.decided.append(path.pointer) }
            // A nil is not written, just as Swift omits a plain optional that is nil.
            if type.takesNil, known.value == .null { return }
        }
        encoder.slot.set(known.value, name)
        encoder.slot.inside.members[name] = known.node
    }

    // `KeyedEncodingContainer` has its own methods for these two types, and their default implementations throw.
    func encode(_ value: Int128, forKey key: Key) throws { try plain(value, key) }
    func encode(_ value: UInt128, forKey key: Key) throws { try plain(value, key) }

    private func plain(_ value: some Encodable, _ key: Key) throws { try encode(value, forKey: key) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { nested(key).unkeyedContainer() }

    func superEncoder() -> any Encoder { nested(AnyKey.super) }

    func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

    private func slot(_ key: any CodingKey) -> CodingSlot { encoder.slot.member(JSONString(key.stringValue)) }

    private func nested(_ key: any CodingKey) -> ProfileEncoder {
        ProfileEncoder(encoder, slot: slot(key), path: encoder.path.appending(key))
    }
}

/// Writes the elements of a list.
struct ListWriter: UnkeyedEncodingContainer {
    let encoder: ProfileEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.slot.count }

    func encodeNil() { encoder.slot.append(.null) }

    func encode<Value: Encodable>(_ value: Value) throws {
        let path = encoder.path.appending(AnyKey(intValue: count))
        let known = try ProfileEncoder.known(
            value, path, encoder.scope, encoder.notes, former: encoder.former?.inside.elements[count])
        encoder.slot.inside.elements[count] = known.node
        encoder.slot.append(known.value)
    }

    func encode(_ value: Int128) throws { try plain(value) }
    func encode(_ value: UInt128) throws { try plain(value) }

    private func plain(_ value: some Encodable) throws { try encode(value) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        nested().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }

    func superEncoder() -> any Encoder { nested() }

    private func nested() -> ProfileEncoder {
        let path = encoder.path.appending(AnyKey(intValue: count))
        return ProfileEncoder(encoder, slot: encoder.slot.element(), path: path)
    }
}

struct SingleWriter: SingleValueEncodingContainer {
    let encoder: ProfileEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() { encoder.slot.set(.null) }

    func encode<Value: Encodable>(_ value: Value) throws {
        let known = try ProfileEncoder.known(
            value, encoder.path, encoder.scope, encoder.notes, former: encoder.former?.inside.alone)
        encoder.slot.inside.alone = known.node
        encoder.slot.set(known.value)
    }

    func encode(_ value: Int128) throws { try plain(value) }
    func encode(_ value: UInt128) throws { try plain(value) }

    private func plain(_ value: some Encodable) throws { try encode(value) }
}

extension ProfileEncoder {
    /// An encoder for a nested container. It keeps the scope of the container around it.
    fileprivate init(_ outer: ProfileEncoder, slot: CodingSlot, path: FieldPath) {
        (self.path, scope, self.slot, notes, former) = (path, outer.scope, slot, outer.notes, nil)
    }

    init(path: FieldPath, scope: FieldScope, notes: EncodingNotes, former: CodedNode? = nil) {
        (self.path, self.scope, slot, self.notes, self.former) = (path, scope, CodingSlot(), notes, former)
    }
}
