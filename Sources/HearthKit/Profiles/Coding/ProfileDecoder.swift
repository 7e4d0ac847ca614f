import LosslessJSON

/// Reads typed values out of a save. A member that the save lacks gets the default from the type's `init()`.
struct ProfileDecoder: Decoder {
    let value: JSONValue
    /// The defaults for members that are missing.
    let fallback: CodedValue?
    /// Whether the value is a ``ProfilePart``. A missing member of a part has its default; elsewhere a missing optional
    /// member is nil.
    let isPart: Bool
    let path: FieldPath
    let notes: DecodingNotes
    /// The container as it was coded now and before, where this decoding checks a save (``check(_:_:)``).
    let nodes: CodedChange?

    init(
        value: JSONValue, fallback: CodedValue?, isPart: Bool, path: FieldPath, notes: DecodingNotes,
        nodes: CodedChange? = nil
    ) {
        (self.value, self.fallback, self.isPart, self.path) = (value, fallback, isPart, path)
        (self.notes, self.nodes) = (notes, nodes)
    }

    var codingPath: [any CodingKey] { path.keys }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try KeyedReader<Key>(self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try ListReader(self) }

    func singleValueContainer() -> any SingleValueDecodingContainer { SingleReader(decoder: self) }
}

/// The inputs of one decoding besides the JSON, and its findings.
final class DecodingNotes {
    /// The open alternatives of the choice at a place.
    let alternatives: (JSONPointer) -> [OpenAlternative]
    /// Elements of sets which the save spells differently from the type (`1.0` for `1`), by the type's spelling.
    /// Without them such an element could not be removed from the save.
    var respelled: [JSONValue: Set<JSONValue>] = [:]
    let kinds = TypeKinds(asksSchemas: true)
    /// For coding the elements of sets, to compare their spelling.
    let encoding = EncodingNotes()

    init(alternatives: @escaping (JSONPointer) -> [OpenAlternative] = { _ in [] }) {
        self.alternatives = alternatives
    }
}

extension ProfileDecoder {
    /// Reads a profile, or an old version of one.
    ///
    /// - Throws: ``ProfileError`` with ``ProfileError/Code/save`` that names the field.
    static func profile<Value: Decodable>(
        _ type: Value.Type,
        _ value: JSONValue,
        _ notes: DecodingNotes = DecodingNotes()
    ) throws -> Value {
        let path = FieldPath(type)
        do {
            return try read(type, value, nil, path, notes)
        } catch let error as DecodingError {
            throw translated(error, path)
        }
    }

    /// Reads back what was just coded, so that no save is written which cannot be read again. Containers that have not
    /// changed since the last save are not read again.
    ///
    /// - Throws: ``ProfileError`` that names the field.
    static func check<Value: Decodable>(_ type: Value.Type, _ nodes: CodedChange) throws {
        let path = FieldPath(type)
        do {
            _ = try read(type, nodes.now.json, nil, path, DecodingNotes(), nodes)
        } catch let error as DecodingError {
            throw translated(error, path)
        }
    }

    static func read<Value: Decodable>(
        _ type: Value.Type,
        _ value: JSONValue,
        _ fallback: CodedValue?,
        _ path: FieldPath,
        _ notes: DecodingNotes,
        _ nodes: CodedChange? = nil
    ) throws -> Value {
        if let nodes, nodes.isSame, let known = nodes.now as? CodedValueNode<Value> { return known.value }
        try path.checkDepth(.save)
        let kind = try notes.kinds.kind(type)
        if case .plain(let plain) = kind {
            do throws(PlainFault) {
                return try plain.read(value) as! Value
            } catch {
                throw path.error(.save, error.message)
            }
        }
        var (fallback, isPart) = (fallback, false)
        if case .part(let schema) = kind {
            isPart = true
            if fallback?.members == nil { fallback = schema?.defaults }
        }
        let decoder = ProfileDecoder(
            value: value, fallback: fallback, isPart: isPart, path: path, notes: notes, nodes: nodes)
        // These casts cannot fail: `gather` returns the very type.
        switch kind {
        case .set(let set): return try set.gather(decoder) as! Value
        case .dictionary(let dictionary):
            if let result = try dictionary.gather(decoder) { return result as! Value }
        default: break
        }
        return try Value(from: decoder)
    }

    /// Reads another value in place of this one, such as an alternative of a choice.
    func read<Value: Decodable>(_ type: Value.Type, _ value: JSONValue) throws -> Value {
        try Self.read(type, value, nil, path, notes)
    }

    /// The open alternatives of the choice at this place.
    func alternatives() -> [OpenAlternative] { notes.alternatives(path.pointer) }

    /// The elements of a set that the type can read. Elements which a later version of the game added are skipped here
    /// and stay in the save.
    func knownElements(_ type: any Decodable.Type) throws -> [Any] {
        guard case .array(let elements) = value else {
            throw path.error(.save, "is \(PlainFault.shown(value)) in the save, where a list belongs")
        }
        var result: [Any] = []
        for (index, element) in elements.enumerated() {
            let place = path.appending(AnyKey(intValue: index))
            do {
                result.append(try Self.known(type, element, place, notes))
            } catch  where !(type is any PlainValue.Type) { continue }
        }
        return result
    }

    private static func known<Element: Decodable>(
        _ type: Element.Type,
        _ value: JSONValue,
        _ path: FieldPath,
        _ notes: DecodingNotes
    ) throws -> Any {
        let element = try read(type, value, nil, path, notes)
        if !(type is String.Type), let encodable = element as? any Encodable {
            let spelling = try ProfileEncoder.coded(encodable, path, .local, notes.encoding).json
            if spelling != value { notes.respelled[spelling, default: []].insert(value) }
        }
        return element
    }

    /// Turns Foundation's error into a ``ProfileError`` that names the field.
    private static func translated(_ error: DecodingError, _ path: FieldPath) -> ProfileError {
        func place(_ context: DecodingError.Context) -> FieldPath {
            context.codingPath.reduce(path) { $0.appending($1) }
        }
        switch error {
        case .keyNotFound(let key, let context):
            return place(context).appending(key).error(.save, missing)
        case .valueNotFound(let type, let context):
            return place(context).error(.save, "is null in the save, and \(type) needs a value")
        case .typeMismatch(let type, let context):
            return place(context).error(.save, "cannot be read as \(type): \(context.debugDescription)")
        case .dataCorrupted(let context):
            return place(context).error(.save, "cannot be read: \(context.debugDescription)")
        @unknown default: return path.error(.save, "cannot be read: \(error)")
        }
    }

    static let missing = "is missing in the save; give the field a value to begin with, or make it optional"
}
