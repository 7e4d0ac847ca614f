import MergeCore
import ProfileKeeping

/// The games that run on this device, however that is known, and which content each of them has read. Hearth writes
/// nothing into a save while its game runs. Because it is known what the game had read, the base of its save is no
/// guess.
///
/// A game is known by `hearth play`, by a library that holds its file open (a subscription), by a program that the
/// configuration names, or by the note of a play whose command has ended.
///
/// Plays and subscriptions change by the events below alone. An event returns what is to be done.
struct GameSessions {
    /// The notes of profiles whose game reads its file before each save.
    static let readingNotes = NoteSpace("reads-its-file")

    private var plays: [RequestID: Play] = [:]
    private(set) var subscriptions: [RequestID: Subscription] = [:]
    private var processes: GameProcesses
    private var left: OrphanedGames
    /// For games that have ended, by profile: the time since which they had read the file. Kept until their last save
    /// is read.
    private var lastReads: [ProfileID: MonotonicTime] = [:]
    /// Profiles whose game always writes onto what its file holds, never from an older memory.
    private var reading: Set<ProfileID>
    private var unstored = NoteChange()

    /// - Parameters:
    ///   - lines: The program that plays a profile, by the profile's name or id.
    ///   - games: The record's notes in ``GameNote/notes``.
    ///   - reading: The record's notes in ``readingNotes``.
    init(lines: [String: String], games: [String: [UInt8]], reading: [String: [UInt8]]) {
        processes = GameProcesses(lines: lines)
        left = OrphanedGames(games)
        self.reading = Set(reading.keys.compactMap { Self.readingNotes.profile($0) })
    }

    // MARK: Who holds a file, and what has it read

    /// The running game for which a profile's file is left alone; `nil` where there is none.
    func holder(of id: ProfileID, in profiles: ProfileTable) -> String? {
        for (_, play) in plays.sorted(by: { $0.key < $1.key }) where profiles.canonicalID(play.profile) == id {
            if play.readAfter != nil { return play.game }
        }
        for (_, subscription) in subscriptions.sorted(by: { $0.key < $1.key }) {
            if let profile = subscription.profile, profiles.canonicalID(profile) == id { return subscription.game }
        }
        if let note = left.all.first(where: { profiles.canonicalID($0.profile) == id }) { return note.game }
        return processes.program { profiles.isMeant(id, by: $0) }
    }

    /// The time since which the game that makes the next save has read the file: its base is the content at this time,
    /// or a later one. `nil` if no game is known to have run.
    func readAfter(_ id: ProfileID, in profiles: ProfileTable) -> MonotonicTime? {
        var times = [lastReads[id]].compactMap { $0 }
        times += plays.values.filter { profiles.canonicalID($0.profile) == id }.compactMap(\.readAfter)
        for subscription in subscriptions.values {
            if let profile = subscription.profile, profiles.canonicalID(profile) == id {
                times.append(subscription.readAfter)
            }
        }
        times += left.all.filter { profiles.canonicalID($0.profile) == id }.map(\.readAfter)
        times += processes.reads { profiles.isMeant(id, by: $0) }
        // Any of several games may have written the save, so the earliest time counts.
        if let earliest = times.min() { return earliest }
        return reading.contains { profiles.canonicalID($0) == id } ? .max : nil
    }

    /// The requests that stay open while their game is known: first those of plays, then those of subscriptions, each in
    /// order.
    var requests: [RequestID] { plays.keys.sorted() + subscriptions.keys.sorted() }

    /// The earliest time at which something is due for a game.
    var deadline: MonotonicTime? {
        var times = plays.values.map(\.deadline) + subscriptions.values.map(\.quietUntil)
        times += [processes.next, left.next]
        return times.compactMap { $0 }.min()
    }

    // MARK: Plays

    /// A game is to be played. The changes of other devices come in first.
    mutating func prepare(_ id: RequestID, _ play: Play) { plays[id] = play }

