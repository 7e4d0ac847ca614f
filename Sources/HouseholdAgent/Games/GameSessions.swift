import MergeCore
import ProfileKeeping

/// Which games run on this device, however that is known, and what each of them has read: nothing is written into a save
/// while its game runs, and what the game had read is no guess.
///
/// A game is known by `hearth play`, by a library that holds its file open (an attachment), by a program that the
/// configuration names, or by the note of a play whose command is gone.
struct GameSessions {
    /// How the record begins the note of a game that reads its file before each save.
    static let readingPrefix = "reads-its-file/"

    private(set) var plays: [RequestID: Play] = [:]
    private(set) var attachments: [RequestID: Attachment] = [:]
    private var processes: GameProcesses
    private var left: LeftGames
    /// What games that have ended had read, while their last save is not taken up.
    private var lastReads: [ProfileID: Int64] = [:]
    /// Profiles whose game writes onto what its file holds, and never from an older memory.
    private var reading: Set<ProfileID>

    /// - Parameters:
    ///   - lines: The program that plays a profile, by the profile's name or id.
    ///   - games: The notes of the record that ``GameNote/prefix`` begins.
    ///   - reading: Those that ``readingPrefix`` begins.
    init(lines: [String: String], games: [String: [UInt8]], reading: [String: [UInt8]]) {
        processes = GameProcesses(lines: lines)
        left = LeftGames(games)
        self.reading = Set(reading.keys.compactMap { ProfileID(hex: String($0.dropFirst(Self.readingPrefix.count))) })
    }

    // MARK: Who holds a file, and what has it read

    /// The game that a profile's file is left alone for.
    func holder(of id: ProfileID, in profiles: ProfileTable) -> String? {
        for (_, play) in plays.sorted(by: { $0.key < $1.key }) where profiles.survivor(play.profile) == id {
            if case .running = play.phase { return play.game }
        }
        for (_, attachment) in attachments.sorted(by: { $0.key < $1.key }) {
            if let profile = attachment.profile, profiles.survivor(profile) == id { return attachment.game }
        }
        if let note = left.all.first(where: { profiles.survivor($0.profile) == id }) { return note.game }
        return processes.program { profiles.isMeant(id, by: $0) }
    }

    /// What the game that made the next save has read: what stood in the file then, or came later. `nil` where no game
    /// is known to have run.
    func readAfter(_ id: ProfileID, in profiles: ProfileTable) -> Int64? {
        var times = [lastReads[id]].compactMap { $0 }
        for play in plays.values where profiles.survivor(play.profile) == id {
            if case .running(let time) = play.phase { times.append(time) }
        }
        for attachment in attachments.values {
            if let profile = attachment.profile, profiles.survivor(profile) == id { times.append(attachment.readAfter) }
        }
        times += left.all.filter { profiles.survivor($0.profile) == id }.map(\.readAfter)
        times += processes.reads { profiles.isMeant(id, by: $0) }
        // Of several games any may have written it.
        if let earliest = times.min() { return earliest }
        return reading.contains { profiles.survivor($0) == id } ? .max : nil
    }

    // MARK: Plays and attachments

    /// What is known of a play; `nil` where it is over.
    mutating func set(_ play: Play?, for id: RequestID) { plays[id] = play }

    /// What is known of an attachment; `nil` where it is over.
    mutating func set(_ attachment: Attachment?, for id: RequestID) { attachments[id] = attachment }

    /// The file of a profile holds something else than before: of several games that hold it, some have not read that.
    mutating func fileMoved(_ id: ProfileID, in profiles: ProfileTable) {
        let holders = attachments.filter { $0.value.profile.map { profiles.survivor($0) } == id }
        guard holders.count > 1 else { return }
        for holder in holders.keys { attachments[holder]?.isBehind = true }
    }

    /// The game of a profile writes onto what its file holds, so that what stood there is the base of every save, also
    /// of those made while no agent knew that it runs. Returns the notes that remember it, where that is new.
    mutating func readsItsFile(_ id: ProfileID) -> [String: [UInt8]?] {
        reading.insert(id).inserted ? [Self.readingPrefix + id.hex: []] : [:]
    }

    // MARK: Games that ended

    /// A game has ended, and its last save is not taken up yet.
    mutating func awaitsLastSave(_ id: ProfileID, readAfter: Int64) {
        lastReads[id] = min(lastReads[id] ?? .max, readAfter)
    }

    /// The file was looked at: the last save of every game that has ended is taken up. Returns the notes to be dropped.
    mutating func tookLastSave(_ id: ProfileID) -> [String: [UInt8]?] {
        lastReads[id] = nil
        return left.takeEnded(id)
    }

    /// A game has ended. Returns the notes to be dropped, where nothing of it is left to be taken up.
    mutating func ended(_ key: String, of id: ProfileID) -> [String: [UInt8]?] {
        left.ended(key, of: id)
        return lastReads[id] == nil ? left.takeEnded(id) : [:]
    }

    /// What the game with a mark had read, as it was noted.
    func noted(_ profile: ProfileID, _ mark: PlayMark) -> Int64? { left.note(of: profile, mark)?.readAfter }

    /// Somebody holds the file for the game of a note from here on.
    mutating func held(_ note: GameNote) { left.held(note) }

    /// Whoever held the file for a game is gone, and the game runs.
    mutating func left(_ note: GameNote, now: Int64) { left.left(note, now: now) }

    // MARK: Processes

    /// When to look at processes at the earliest.
    var nextLook: Int64? { [processes.next, left.next].compactMap { $0 }.min() }

    mutating func configure(_ lines: [String: String]) -> [GameProcesses.Change] { processes.configure(lines) }

    /// Finds out which of the configured programs run.
    mutating func lookAtProcesses(_ table: any ProcessTable, now: Int64) -> [GameProcesses.Change] {
        processes.look(table, now: now)
    }

    /// The same where it is time.
    mutating func lookIfDue(_ table: any ProcessTable, now: Int64) -> [GameProcesses.Change] {
        processes.next.map { $0 <= now } == true ? processes.look(table, now: now) : []
    }

    /// Finds out which of the games that nobody holds still run, and returns those that have ended.
    mutating func lookAtLeft(_ table: any ProcessTable, isDueOnly: Bool = false, now: Int64) -> [GameNote] {
        if isDueOnly, left.next.map({ $0 <= now }) != true { return [] }
        return left.look(table, now: now)
    }

    /// Whether a look at the processes could change what is done with a profile's file.
    func hasProcess(_ id: ProfileID, in profiles: ProfileTable) -> Bool {
        processes.isConfigured { profiles.isMeant(id, by: $0) }
    }
}

extension ProfileTable {
    /// A joined profile stands for the one that survived.
    func survivor(_ id: ProfileID) -> ProfileID { self[id]?.state.joinedInto ?? id }

    /// Whether the configuration means a profile by a name or id.
    fileprivate func isMeant(_ id: ProfileID, by line: String) -> Bool {
        guard let held = self[id], held.isOffered else { return false }
        return held.name == line || ProfileID(hex: line).map { survivor($0) } == id
    }
}
