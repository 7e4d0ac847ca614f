/// Something a player can start over: a name, and the fields that go back to their beginning with it.
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
/// `CodingKeys` is what Swift makes for every `Codable` type, so that a misspelled field does not compile.
public struct ResetScope: Hashable, Sendable {
    /// What the player calls it.
    public let name: String
    /// JSON Pointers, in which `*` and `[key]` stand for every member and element; empty for the whole save.
    public let places: [String]

    /// Fields of the profile, and all that is below them.
    public init<Key: CodingKey>(_ name: String, _ fields: Key...) {
        self.init(name, at: fields.map { FieldSpelling.pointer($0.stringValue) })
    }

    /// Places further down, such as `/statistics/games` or `/levels/*/stars`.
    public init(_ name: String, at places: [String]) {
        (self.name, self.places) = (name, places)
    }

    /// The whole save.
    public init(_ name: String) {
        (self.name, places) = (name, [])
    }
}
