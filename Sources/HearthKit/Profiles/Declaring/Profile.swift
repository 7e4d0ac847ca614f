/// The type of a save: a struct whose property wrappers say how each field merges.
///
/// ```swift
/// struct Player: Profile {
///     @Highest var level = 1
///     @Counter var coins = 0
///     @Union var themes: Set<Theme> = []
///     @Lowest var bestLap = 0                   // 0: no lap yet
///     @Earliest var firstWin: Date?
///     @Local var grid: Grid?                    // is not synced
///     var displayName = "Player"                // the last writer wins
///     var statistics = Statistics()             // a ProfilePart with rules of its own
///     var levels: [String: LevelResult] = [:]   // one ProfilePart for each level
/// }
/// ```
///
/// The save is plain JSON whose keys are the names of the fields (or those of `CodingKeys`). A field without a wrapper
/// merges as ``Latest``, a set as ``Members``; a list needs a wrapper. Every field has a default value, which it gets where a save lacks it: in a new save, or in one
/// that an older version of the game wrote. Members of the save that the type does not know stay in it.
public protocol Profile: ProfilePart {
    /// The name of the profile for people; the name of the type by default.
    static var profileName: String { get }
    /// The version of the saves that this type describes. By default the version at which ``migrations`` end, or "1".
    static var version: String { get }
    /// The JSON Pointer of the version in a save; `/version` by default. No field may have this place.
    static var versionAt: String { get }
    /// How saves of earlier versions become saves of ``version``, the oldest first.
    static var migrations: [Migration] { get }
    /// What the player can reset. By default none, and a reset then concerns the whole save.
    static var resets: [ResetScope] { get }
}

/// A struct inside a ``Profile`` whose fields have rules of their own.
///
/// ```swift
/// struct LevelResult: ProfilePart {
///     @Highest var stars = 0
///     @Lowest var bestTime: Double?
/// }
/// ```
///
/// A struct that is `Codable` but no `ProfilePart` is one value: of two concurrent changes one wins as a whole.
public protocol ProfilePart: Codable, Sendable {
    /// The struct with every field at its default. Swift generates it where each field has a default value.
    init()
}

extension Profile {
    /// The name of the type.
    public static var profileName: String { String(describing: Self.self) }
    /// The version at which ``migrations`` end, or "1".
    public static var version: String { migrations.last?.to ?? "1" }
    /// `/version`.
    public static var versionAt: String { "/version" }
    /// None.
    public static var migrations: [Migration] { [] }
    /// None.
    public static var resets: [ResetScope] { [] }
}
