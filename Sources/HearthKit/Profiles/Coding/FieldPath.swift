import LosslessJSON

/// The place of a value in a profile, from its type down. Error messages name it, and it gives the value's JSON
/// Pointer.
///
/// Paths are a linked list, because most are never looked at: one step costs one small object, whatever the depth.
struct FieldPath: Sendable {
    private final class Step: Sendable {
        let outer: Step?
        let token: JSONString
        let depth: Int

        init(_ outer: Step?, _ token: JSONString) {
            (self.outer, self.token, depth) = (outer, token, (outer?.depth ?? 0) + 1)
        }
    }

    /// The type the path starts from.
    private let type: Any.Type
    private let last: Step?

    init(_ type: Any.Type) { self.init(type, nil) }

    private init(_ type: Any.Type, _ last: Step?) { (self.type, self.last) = (type, last) }

    func appending(_ key: any CodingKey) -> FieldPath { appending(JSONString(key.stringValue)) }

    func appending(_ token: JSONString) -> FieldPath { FieldPath(type, Step(last, token)) }

    /// How deep values may lie. A type that contains itself is encoded recursively, so without a limit it would
    /// overflow the stack.
    static let depthLimit = 128

    func checkDepth(_ code: ProfileError.Code) throws {
        guard (last?.depth ?? 0) > Self.depthLimit else { return }
        throw ProfileError(code, "\(type)", "a value lies more than \(Self.depthLimit) levels deep; nest less")
    }

    var tokens: [JSONString] {
        var tokens: [JSONString] = []
        var step = last
        while let here = step {
            tokens.append(here.token)
            step = here.outer
        }
        return tokens.reversed()
    }

    var keys: [any CodingKey] { tokens.map { AnyKey(stringValue: $0.string) } }

    var pointer: JSONPointer { JSONPointer(tokens: tokens) }

    /// The path for people: `Player.levels.3.stars`.
    var description: String { (["\(type)"] + tokens.map(\.string)).joined(separator: ".") }

    func error(_ code: ProfileError.Code, _ message: String) -> ProfileError {
        ProfileError(code, description, message)
    }
}

/// A coding key made of any text; its `intValue` is the number that the text spells.
struct AnyKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) { (self.stringValue, intValue) = (stringValue, Int(stringValue)) }
    init(intValue: Int) { (stringValue, self.intValue) = (String(intValue), intValue) }

    static let `super` = AnyKey(stringValue: "super")
}
