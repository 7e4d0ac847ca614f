/// What one player's save holds: a struct whose fields say how they merge.
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
/// The save is plain JSON with the names of the fields (or those of `CodingKeys`). A field without a wrapper merges as
/// ``Latest``. Every field has a value it begins with; a save that lacks the field, because it is a fresh one or an
/// older version of the game wrote it, gives that value. What a save holds beyond the fields stays in it.
public protocol Profile: ProfilePart {
    /// What people call the profile; the name of the type unless told otherwise.
    static var profileName: String { get }
    /// The version of the saves that this type describes. Unless told otherwise the one at which ``migrations`` end, or
    /// "1".
    static var version: String { get }
    /// Where a save keeps its version, as a JSON Pointer; `/version` unless told otherwise. No field may have that
    /// place.
    static var versionAt: String { get }
    /// How saves of former versions become ones of ``version``, the oldest first.
    static var migrations: [Migration] { get }
    /// What a player can start over.
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
/// A struct that is only `Codable` is one value in a profile: of two that were changed apart, one wins whole.
public protocol ProfilePart: Codable, Sendable {
    /// With every field at the value it begins with. Swift writes it where each field has one.
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
