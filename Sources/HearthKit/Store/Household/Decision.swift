import HouseholdAgent
import LosslessJSON
import MergeCore

/// What the player decided about a choice, until the agent knows.
///
/// It holds for what the player was shown: where the game has set something else since, or another device has, the choice
/// is open again.
struct Decision: Hashable, Sendable {
    /// The place, as a JSON Pointer.
    let place: String
    /// JSON text of what was chosen.
    let value: String
    /// JSON texts of what stood against it, and of what this device had before.
    let over: [String]

    init(place: String, value: String, over: [String]) { (self.place, self.value, self.over) = (place, value, over) }

    /// What a save says of a place; `nil` where nothing is there.
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

    /// Whether a save still says so.
    func stands(in document: JSONDocument) -> Bool { Self.value(at: place, in: document) == value }

    /// Whether it decides between what is open at the place.
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