    /// A game is to be played that runs already. Hearth does not write to its file from now on.
    ///
    /// - Parameter start: The time at which the game started.
    mutating func foundRunning(_ id: RequestID, _ play: Play, start: MonotonicTime, now: Moment) -> [Effect] {
        plays[id] = play
        // A note of the game says more exactly what it has read.
        let noted = play.mark.flatMap { left.note(of: play.profile, $0)?.readAfter }
        let readAfter = noted ?? GameProcesses.readAfter(start: min(start, now.monotonic))
        return started(id, from: play.start, readAfter: readAfter, now: now)
    }

    /// The plays that wait for other devices, before their game or after it, in order.
    mutating func waitingPlays(now: MonotonicTime) -> [(id: RequestID, play: Play)] {
        for id in plays.keys { plays[id]?.tick(now: now) }
        return plays.filter { $0.value.readAfter == nil }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The file is ready for a play, so its game starts.
    ///
    /// - Parameter vector: The profile's vector; `nil` if it has not changed.
    mutating func started(_ id: RequestID, from vector: VersionVector?, now: Moment) -> [Effect] {
        guard let play = plays[id] else { return [] }
        return started(id, from: vector ?? play.start, readAfter: now.monotonic, now: now)
    }

    private mutating func started(
        _ id: RequestID, from vector: VersionVector, readAfter: MonotonicTime, now: Moment
    ) -> [Effect] {
        plays[id]?.started(from: vector, readAfter: readAfter)
        guard let play = plays[id] else { return [] }
        // An agent that starts while the game runs finds the note.
        guard let note = play.note else { return [.mayStart(id, play.profile)] }
        left.held(note)
        unstored.set(note.key, note.bytes(now: now))
        return [.mayStart(id, play.profile)]
    }

    /// The game of a play has ended, and another request waits for the result. `nil` if no such game runs.
    mutating func ended(_ id: RequestID, answer: Call<EndPlayRequest>, now: MonotonicTime) -> [Effect]? {
        plays[id]?.ended(answer: answer, now: now).map { [.finish($0)] }
    }

    /// The save of a game that has ended was sent out, or no client waits for that any longer.
    mutating func sentOut(_ id: RequestID) -> [Effect] {
        guard let play = plays[id], case .ending(let answer) = play.phase else { return [] }
        plays[id] = nil
        return [.played(id, play, answer: answer)]
    }

    /// The client that played a game, or held its file open, is gone, for whatever reason. A played game may run on.
    mutating func abandoned(_ id: RequestID, _ table: any ProcessTable, now: MonotonicTime) -> [Effect] {
        if let profile = subscriptions[id]?.profile, let subscription = subscriptions.removeValue(forKey: id) {
            return [.finish(EndedGame(profile: profile, readAfter: subscription.readAfter, noteKey: nil))]
        }
        subscriptions[id] = nil
        guard let play = plays.removeValue(forKey: id) else { return [] }
        switch play.phase {
        case .preparing: return []
        case .running(let readAfter):
            guard let note = play.note, !table.running([note.mark]).isEmpty else {
                return [.finish(EndedGame(profile: play.profile, readAfter: readAfter, noteKey: play.note?.key))]
            }
            left.left(note, now: now)
            return [.runsOn(game: play.game)]
        case .ending(let answer): return [.isGone(answer)]
        }
    }

    // MARK: Subscriptions

    /// A game holds its file open from now on.
    mutating func subscribed(_ id: RequestID, _ subscription: Subscription) { subscriptions[id] = subscription }

    /// A subscribed game asks for all changes. It has read the changes that it got before.
    mutating func asked(_ id: RequestID, as profile: ProfileID?) { subscriptions[id]?.asked(as: profile) }

    /// A subscribed game has read what was written for it, so no earlier snapshot can be the base of its next save.
    /// Returns false where no such game is known.
    mutating func read(_ id: RequestID) -> Bool { subscriptions[id]?.read() != nil }

    /// The file was written for a subscribed game that asked.
    mutating func written(for id: RequestID, at time: MonotonicTime) { subscriptions[id]?.written(at: time) }

    /// The file could not be written for a subscribed game that asked. The game is not told of changes before it makes
    /// sense to ask again.
    mutating func notWritten(for id: RequestID, retryAt time: MonotonicTime) {
        subscriptions[id]?.notWritten(retryAt: time)
    }

    /// A subscribed game gets all changes; see ``Subscription/caughtUp(offered:choices:historyNumber:)``.
    mutating func caughtUp(_ id: RequestID, offered: ProfileID?, choices: Int, historyNumber: Int64? = nil) {
        subscriptions[id]?.caughtUp(offered: offered, choices: choices, historyNumber: historyNumber)
    }

    /// A subscribed game gets a report.
    mutating func reported(_ report: Subscription.Report, to id: RequestID) { subscriptions[id]?.reported(report) }

    /// Time has passed, and there may be changes for a subscribed game.
    ///
    /// - Parameter choices: Counts the waiting choices. Called only if the profile has changed.
    mutating func updated(
        _ id: RequestID, _ update: Subscription.Update, now: MonotonicTime, choices: () -> Int
    ) -> [Effect] {
        guard let changes = subscriptions[id]?.updated(update, now: now, choices: choices) else { return [] }
        return (changes.isChanged ? [.changed(id)] : []) + (changes.isOtherReport ? [.status(id)] : [])
    }

    /// A profile's file has new content: if several games hold it, some of them have not read it yet.
    mutating func fileMoved(_ id: ProfileID, in profiles: ProfileTable) {
        let holders = subscriptions.filter { $0.value.profile.map { profiles.canonicalID($0) } == id }
        guard holders.count > 1 else { return }
        for holder in holders.keys { subscriptions[holder]?.fellBehind() }
    }

    /// Notes that the game of a profile always reads its file before it writes. So the file's content is the base of
    /// every save, also of saves made while no agent knew that the game runs.
    mutating func readsItsFile(_ id: ProfileID) {
        if reading.insert(id).inserted { unstored.set(Self.readingNotes.key(id), []) }
    }

    /// The notes that the record does not have yet, or that it is to delete.
    mutating func takeUnstored() -> NoteChange { unstored.take() }

    // MARK: Games that ended

    /// Notes that a game has ended whose last save was not read yet.
    mutating func awaitsLastSave(_ id: ProfileID, readAfter: MonotonicTime) {
        lastReads[id] = min(lastReads[id] ?? .max, readAfter)
    }

    /// Notes that the file was looked at, so the last save of every ended game was read, and their notes go.
    mutating func tookLastSave(_ id: ProfileID) {
        lastReads[id] = nil
        unstored.add(left.takeEnded(id))
    }

    /// Notes that a game has ended. Its note goes, unless a save of it still has to be read.
    mutating func ended(_ key: String, of id: ProfileID) {
        left.ended(key, of: id)
        if lastReads[id] == nil { unstored.add(left.takeEnded(id)) }
    }

    // MARK: Processes

    mutating func configure(_ lines: [String: String]) -> [GameProcesses.Change] { processes.configure(lines) }

    /// Checks which of the configured programs run.
    mutating func lookAtProcesses(_ table: any ProcessTable, now: MonotonicTime) -> [GameProcesses.Change] {
        processes.look(table, now: now)
    }

    /// Does the same, if it is time.
    mutating func lookIfDue(_ table: any ProcessTable, now: MonotonicTime) -> [GameProcesses.Change] {
        processes.next.map { $0 <= now } == true ? processes.look(table, now: now) : []
    }

    /// Checks which of the games without a holder still run. Returns the notes of those that have ended.
    mutating func lookAtOrphaned(_ table: any ProcessTable, isDueOnly: Bool = false, now: MonotonicTime) -> [GameNote] {
        if isDueOnly, left.next.map({ $0 <= now }) != true { return [] }
        return left.look(table, now: now)
    }

    /// Whether a look at the processes could change what is done with a profile's file.
    func hasProcess(_ id: ProfileID, in profiles: ProfileTable) -> Bool {
        processes.isConfigured { profiles.isMeant(id, by: $0) }
    }
}

extension ProfileTable {
    /// Whether a line of the configuration (a name or an id) names a profile.
    fileprivate func isMeant(_ id: ProfileID, by line: String) -> Bool {
        guard let held = self[id], isOffered(id) else { return false }
        return held.name == line || ProfileID(hex: line).map { canonicalID($0) } == id
    }
}
