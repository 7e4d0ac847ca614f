import LosslessJSON

/// Names of fields, from Swift's spelling to that of saves and rules.
enum FieldSpelling {
    /// The name of a stored member, as `\Game.playedAt` shows it.
    static func name<Root>(of member: PartialKeyPath<Root>) -> String {
        String(reflecting: member).split(separator: ".", maxSplits: 1).last.map(String.init) ?? ""
    }

    /// The key under which a type saves the member of that name.
    static func key(_ name: String, of type: Any.Type, in option: String) throws -> JSONString {
        // A computed member shows as `<computed 0x… (Int)>`.
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

    /// A key as a step of a JSON Pointer.
    static func pointer(_ key: String) -> String { JSONPointer(tokens: [JSONString(key)]).description }
}

/// Why a field cannot be as it is declared; the place is known to whoever asked.
struct DeclarationFault: Error {
    let message: String

    init(_ message: String) { self.message = message }
}

/// Asks a type for its coding keys, by beginning to decode it.
private final class KeyProbe: Decoder {
    private let name: String
    private var isKnown = false

    private struct Seen: Error {}

    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    private init(_ name: String) { self.name = name }

    /// Whether the type has such a key.
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
