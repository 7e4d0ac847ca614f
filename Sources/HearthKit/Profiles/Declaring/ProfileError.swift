/// Why a profile cannot be used, in one sentence: which type, which field, and what to do.
public struct ProfileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of problem.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String { case declaration, save, value, newer, migration }
        private let kind: Kind

        /// The type has a declaration that cannot work. This is a mistake in the game's source and shows when the
        /// profile is opened.
        public static let declaration = Code(kind: .declaration)
        /// The save holds something that the type cannot read.
        public static let save = Code(kind: .save)
        /// The game set a field to a value that no save can hold, such as `Double.nan`.
        public static let value = Code(kind: .value)
        /// The save is of a later version of the game; the game on this device must be updated.
        public static let newer = Code(kind: .newer)
        /// The save of an earlier version could not be migrated.
        public static let migration = Code(kind: .migration)

        /// The name of the code, such as `newer`.
        public var description: String { kind.rawValue }
    }

    /// The kind of problem.
    public let code: Code
    /// The type and the field, such as `Player.levels.3.stars`; only the type where no single field is concerned.
    public let place: String
    /// What is wrong and what to do, without the place.
    public let message: String

    init(_ code: Code, _ place: String, _ message: String) {
        (self.code, self.place, self.message) = (code, place, message)
    }

    /// The place and the message: `Player.coins: …`.
    public var description: String { "\(place): \(message)" }
}
