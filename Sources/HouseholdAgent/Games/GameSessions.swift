import MergeCore
import ProfileKeeping

/// The games that run on this device, however that is known, and what each of them has read. Nothing is written into a
/// save while its game runs; and because it is known what the game had read, the base of its save is no guess.
///
/// A game is known by `hearth play`, by a library that holds its file open (an attachment), by a program that the
/// configuration names, or by the note of a play whose command is gone.
struct GameSessions {
    /// The prefix of the notes of profiles whose game reads its file before each save.
    static let readingPrefix = "reads-its-file/"

    private(set) var plays: [RequestID: Play] = [:]
    private(set) var attachments: [RequestID: Attachment] = [:]
    private var processes: GameProcesses
    private var left: OrphanedGames
    /// For games that have ended: the time from which on they had read the file, by profile. Kept until their last save is
    /// taken up.
    private var lastReads: [ProfileID: MonotonicTime] = [:]
    /// Profiles whose game always writes onto what its file holds, never from an older memory.
    private var reading: Set<ProfileID>

    /// - Parameters:
    ///   - lines: The program that plays a profile, by the profile's name or id.
    ///   - games: The record's notes whose keys begin with ``GameNote/prefix``.
    ///   - reading: The record's notes whose keys begin with ``readingPrefix``.
    init(lines: [String: String], games: [String: [UInt8]], reading: [String: [UInt8]]) {
        processes = GameProcesses(lines: lines)
        left = OrphanedGames(games)
        self.reading = Set(reading.keys.compactMap { ProfileID(hex: String($0.dropFirst(Self.readingPrefix.count))) })
    }

    // MARK: Who holds a file, and what has it read

    /// The running game for which a profile's file is left alone; `nil` where there is none.
    func holder(of id: ProfileID, in profiles: ProfileTable) -> String? {
        for (_, play) in plays.sorted(by: { $0.key < $1.key }) where profiles.canonicalID(play.profile) == id {
            if case .running = play.phase { return play.game }
        }
        for (_, attachment) in attachments.sorted(by: { $0.key < $1.key }) {
            if let profile = attachment.profile, profiles.canonicalID(profile) == id { return attachment.game }
        }
        if let note = left.all.first(where: { profiles.canonicalID($0.profile) == id }) { return note.game }
        return processes.program { profiles.isMeant(id, by: $0) }
    }

    /// The time from which on the game that makes the next save has read the file: its base is the content at this time,
    /// or a later one. `nil` where no game is known to have run.
    func readAfter(_ id: ProfileID, in profiles: ProfileTable) -> MonotonicTime? {
        var times = [lastReads[id]].compactMap { $0 }
        for play in plays.values where profiles.canonicalID(play.profile) == id {
            if case .running(let time) = play.phase { times.append(time) }
        }
        for attachment in attachments.values {
            if let profile = attachment.profile, profiles.canonicalID(profile) == id {
                times.append(attachment.readAfter)
            }
        }
        times += left.all.filter { profiles.canonicalID($0.profile) == id }.map(\.readAfter)
        times += processes.reads { profiles.isMeant(id, by: $0) }
        // Any of several games may have written the save, so the earliest time counts.
        if let earliest = times.min() { return earliest }
        return reading.contains { profiles.canonicalID($0) == id } ? .max : nil
    }

    // MARK: Plays and attachments

    /// Sets the state of a play; `nil` where it is over.
    mutating func set(_ play: Play?, for id: RequestID) { plays[id] = play }

    /// Sets the state of an attachment; `nil` where it is over.
    mutating func set(_ attachment: Attachment?, for id: RequestID) { attachments[id] = attachment }

    /// Notes that a profile's file has a new content: where several games hold it, some of them have not read it yet.
    mutating func fileMoved(_ id: ProfileID, in profiles: ProfileTable) {
        let holders = attachments.filter { $0.value.profile.map { profiles.canonicalID($0) } == id }
        guard holders.count > 1 else { return }
        for holder in holders.keys { attachments[holder]?.isBehind = true }
    }

    /// Notes that the game of a profile always writes onto what its file holds. So the file's content is the base of
    /// every save, also of saves made while no agent knew that the game runs. Returns the notes that store this, where
    /// it is new.
    mutating func readsItsFile(_ id: ProfileID) -> [String: [UInt8]?] {
        reading.insert(id).inserted ? [Self.readingPrefix + id.hex: []] : [:]
    }

    // MARK: Games that ended

    /// Notes that a game has ended whose last save is not taken up yet.
    mutating func awaitsLastSave(_ id: ProfileID, readAfter: MonotonicTime) {
        lastReads[id] = min(lastReads[id] ?? .max, readAfter)
    }

    /// Notes that the file was looked at, so the last save of every ended game is taken up. Returns the notes to be
    /// deleted.
    mutating func tookLastSave(_ id: ProfileID) -> [String: [UInt8]?] {
        lastReads[id] = nil
        return left.takeEnded(id)
    }

    /// Notes that a game has ended. Returns the notes to be deleted, where no save of it waits to be taken up.
    mutating func ended(_ key: String, of id: ProfileID) -> [String: [UInt8]?] {
        left.ended(key, of: id)
        return lastReads[id] == nil ? left.takeEnded(id) : [:]
    }

    /// The same time for the game with a mark, according to its note in the record.
    func noted(_ profile: ProfileID, _ mark: PlayMark) -> MonotonicTime? { left.note(of: profile, mark)?.readAfter }

    /// Notes that a play holds the file for this game from now on.
    mutating func held(_ note: GameNote) { left.held(note) }

    /// Notes that the command that held the file is gone while its game runs on.
    mutating func left(_ note: GameNote, now: MonotonicTime) { left.left(note, now: now) }

    // MARK: Processes

    /// The earliest time to look at processes.
    var nextLook: MonotonicTime? { [processes.next, left.next].compactMap { $0 }.min() }

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
    /// Whether a line of the configuration (a name or an id) means a profile.
    fileprivate func isMeant(_ id: ProfileID, by line: String) -> Bool {
        guard let held = self[id], isOffered(id) else { return false }
        return held.name == line || ProfileID(hex: line).map { canonicalID($0) } == id
    }
}
