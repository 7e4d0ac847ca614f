public import LosslessJSON

/// How a save of one version becomes one of the next: an ordered list of declarative steps.
///
/// The migrations of a ``RuleSet`` are a chain: each begins with the version at which the one before it ended, and the
/// last ends at ``RuleSet/version``. That list is the only order versions have (see ``VersionOrder``).
public struct Migration: Hashable, Sendable {
    /// The version it begins with; `nil` for the legacy steps, which take saves without a known version.
    public var from: String?
    /// The version it ends with.
    public var to: String
    /// What to do, in order. May be empty: a version that changed nothing in the save.
    public var steps: [MigrationStep]

    /// A migration; it is checked by the ``RuleSet``.
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
/// A place is a JSON Pointer. Where it is a ``RulePattern``, `*` and `[key]` stand for every member or element, so that
/// one step reaches all levels or all items; `**` is refused. A place that is not there is passed over: old saves may
/// lack what came later. Who must have it writes ``require(_:_:)`` behind.
public enum MigrationStep: Hashable, Sendable {
    /// Gives a member another name and leaves it where it stands: `rename: {path: /hp, to: health}`. It is an error
    /// where the object has a member of the new name already.
    case rename(RulePattern, to: JSONString)
    /// Takes a member to another place: `move: {path: /coins, to: /wallet/coins}`. Missing objects on the way are
    /// made; it is an error where something is there already.
    case move(JSONPointer, to: JSONPointer)
    /// Puts the same value at another place as well: `copy: {path: /name, to: /profile/name}`; otherwise as
    /// ``move(_:to:)``.
    case copy(JSONPointer, to: JSONPointer)
    /// Drops what is there; the report lists it: `remove: {path: /cheats}`. It has no inverse.
    case remove(RulePattern)
    /// Adds a member where it is missing: `default: {path: /volume, value: 5}`. Missing objects on the way are made,
    /// but for those that `*` or `[key]` stand for.
    case fill(RulePattern, value: JSONValue)
    /// Replaces values by others: `map: {path: /hard, values: {true: hard, false: normal}}`. Others stay and are
    /// listed in ``MigrationReport/unmapped``.
    case map(RulePattern, [Mapping])
    /// Puts a value into a new object under the name given: `wrap: {path: /coins, as: amount}` makes `5` into
    /// `{"amount": 5}`.
    case wrap(RulePattern, as: JSONString)
    /// Puts the parts of one value in its place, as members of the same object: `split: {path: /at, into: [x, y]}` for
    /// a list of as many elements, with `by: ","` for a text. With `is: number` the parts of a text become numbers.
    case split(RulePattern, by: JSONString?, into: [JSONString], asNumbers: Bool)
    /// Grants a number for what had to be dropped: `compensate: {path: /coins, add: 500, for: /oldSword}`. With `for`
    /// only where that place is there, or was dropped earlier in the same run.
    case compensate(JSONPointer, add: JSONNumber, for: JSONPointer?)
    /// Refuses the migration where the place is missing or holds another kind of value:
    /// `require: {path: /level, is: number}`. With `*` it must be there for every match of what stands before its name.
    case require(RulePattern, Kind?)

    /// One value and what becomes of it.
    public struct Mapping: Hashable, Sendable {
        /// The value before, compared by meaning.
        public var old: JSONValue
        /// The value after.
        public var new: JSONValue

        /// A pair.
        public init(_ old: JSONValue, _ new: JSONValue) {
            self.old = old
            self.new = new
        }
    }

    /// What ``require(_:_:)`` can ask for.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// As JSON calls them; `bool` is `true` or `false`, `list` an array.
        case number, text, bool, list, object
    }

    /// Most pairs of a ``map(_:_:)``, and most members a ``split(_:by:into:asNumbers:)`` makes.
    public static let partLimit = 1_000
    /// How deep a value that a step brings along may be nested.
    public static let depthLimit = 32

    /// The word a rule file has for the step.
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

    /// The place the step begins with, as a rule file spells it.
    public var path: String {
        switch self {
        case .move(let pointer, _), .copy(let pointer, _), .compensate(let pointer, _, _): pointer.description
        case .rename(let pattern, _), .remove(let pattern), .fill(let pattern, _), .map(let pattern, _),
            .wrap(let pattern, _), .split(let pattern, _, _, _), .require(let pattern, _):
            pattern.description
        }
    }

    /// Whether a save can go back over this step: all but ``remove(_:)``, a ``map(_:_:)`` that gives two values one
    /// name, a ``compensate(_:add:for:)`` with a condition, and a step that takes members of any name their name.
    ///
    /// With the save from before the migration at hand, the condition is known and its grant can be taken back too.
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
