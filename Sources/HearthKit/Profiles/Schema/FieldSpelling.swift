import LosslessJSON

/// Turns the Swift names of fields into the keys of saves and rules.
enum FieldSpelling {
    /// The name of a stored member, taken from the description of its key path: `\Game.playedAt` gives `playedAt`.
    static func name<Root>(of member: PartialKeyPath<Root>) -> String {
        String(reflecting: member).split(separator: ".", maxSplits: 1).last.map(String.init) ?? ""
    }

    /// The key under which a type saves the member of this name.
    ///
    /// - Throws: ``DeclarationFault`` for a computed member, or one that is saved under another key.
    static func key(_ name: String, of type: Any.Type, in option: String) throws -> JSONString {
        // A computed member is described as `<computed 0x… (Int)>`.
        guard !name.isEmpty, !name.contains("<"), !name.contains("?") else {
            throw DeclarationFault(
                "\"\(option)\" takes a stored member of \(type); name the key that the save has for it, in quotes"
            )
        }
        guard let coded = type as? any Decodable.Type, KeyProbe.knows(name, coded) else {
            throw DeclarationFault(
                "\(type) saves no \"\(name)\"; where CodingKeys give it another name, write that, in quotes: "
                    + "\(option): \"…\""
            )
        }
        return JSONString(name)
    }

    /// A key as one step of a JSON Pointer.
    static func pointer(_ key: String) -> String { JSONPointer(tokens: [JSONString(key)]).description }
}

/// Why a field cannot be declared in this way. The caller knows the place and adds it.
struct DeclarationFault: Error {
    let message: String

    init(_ message: String) { self.message = message }
}

/// Asks a type for its coding keys: it starts to decode the type, which then asks for a container of its key type.
private final class KeyProbe: Decoder {
    private let name: String
    private var isKnown = false

    private struct Seen: Error {}

    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    private init(_ name: String) { self.name = name }

    /// Whether the type has a coding key of this name.
    static func knows(_ name: String, _ type: any Decodable.Type) -> Bool {
        let probe = KeyProbe(name)
        _ = try? type.init(from: probe)
        return probe.isKnown
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        isKnown = Key(stringValue: name) != nil
        throw Seen()
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Seen() }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Seen() }
}
