import MergeCore

/// The game's own last saves of one file, and whether another program opened each of them while it stood there.
///
/// By this a game is told from an indexer, which opens whatever changes: an indexer opens what the game wrote as well as
/// what Hearth wrote, and a game does not read its own save again right after it. So where own saves stay unopened,
/// whoever opens what Hearth wrote is likely to be the game. A game that does read its own saves again looks like an
/// indexer here, and then nothing is concluded.
///
/// The record keeps a byte for each of the last saves (``note``), because agents are started every day. The save that is in
/// the file at the moment is not kept, because nobody watched it between two agents.
struct OwnSaves: Hashable, Sendable {
    static let notes = NoteSpace("own-saves")
    /// The time for which a save must stand in the file before it shows anything.
    static let leastTime = Duration.seconds(5)
    /// The time after which a save has shown what it can: its game may be started again then, and read it.
    static let mostTime = Duration.seconds(60)
    /// The longest time between two looks at the opens: the agent looks every thirty seconds. After a longer one the machine
    /// has slept, and nothing could open the save meanwhile.
    static let longestGap = Duration.seconds(65)
    /// Most saves that are remembered.
    static let limit = 16
    /// The number of saves from which on ``tell(for:)`` can be true, and of those that must have stayed unopened in the end.
    static let enough = 3
    /// One open in this many own saves is tolerated: a person or a backup tool may look at a file now and then.
    static let opensOneIn = 8
    /// The byte of a save that another program opened, in ``note``.
    private static let opened: UInt8 = 0

    /// A byte for each of the last saves, the oldest first: ``opened``, or the seconds for which the save stood unopened.
    private var shown: [UInt8] = []
    private var standing: Standing?
    /// Whether the record does not hold what was shown last.
    private(set) var isUnstored = false

    /// The save of the game that is in the file now.
    private struct Standing: Hashable, Sendable {
        let since: MonotonicTime
        /// The time up to which its opens are known.
        var watched: MonotonicTime
        /// Its opens since the game wrote it, without those of the game itself.
        var opens: FileOpens
        /// Whether it has shown what it can.
        var isJudged = false
        /// Whether what it showed is the last of `shown`.
        var isCounted = false

        /// Whether it was opened after it had been counted as one that nobody opened.
        func isOpenedLate(_ shown: [UInt8]) -> Bool { isCounted && opens == .seen && shown.last != OwnSaves.opened }
    }

    init() {}

    // MARK: The record

    /// Reads a note. One that this Hearth cannot have written tells nothing.
    init(_ note: [UInt8]) {
        let seconds = UInt8(Self.leastTime.components.seconds)...UInt8(Self.mostTime.components.seconds)
        guard note.count <= Self.limit, note.allSatisfy({ $0 == Self.opened || seconds.contains($0) }) else { return }
        shown = note
    }

    /// The note in the record: a byte for each of the last saves.
    var note: [UInt8] { shown }

    /// Stores what was shown since the last call, with a change that is committed.
    mutating func store(_ id: ProfileID, in notes: inout NoteChange) {
        guard isUnstored else { return }
        isUnstored = false
        notes.set(Self.notes.key(id), note)
    }

    /// The same, of another profile to which the file goes: what was shown counts on, and nothing stands in the file.
    func handedOver(from former: ProfileID, to id: ProfileID, _ notes: inout NoteChange) -> OwnSaves {
        notes.delete(Self.notes.key(former))
        notes.set(Self.notes.key(id), note)
        return OwnSaves(note)
    }

    // MARK: What is seen

    /// Notes that the game wrote another save into the file.
    ///
    /// - Parameter opens: The opens since the last ones that were noted. An indexer may have opened the save before it was
    ///   taken up, so they count for this save as well.
    mutating func wrote(_ opens: FileOpens, at time: MonotonicTime) {
        finish()
        // The save before it was opened late: its game may have been started again, and have read it, or something slow
        // opens what changes. So that save shows nothing.
        if standing?.isOpenedLate(shown) == true {
            shown.removeLast()
            isUnstored = true
        }
        standing = Standing(since: time, watched: time, opens: opens.byOthers)
    }

    /// Notes the opens up to now, since the last ones that were noted.
    mutating func note(_ opens: FileOpens, at time: MonotonicTime) {
        guard let before = standing else { return }
        if time - before.watched > Self.longestGap {
            finish()
            standing?.isJudged = true
        }
        guard var standing else { return }
        standing.opens = standing.opens.and(opens.byOthers)
        standing.watched = time
        self.standing = standing
        if time - standing.since >= Self.mostTime { judge() }
    }

    /// Notes that Hearth wrote into the file. A save that was opened later than ``mostTime`` counts as opened here.
    mutating func replaced() {
        finish()
        if standing?.isOpenedLate(shown) == true {
            shown[shown.count - 1] = Self.opened
            isUnstored = true
        }
        standing = nil
    }

    private mutating func finish() {
        if let standing, standing.watched - standing.since >= Self.leastTime { judge() }
    }

    /// Counts the save that stands in the file, once.
    private mutating func judge() {
        guard let standing, !standing.isJudged else { return }
        self.standing?.isJudged = true
        guard standing.opens != .unknown else { return }
        let time = min(standing.watched - standing.since, Self.mostTime)
        shown.append(standing.opens == .seen ? Self.opened : UInt8(time.components.seconds))
        if shown.count > Self.limit { shown.removeFirst() }
        self.standing?.isCounted = true
        isUnstored = true
    }

    // MARK: What it tells

    /// Whether an open shows nothing, because most of the last own saves were opened as well.
    var speakAgainstOpens: Bool {
        shown.suffix(Self.enough + 1).filter { $0 == Self.opened }.count >= Self.enough
    }

    /// Whether an open of a snapshot is likely to be the game's, that Hearth wrote so long ago: the last own saves stayed
    /// unopened, and hardly any was opened before. An own save that stood much less long shows nothing, because an indexer
    /// may take its time.
    func tell(for time: Duration) -> Bool {
        let least = UInt8(max(.zero, min(time, Self.mostTime)).components.seconds / 2)
        let fit = shown.filter { $0 == Self.opened || $0 >= least }
        let opened = fit.filter { $0 == Self.opened }.count
        return fit.count >= Self.enough && !fit.suffix(Self.enough).contains(Self.opened)
            && opened * Self.opensOneIn <= fit.count
    }
}
