import DiskStore
import ProfileKeeping

/// Why a store could not do something, in one sentence: what is wrong, where, and what to do.
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
    /// The kind of problem.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String {
            case declaration, name, damaged, newer, migration, value, disk, unconfirmed, noAgent, agent, needsDecision,
                passphrase, closed
        }
        private let kind: Kind

        /// The profile's type has a declaration that cannot work. This is a mistake in the game's source.
        public static let declaration = Code(kind: .declaration)
        /// A game or slot has a name that cannot be used, or there is no folder for it. Also an imported file of
        /// another slot.
        public static let name = Code(kind: .name)
        /// The save cannot be read. It stays as it is; see ``StoreOptions/damagedSave``. Also a damaged exported file.
        public static let damaged = Code(kind: .damaged)
        /// The save is of a later version of the game, which must be updated; or an exported file or Hearth's record is
        /// of a later version of Hearth. It stays as it is.
        public static let newer = Code(kind: .newer)
        /// The save could not be migrated from an earlier version, or not taken back to one. It stays as it is.
        public static let migration = Code(kind: .migration)
        /// The game set a field to a value that no save can hold, or passed a value that cannot be used.
        public static let value = Code(kind: .value)
        /// A file could not be read or written. Unsaved edits stay in memory, and the save is tried again.
        public static let disk = Code(kind: .disk)
        /// The save is written, but the disk did not confirm that it will survive a power cut.
        public static let unconfirmed = Code(kind: .unconfirmed)
        /// The request needs an agent, and none can be reached.
        public static let noAgent = Code(kind: .noAgent)
        /// The agent refused, failed or did not answer.
        public static let agent = Code(kind: .agent)
        /// The player must decide something first.
        public static let needsDecision = Code(kind: .needsDecision)
        /// An exported file needs a passphrase, or another one than was given.
        public static let passphrase = Code(kind: .passphrase)
        /// The store is closed.
        public static let closed = Code(kind: .closed)

        /// The name of the code, such as `newer`.
        public var description: String { kind.rawValue }
    }

    /// The kind of problem.
    public let code: Code
    /// One sentence: what is wrong, where, and what to do.
    public let message: String

    init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }

    /// ``message``, so that an error that is printed says what to do; ``code`` is for the program.
    public var description: String { message }

    /// Turns any error into one that a game can handle.
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
