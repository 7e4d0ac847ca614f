public import LosslessJSON
public import MergeCore

/// A change of one place in a profile.
///
/// ```swift
/// for await change in saves.changes {
///     if case .device(let name) = change.origin, change.path == "/coins" {
///         show("\(name) earned or spent coins: \(change.newText ?? "none")")
///     }
/// }
/// ```
public struct ProfileChange: Sendable, Hashable, CustomStringConvertible {
    /// Where a change comes from.
    public enum Origin: Sendable, Hashable {
        /// This game, by ``ProfileStore/update(_:)`` or ``ProfileStore/edit(_:)``.
        case game
        /// Another device, by its name.
        case device(String)
        /// A reset, on this device or another one.
        case reset
        /// A backup was restored, or the profile came from the household for the first time.
        case restore
        /// A step of the history was undone.
        case undo
        /// A choice that was decided.
        case decision
        /// New rules came in, or a merge for which the agent named no device.
        case merge
        /// Another program wrote the file.
        case file
        /// Changes were dropped because they were not read in time. Look at ``ProfileStore/profile`` as a whole.
        case resynced
    }

    /// Where the change comes from.
    public let origin: Origin
    /// The place, with the ids of ``Keyed`` elements as JSON in brackets: `/levels/3/stars`,
    /// `/inventory/["sword"]/count`. Empty for ``Origin/resynced``.
    public let path: String
    /// How the place merges.
    public let rule: MergeRule
    /// The value before; `nil` for none. For a set, the elements that were removed.
    public let old: JSONValue?
    /// The value now; `nil` for none. For a set, the elements that were added.
    public let new: JSONValue?
    /// Whether a highest or lowest value got better. Dates are never records.
    public let isNewRecord: Bool

    /// Whether the change comes from play just now, here or on another device. A reset, a backup, an undo or the first
    /// arrival of a profile only brings earlier play.
    var isPlayed: Bool {
        switch origin {
        case .game, .device: true
        case .reset, .restore, .undo, .decision, .merge, .file, .resynced: false
        }
    }

    /// The value before as JSON text: `5`, `"Ada"`. For a set, the elements that were removed.
    public var oldText: String? { old.map(Self.text) }

    /// The value now as JSON text. For a set, the elements that were added.
    public var newText: String? { new.map(Self.text) }

    /// The change for people: `/coins: 5 became 10`.
    public var description: String { "\(path): \(oldText ?? "nothing") became \(newText ?? "nothing")" }

    static func text(_ value: JSONValue) -> String { String(decoding: value.jsonBytes, as: UTF8.self) }

    static let resynced = ProfileChange(
        origin: .resynced, path: "", rule: .standard, old: nil, new: nil, isNewRecord: false)

    /// Every change between two saves, except the save's version.
    static func list(
        from old: JSONDocument?, to new: JSONDocument, _ rules: RuleSet, origin: (DocumentPath) -> Origin
    ) -> [ProfileChange] {
        // The version of a save is no progress.
        return DocumentDiff(from: old, to: new, rules: rules).changes.compactMap { change in
            if change.path.description == rules.versionAt { return nil }
            switch change.change {
            case .value(let before, let after):
                return ProfileChange(
                    origin: origin(change.path), path: change.path.description, rule: change.rule, old: before,
                    new: after, isNewRecord: isRecord(change.rule, before, after))
            case .elements(let added, let removed):
                return ProfileChange(
                    origin: origin(change.path), path: change.path.description, rule: change.rule,
                    old: removed.isEmpty ? nil : .array(removed), new: added.isEmpty ? nil : .array(added),
                    isNewRecord: false)
            case .elementAppeared, .elementVanished, .elementTouched, .containerVanished, .order: return nil
            }
        }
    }

    /// Whether the new value is a record. A date that grows says when something happened, not how well.
    private static func isRecord(_ rule: MergeRule, _ old: JSONValue?, _ new: JSONValue?) -> Bool {
        guard rule.merge == .max || rule.merge == .min, rule.reading != .date, let new, !rule.none.contains(new)
        else { return false }
        guard let old, old != .null, !rule.none.contains(old) else { return new != .null }
        guard let before = amount(old), let after = amount(new) else { return false }
        return rule.merge == .max ? before < after : after < before
    }

    private static func amount(_ value: JSONValue) -> ExactDecimal? {
        switch value {
        case .number(let number): number.decimal
        case .string(let text): ExactDecimal(text: text.string)
        default: nil
        }
    }
}

/// A highest or lowest value that got better by play, here or on another device. Values from a backup, an undo or the
/// first arrival of a profile are no records: they were reached earlier.
///
/// ```swift
/// for await record in saves.newRecords where record.path == "/bestScore" {
///     celebrate(record.newText)
/// }
/// ```
public struct NewRecord: Sendable, Hashable {
    /// The place, such as `/bestScores/arcade`.
    public let path: String
    /// The record before; `nil` for the first one.
    public let old: JSONValue?
    /// The new record.
    public let new: JSONValue
    /// The device that made the record; `nil` for this one.
    public let device: String?

    /// The record before as JSON text.
    public var oldText: String? { old.map(ProfileChange.text) }

    /// The new record as JSON text: `120`.
    public var newText: String { ProfileChange.text(new) }

    init?(_ change: ProfileChange) {
        guard change.isNewRecord, let new = change.new else { return nil }
        (path, old, self.new) = (change.path, change.old, new)
        if case .device(let name) = change.origin { device = name } else { device = nil }
    }
}
