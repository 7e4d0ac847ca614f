import LosslessJSON
import MergeCore

/// A place of a save, by the names on the way to it. An element of a list of objects is named by the member that tells
/// elements apart; any other element by its number.
struct SavePlace: Hashable, CustomStringConvertible {
    enum Step: Hashable {
        case member(JSONString)
        case element(key: JSONString, id: JSONValue)
    }

    var steps: [Step] = []

    static let root = SavePlace()

    func appending(_ step: Step) -> SavePlace { SavePlace(steps: steps + [step]) }

    /// Whether this place is the other one, or in it.
    func isInside(_ other: SavePlace) -> Bool { steps.starts(with: other.steps) }

    /// All places on the way to this one: the whole save first, and this one last.
    var path: [SavePlace] { (0...steps.count).map { SavePlace(steps: Array(steps[..<$0])) } }

    /// Reads a place as ``description`` writes it; `nil` where the text is none.
    init?(parsing text: String) {
        guard let pointer = try? JSONPointer(parsing: text) else { return nil }
        steps = pointer.tokens.map { Self.element($0) ?? .member($0) }
    }

    init(steps: [Step] = []) { self.steps = steps }

    /// The place with each element that is named by its id alone, as in `/crew/["oak"]/level`, named as ``description``
    /// names it. Which member has the id, the rules say.
    ///
    /// - Returns: `nil` where the rules do not say by what the elements of that list are told apart.
    func resolved(in save: JSONValue, _ rules: RuleSet) -> SavePlace? {
        guard steps.contains(where: { $0.bareID != nil }) else { return self }
        var (place, value, position) = (SavePlace.root, Optional(save), RulePosition(rules))
        for step in steps {
            var step = step
            // In an object such a name is that of a member.
            if let id = step.bareID, value?.kind != .object {
                if case .keyed(let key) = position.lists {
                    step = .element(key: key, id: id)
                } else if value?.kind == .array {
                    return nil
                }
            }
            place = place.appending(step)
            position = position.stepping(step.path(in: value))
            value = value?.inside(step)
        }
        return place
    }

    private static func element(_ token: JSONString) -> Step? {
        let bytes = token.bytes
        guard bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]"),
            let sign = bytes.firstIndex(of: UInt8(ascii: "=")), sign > 1,
            let id = try? JSONValue(parsing: Array(bytes[(sign + 1)..<(bytes.count - 1)]))
        else { return nil }
        return .element(key: JSONString(bytes: Array(bytes[1..<sign])), id: id)
    }

    /// `/crew/[id="oak"]/level`.
    var description: String {
        JSONPointer(
            tokens: steps.map { step in
                switch step {
                case .member(let name): name
                case .element(let key, let id): JSONString("[\(key)=\(id.text)]")
                }
            }
        ).description
    }
}

extension SavePlace.Step {
    /// The id in a name such as `["oak"]` or `[5]`; `nil` where the name is none of these.
    fileprivate var bareID: JSONValue? {
        guard case .member(let name) = self else { return nil }
        let bytes = name.bytes
        guard bytes.count > 2, bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]"),
            let id = try? JSONValue(parsing: Array(bytes.dropFirst().dropLast()))
        else { return nil }
        return id.kind == .object || id.kind == .array ? nil : id
    }

    /// The step as rules see it.
    fileprivate func path(in value: JSONValue?) -> PathStep {
        switch self {
        case .element(_, let id): return .element(id.canonicalBytes)
        case .member(let name):
            guard value?.kind == .array, let index = Int(name.string) else { return .member(name) }
            return .index(index)
        }
    }
}

extension JSONValue {
    /// The value as JSON text on one line.
    var text: String { String(decoding: jsonBytes, as: UTF8.self) }

    /// The value at a place; `nil` where there is none.
    func at(_ place: SavePlace) -> JSONValue? {
        var value = self
        for step in place.steps {
            guard let next = value.inside(step) else { return nil }
            value = next
        }
        return value
    }

    fileprivate func inside(_ step: SavePlace.Step) -> JSONValue? {
        switch (self, step) {
        case (.object, .member(let name)): self[name]
        case (.array(let elements), .member(let number)):
            Int(number.string).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
        case (.array(let elements), .element(let key, let id)): elements.first { $0[key] == id }
        default: nil
        }
    }
}
