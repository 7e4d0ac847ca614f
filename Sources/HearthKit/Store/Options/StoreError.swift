import DiskStore
import ProfileKeeping

/// Why a store could not do what was asked: what is wrong, where, and what to do, in one sentence.
///
/// ```swift
/// do {
///     saves = try await ProfileStore<Player>.open("player")
/// } catch let error as StoreError where error.code == .newer {
///     show("Please update the game: \(error)")
/// } catch let error as StoreError where error.code == .damaged {
///     var options = StoreOptions()
///     options.damagedSave = .restoreNewestBackup        // after the player agreed
///     saves = try await ProfileStore<Player>.open("player", options)
/// }
/// ```
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of thing is wrong.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String {
            case declaration, name, damaged, newer, migration, value, disk, unconfirmed, noAgent, agent, needsDecision,
                passphrase, closed
        }
        private let kind: Kind

        /// The profile's type declares what cannot be: a programmer's mistake.
        public static let declaration = Code(kind: .declaration)
        /// A game or slot has a name that cannot be used, or no folder is known for it.
        public static let name = Code(kind: .name)
        /// The save cannot be read. It stays as it is; see ``StoreOptions/damagedSave``.
        public static let damaged = Code(kind: .damaged)
        /// The save is of a later version of the game. It stays as it is; the game must be updated.
        public static let newer = Code(kind: .newer)
        /// The save of an earlier version could not be migrated. It stays as it is.
        public static let migration = Code(kind: .migration)
        /// The game set a field to what no save can hold.
        public static let value = Code(kind: .value)
        /// The save could not be written: what is unsaved stays in memory and is tried again.
        public static let disk = Code(kind: .disk)
        /// It is saved, and the disk did not confirm that it will be there after a power cut.
        public static let unconfirmed = Code(kind: .unconfirmed)
        /// It takes an agent, and none can be reached.
        public static let noAgent = Code(kind: .noAgent)
        /// The agent could not do it.
        public static let agent = Code(kind: .agent)
        /// The player has to say something first.
        public static let needsDecision = Code(kind: .needsDecision)
        /// An exported file takes a passphrase, or another one than was given.
        public static let passphrase = Code(kind: .passphrase)
        /// The store is closed.
        public static let closed = Code(kind: .closed)

        /// The code's name.
        public var description: String { kind.rawValue }
    }

    /// What kind of thing is wrong.
    public let code: Code
    /// One sentence: what, where, what to do.
    public let message: String

    init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }

    /// The sentence.
    public var description: String { message }

    /// An error from within, as the game sees it.
    static func of(_ error: any Error, at path: String? = nil) -> StoreError {
        switch error {
        case let error as StoreError: error
        case let error as ProfileError:
            switch error.code {
            case .declaration: StoreError(.declaration, error.description)
            case .newer: StoreError(.newer, sentence(error, path))
            case .migration: StoreError(.migration, sentence(error, path))
            case .save: StoreError(.damaged, sentence(error, path))
            default: StoreError(.value, error.description)
            }
        case let fault as StorageFault: StoreError(.disk, fault.message)
        default: StoreError(.agent, "\(error)")
        }
    }

    private static func sentence(_ error: ProfileError, _ path: String?) -> String {
        (path.map { "\($0): " } ?? "") + error.description
    }
}
