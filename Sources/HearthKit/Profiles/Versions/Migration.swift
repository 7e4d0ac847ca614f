public import LosslessJSON
import MergeCore

/// Turns a save of one version of the game into a save of the next version.
///
/// ```swift
/// static let migrations = [
///     Migration("1.0", to: "1.1", .rename("/hp", to: "health"), .map("/hard", [true: "hard", false: "normal"])),
///     Migration("1.1", to: "2.0") { (old: PlayerV1) in Player(level: old.level, coins: old.coins) },
/// ]
/// ```
///
/// Prefer steps to closures. Steps are part of the rules that travel to other devices, so every device can migrate what
/// another one wrote. A closure exists only in the game's code: what was written by an older version waits until its
/// device has the new version.
///
/// The list is in order: each migration begins where the one before it ended. Versions are names without an order of
/// their own; only the list says which one is later.
public struct Migration: Sendable {
    /// The version the migration begins with; `nil` for saves without a known version.
    public let from: String?
    /// The version it ends with.
    public let to: String
    let work: Work

    enum Work: Sendable {
        case steps([Step])
        /// Makes the new text of the save. `result` is the type it then has, where the compiler knows it.
        case closure(@Sendable (JSONDocument) throws -> [UInt8], result: ObjectIdentifier?)
    }

    /// A migration by steps, in order. None for a version that changed nothing in the save.
    public init(_ from: String, to: String, _ steps: Step...) { self.init(from, to, .steps(steps)) }

    /// A migration by a closure from the old type to the new one. Members of the save that neither type knows stay in
    /// it.
    public init<Old: Codable & Sendable, New: Codable & Sendable>(
        _ from: String,
        to: String,
        migrating convert: @escaping @Sendable (Old) throws -> New
    ) {
        self.init(from, to, Self.work(convert))
    }

    /// A migration by a closure from the save as JSON to the new one.
    public init(_ from: String, to: String, rewriting rewrite: @escaping @Sendable (JSONValue) throws -> JSONValue) {
        self.init(from, to, Self.work(rewrite))
    }

    /// Steps for saves without a version, or with one that is not in the list.
    public static func legacy(to version: String, _ steps: Step...) -> Migration {
        Migration(nil, version, .steps(steps))
    }

    /// A closure for saves without a version, or with one that is not in the list.
    public static func legacy<Old: Codable & Sendable, New: Codable & Sendable>(
        to version: String,
        migrating convert: @escaping @Sendable (Old) throws -> New
    ) -> Migration {
        Migration(nil, version, work(convert))
    }

    private init(_ from: String?, _ to: String, _ work: Work) { (self.from, self.to, self.work) = (from, to, work) }

    private static func work<Old: Codable & Sendable, New: Codable & Sendable>(
        _ convert: @escaping @Sendable (Old) throws -> New
    ) -> Work {
        .closure({ try TypedMigration(document: $0).text(convert) }, result: ObjectIdentifier(New.self))
    }

    private static func work(_ rewrite: @escaping @Sendable (JSONValue) throws -> JSONValue) -> Work {
        .closure(
            { document in
                let old = document.value(document.root)
                return try ProfilePatch.text(document, from: .untyped(old), to: .untyped(try rewrite(old)), nil)
            },
            result: nil
        )
    }
}

/// Migrates a save by reading it as one type and writing it as another.
private struct TypedMigration {
    let document: JSONDocument

    func text<Old: Codable, New: Codable>(_ convert: (Old) throws -> New) throws -> [UInt8] {
        let old = try ProfileDecoder.profile(Old.self, document.value(document.root))
        let new = try convert(old)
        return try ProfilePatch.text(
            document,
            from: try ProfileEncoder.coded(root: old),
            to: try ProfileEncoder.coded(root: new),
            try (New.self as? any ProfilePart.Type).map { .part(try PartSchema.of($0)) }
        )
    }
}

extension ProfileEncoder {
    /// Codes an old version of a profile, which need not be a ``ProfilePart``.
    fileprivate static func coded(root value: some Encodable) throws -> CodedValue {
        if let part = value as? any ProfilePart { return try profile(part, notes: EncodingNotes()) }
        return try coded(alone: value)
    }
}

extension CodedValue {
    /// Codes JSON that has no type: its arrays are lists, its objects have fields.
    fileprivate static func untyped(_ value: JSONValue) -> CodedValue {
        switch value {
        case .array(let elements): .list(elements.map(untyped))
        case .object(let members): .object(members.map { CodedMember(key: $0.key, value: untyped($0.value)) })
        default: .plain(value)
        }
    }
}
