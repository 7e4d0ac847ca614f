/// A part of the save that the player can reset: a name, and the fields that go back to their default.
///
/// ```swift
/// struct Player: Profile {
///     @Highest var level = 1
///     @Counter var coins = 0
///     var name = "Player"
///
///     static let resets = [
///         ResetScope("progress", CodingKeys.level, .coins),
///         ResetScope("everything"),
///     ]
/// }
/// ```
///
/// Swift generates `CodingKeys` for every `Codable` type, so a misspelled field does not compile.
public struct ResetScope: Hashable, Sendable {
    /// The name, as the player sees it and as ``ResetTarget/scope(_:)`` takes it.
    public let name: String
    /// JSON Pointers, in which `*` and `[key]` stand for every member and every element; empty for the whole save.
    public let places: [String]

    /// A reset of fields of the profile, with everything below them.
    public init<Key: CodingKey>(_ name: String, _ fields: Key...) {
        self.init(name, at: fields.map { FieldSpelling.pointer($0.stringValue) })
    }

    /// A reset of places further down, such as `/statistics/games` or `/levels/*/stars`.
    public init(_ name: String, at places: [String]) {
        (self.name, self.places) = (name, places)
    }

    /// A reset of the whole save.
    public init(_ name: String) {
        (self.name, places) = (name, [])
    }
}
