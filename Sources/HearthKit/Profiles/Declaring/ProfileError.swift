/// Why a profile cannot be used: which type, which field, and what to do, in one sentence.
public struct ProfileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of thing is wrong.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String { case declaration, save, value, newer, migration }
        private let kind: Kind

        /// The type declares what cannot be: a programmer's mistake, found when the profile is opened.
        public static let declaration = Code(kind: .declaration)
        /// The save holds what the type cannot read.
        public static let save = Code(kind: .save)
        /// The game set a field to what no save can hold.
        public static let value = Code(kind: .value)
        /// The save is of a later version: the game on this device must be updated.
        public static let newer = Code(kind: .newer)
        /// A save of a former version could not be migrated.
        public static let migration = Code(kind: .migration)

        /// The code's name.
        public var description: String { kind.rawValue }
    }

    /// What kind of thing is wrong.
    public let code: Code
    /// The type and the field, such as `Player.levels.3.stars`; only the type where it is about no field.
    public let place: String
    /// What is wrong and what to do, without the place.
    public let message: String

    init(_ code: Code, _ place: String, _ message: String) {
        (self.code, self.place, self.message) = (code, place, message)
    }

    /// The place and the sentence.
    public var description: String { "\(place): \(message)" }
}
