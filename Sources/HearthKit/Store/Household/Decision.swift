import HouseholdAgent
import LosslessJSON
import MergeCore

/// A decision of the player's about a ``Choice``, kept until the agent has been told.
///
/// It holds only for the alternatives the player has seen. Where the game or another device has set another value
/// since, the choice is open again.
struct Decision: Hashable, Sendable {
    /// The place of the choice, as a JSON Pointer.
    let place: String
    /// The chosen value as JSON text.
    let value: String
    /// The values it was chosen over, as JSON text: the alternatives, and the former value of this device.
    let over: [String]

    init(place: String, value: String, over: [String]) { (self.place, self.value, self.over) = (place, value, over) }

    /// The decision that a save contains at a place; `nil` where the place is missing.
    init?(
        _ path: DocumentPath, in document: JSONDocument, after former: JSONDocument?,
        over alternatives: [OpenAlternative]
    ) {
        guard let value = Self.value(at: path.description, in: document) else { return nil }
        let own = former.flatMap { Self.value(at: path.description, in: $0) }
        self.init(
            place: path.description, value: value,
            over: alternatives.map { Self.text($0.value) } + (own.map { [$0] } ?? []))
    }

    /// Whether a save still holds the chosen value.
    func isKept(in document: JSONDocument) -> Bool { Self.value(at: place, in: document) == value }

    /// Whether the player has seen every value that is open at the place.
    func covers(_ conflict: ConflictReport) -> Bool {
        conflict.place == place
            && conflict.candidates.allSatisfy { candidate in
                candidate.value == value || over.contains(candidate.value)
            }
    }

    private static func value(at place: String, in document: JSONDocument) -> String? {
        guard let pointer = try? JSONPointer(parsing: place), let node = document.node(at: pointer) else { return nil }
        return text(document.value(node))
    }

    private static func text(_ value: JSONValue) -> String { String(decoding: value.jsonBytes, as: UTF8.self) }

    // MARK: profiles.json

    init?(_ json: JSONValue) {
        guard case .string(let place)? = json["place"], case .string(let value)? = json["value"],
            case .array(let over)? = json["over"]
        else { return nil }
        self.init(
            place: place.string, value: value.string,
            over: over.compactMap { if case .string(let text) = $0 { text.string } else { nil } })
    }

    var json: JSONValue {
        .object([
            JSONMember(key: "place", value: .string(JSONString(place))),
            JSONMember(key: "value", value: .string(JSONString(value))),
            JSONMember(key: "over", value: .array(over.map { .string(JSONString($0)) })),
        ])
    }
}
