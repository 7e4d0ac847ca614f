public import LosslessJSON

/// A migration from one version of a save to the next: an ordered list of declarative steps.
///
/// The migrations of a ``RuleSet`` are a chain: each begins with the version at which the one before it ended, and the
/// last ends at ``RuleSet/version``. Versions have no other order than this list (see ``VersionOrder``).
public struct Migration: Hashable, Sendable {
    /// The version it begins with; `nil` for the legacy steps, which take saves without a known version.
    public var from: String?
    /// The version it ends with.
    public var to: String
    /// The steps, in order. May be empty, for a version that changed nothing in the save.
    public var steps: [MigrationStep]

    /// Makes a migration. ``RuleSet`` checks it later.
    public init(from: String?, to: String, steps: [MigrationStep]) {
        self.from = from
        self.to = to
        self.steps = steps
    }

    /// Most migrations a set of rules may have.
    public static let countLimit = 200
    /// Most steps all migrations may have together, those of ``RuleSet/legacy`` included.
    public static let stepLimit = 2_000
    /// Most bytes of a version's name.
    public static let nameLimit = 256
}

/// One declarative step of a ``Migration``.
///
/// A place is a JSON Pointer. If it is a ``RulePattern``, `*` and `[key]` match every member or element, so that one
/// step reaches all levels or all items; `**` is refused. A place that does not exist is skipped, because old saves may
/// lack newer places. An author who needs the place adds a ``require(_:_:)`` step.
public enum MigrationStep: Hashable, Sendable {
    /// Gives a member another name and leaves it where it is: `rename: {path: /hp, to: health}`. It is an error if the
    /// object already has a member of the new name.
    case rename(RulePattern, to: JSONString)
    /// Takes a member to another place: `move: {path: /coins, to: /wallet/coins}`. Missing objects on the way are
    /// made; it is an error where something is there already.
    case move(JSONPointer, to: JSONPointer)
    /// Puts the same value at a second place: `copy: {path: /name, to: /profile/name}`. Otherwise like ``move(_:to:)``.
    case copy(JSONPointer, to: JSONPointer)
    /// Removes the value; the report lists it: `remove: {path: /cheats}`. It has no inverse.
    case remove(RulePattern)
    /// Adds a member where it is missing: `default: {path: /volume, value: 5}`. Missing objects on the way are made,
    /// except those that `*` or `[key]` match.
    case fill(RulePattern, value: JSONValue)
    /// Replaces values by others: `map: {path: /hard, values: {true: hard, false: normal}}`. Values that are not in the
    /// list stay and are named in ``MigrationReport/unmapped``.
    case map(RulePattern, [Mapping])
    /// Puts a value into a new object under the name given: `wrap: {path: /coins, as: amount}` makes `5` into
    /// `{"amount": 5}`.
    case wrap(RulePattern, as: JSONString)
    /// Replaces one value by its parts, as members of the same object: `split: {path: /at, into: [x, y]}` for a list of
    /// as many elements, with `by: ","` for a text. With `is: number` the parts of a text become numbers.
    case split(RulePattern, by: JSONString?, into: [JSONString], asNumbers: Bool)
    /// Adds a number as compensation for something that had to be removed: `compensate: {path: /coins, add: 500, for:
    /// /oldSword}`. With `for`, only if that place exists or was removed earlier in the same run.
    case compensate(JSONPointer, add: JSONNumber, for: JSONPointer?)
    /// Refuses the migration where the place is missing or holds another kind of value: `require: {path: /level, is:
    /// number}`. With `*`, the last name must exist in every object that the steps before it match.
    case require(RulePattern, Kind?)

    /// A pair of a value and the value that replaces it.
    public struct Mapping: Hashable, Sendable {
        /// The value before, compared by meaning.
        public var old: JSONValue
        /// The value after.
        public var new: JSONValue

        /// Makes a pair.
        public init(_ old: JSONValue, _ new: JSONValue) {
            self.old = old
            self.new = new
        }
    }

    /// The kinds of value that ``require(_:_:)`` can ask for.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The kinds of JSON values; `text` is a string, `bool` is `true` or `false`, `list` is an array.
        case number, text, bool, list, object
    }

    /// Most pairs of a ``map(_:_:)``, and most members a ``split(_:by:into:asNumbers:)`` makes.
    public static let partLimit = 1_000
    /// Most levels of containers in a value that a step contains.
    public static let depthLimit = 32

    /// The word for the step in a rule file.
    public var word: String {
        switch self {
        case .rename: "rename"
        case .move: "move"
        case .copy: "copy"
        case .remove: "remove"
        case .fill: "default"
        case .map: "map"
        case .wrap: "wrap"
        case .split: "split"
        case .compensate: "compensate"
        case .require: "require"
        }
    }

    /// The place that the step is about, as a rule file spells it.
    public var path: String {
        switch self {
        case .move(let pointer, _), .copy(let pointer, _), .compensate(let pointer, _, _): pointer.description
        case .rename(let pattern, _), .remove(let pattern), .fill(let pattern, _), .map(let pattern, _),
            .wrap(let pattern, _), .split(let pattern, _, _, _), .require(let pattern, _):
            pattern.description
        }
    }

    /// Whether a save can go back over this step. These steps have no inverse: ``remove(_:)``; a ``map(_:_:)`` that
    /// gives two values the same new value; a ``compensate(_:add:for:)`` with a condition; and a ``rename(_:to:)`` or
    /// ``split(_:by:into:asNumbers:)`` whose path ends in `*` or `[key]`, since the old names are lost.
    ///
    /// With the save from before the migration, it is known whether the condition held, and the grant can be taken back
    /// too.
    public var hasInverse: Bool {
        switch self {
        case .remove: false
        case .map(_, let pairs): Set(pairs.map(\.new)).count == pairs.count
        case .compensate(_, _, let reason): reason == nil
        case .rename(let pattern, _), .split(let pattern, _, _, _): pattern.lastName != nil
        default: true
        }
    }
}
