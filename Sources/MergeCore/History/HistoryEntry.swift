public import LosslessJSON

/// One step of a profile's history: what a save, a merge or an act of the player changed in what the profile shows.
public struct HistoryEntry: Hashable, Sendable {
    /// The event that caused the step. The raw values are stored.
    public enum Origin: UInt8, Hashable, Sendable, CaseIterable {
        /// The game on this device saved.
        case save = 0
        /// Another device's writes came in.
        case merge = 1
        /// A part of the profile was started over, here or elsewhere.
        case reset = 2
        /// A whole document was put in place: a backup, or a save that the player accepted; or, elsewhere, a step of
        /// the history that was taken back.
        case restore = 3
        /// A step of the history was taken back, here.
        case undo = 4
        /// The profile came to this device, or a file that was there joined it.
        case adopt = 5
        /// The player decided a choice.
        case decision = 6
        /// Other rules came into force.
        case rules = 7
    }

    /// One place that shows something else than before.
    public struct Change: Hashable, Sendable {
        /// The place that changed.
        public let path: DocumentPath
        /// What the place showed before; `nil` for nothing.
        public let old: JSONValue?
        /// What the place showed afterwards; `nil` for nothing.
        public let new: JSONValue?
        /// The write that changed it.
        public let dot: Dot
        /// The part of a counter that alone changed, if that holds what was taken back of another step.
        var undoPart: [UInt8]? = nil
    }

    /// Most changes an entry holds.
    public static let changeLimit = 500
    /// Most bytes the changes of an entry take, as they are stored.
    public static let byteLimit = 1 << 20

    /// The date at which it happened on this device.
    public let time: WallTime
    /// The event that caused the step.
    public let origin: Origin
    /// The changes, in order of their paths.
    public let changes: [Change]
    /// How many more places changed than the entry holds.
    public let more: Int
    /// Arrays that the step put into another order, in addition to the changes.
    public var orders: [ListOrder] = []
    /// Places that the save lowered and whose rules kept the former value, in words: `/best from 90 to 80`. At most
    /// ``loweredLimit`` of them.
    public private(set) var lowered: [String] = []
    /// The number of further places that the save lowered in that way.
    public private(set) var moreLowered = 0

    /// Most lowered places that an entry names.
    public static let loweredLimit = 5
    /// Most Unicode scalars of the words about a lowered place.
    static let loweredWordsLimit = 200

    /// Names the places that a save lowered and whose rules kept the former value.
    package mutating func name(lowered places: [SaveMeaning.Lowered]) {
        lowered = places.prefix(Self.loweredLimit).map {
            String(String.UnicodeScalarView($0.words.unicodeScalars.prefix(Self.loweredWordsLimit)))
        }
        moreLowered = places.count - lowered.count
    }

    /// Whether nothing changed.
    public var isEmpty: Bool { changes.isEmpty && more == 0 }

    /// The replicas that wrote the changes of the step, the one with the most changes first.
    public var writers: [ReplicaID] {
        var counts: [ReplicaID: Int] = [:]
        for change in changes { counts[change.dot.replica, default: 0] += 1 }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    }
}
