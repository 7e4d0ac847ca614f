import SaveOracle

/// One round of play: what the files held, and what the games wrote.
struct HouseholdRound {
    let number: Int
    let kind: HouseholdRun.Kind
    /// What each file held when all was quiet.
    let before: [JSON?]
    /// What each game wrote last; what its file held before where it wrote nothing.
    var after: [JSON?]
    /// What stood in the file, or in the memory of the game, before its last save.
    var bases: [JSON?]
    /// What each game wrote before its last save, in order.
    var between: [[JSON?]]
    /// When each game wrote last.
    var times: [Int]
    /// In the order in which they began.
    var writers: [Int] = []
    /// Whether a new life begins after a reset.
    var isAnew = false

    /// The device on which the last save was taken back.
    var undone: Int?

    /// The device whose agent does not see every save.
    var unwatched: Int?

    init(_ number: Int, _ kind: HouseholdRun.Kind, before: [JSON?]) {
        (self.number, self.kind, self.before) = (number, kind, before)
        (after, bases) = (before, before)
        between = before.map { _ in [] }
        times = before.map { _ in 0 }
    }

    /// The device whose game had not read what came in, where that is no round in which all others had not.
    var unread: Int?
    /// Whether everything tells which state the game had read: a wrong guess is none then, even if it is said.
    var isClear = false

    /// A file of a device as its rules read it, where a value stands in it that counts for nothing.
    var asRead: (_ file: JSON?, _ device: Int) -> JSON? = { file, _ in file }

    func isUnwatched(_ device: Int) -> Bool { unwatched == device }

    /// Whether the game of a device had not read what came in before its save.
    func isStale(_ device: Int) -> Bool { kind == .stale && device != writers.first || device == unread }
}
