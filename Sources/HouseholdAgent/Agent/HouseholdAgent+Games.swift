import MergeCore
import ProfileKeeping

/// Which games run, whoever started them, and what that means for their files: nothing is written into a save while its
/// game runs, and what the game had read is no guess.
extension HouseholdAgent {
    /// The game that a profile's file is left alone for.
    func holder(of id: ProfileID) -> String? {
        let plays = plays.sorted { $0.key < $1.key }.map(\.value)
        for play in plays where survivor(play.profile) == id {
            if case .running = play.phase { return play.game }
        }
        for attachment in attachments.sorted(by: { $0.key < $1.key }).map(\.value) {
            if let profile = attachment.profile, survivor(profile) == id { return attachment.game }
        }
        for note in leftGames.sorted(by: { $0.key < $1.key }).map(\.value) where survivor(note.profile) == id {
            return note.game
        }
        for line in processes.running.keys.sorted() where means(line, id) {
            return processes.lines[line] ?? line
        }
        return nil
    }

    /// What the game that made the next save has read: what stood in the file then, or came later. `nil` where no game
    /// is known to have run.
    func readAfter(_ id: ProfileID) -> Int64? {
        var times = [lastReads[id]]
        for play in plays.values where survivor(play.profile) == id {
            if case .running(let time) = play.phase { times.append(time) }
        }
        for attachment in attachments.values {
            if let profile = attachment.profile, survivor(profile) == id { times.append(attachment.readAfter) }
        }
        for note in leftGames.values where survivor(note.profile) == id { times.append(note.readAfter) }
        for (line, start) in processes.running where means(line, id) {
            times.append(GameProcesses.readAfter(start: start))
        }
        // Of several games any may have written it.
        if let earliest = times.compactMap({ $0 }).min() { return earliest }
        return reading.contains { survivor($0) == id } ? .max : nil
    }

    /// A game has ended; its last save may still have to be taken up.
    mutating func gameEnded(_ profile: ProfileID, _ readAfter: Int64, now: Int64) {
        let id = survivor(profile)
        lookAgain(id, now: now)
        guard watches[id]?.settling.isSettled == false else { return }
        lastReads[id] = min(lastReads[id] ?? .max, readAfter)
    }

    /// Looks at a file in case an event is still under way.
    mutating func lookAgain(_ id: ProfileID, now: Int64) {
        guard differs(id), watches[id]?.settling.isSettled == true else { return }
        watches[id]?.settling.happened(.written, now: now)
    }

    /// A joined profile stands for the one that survived.
    func survivor(_ id: ProfileID) -> ProfileID { keeper.profiles[id]?.state.joinedInto ?? id }

    // MARK: Processes

    /// The device's configuration was read anew.
    mutating func configured(_ lines: [String: String], now: Int64) {
        for line in processes.running.keys.sorted() where lines[line] != processes.lines[line] {
            processEnded(line, now: now)
        }
        processes.lines = lines
        lookAtProcesses(now: now)
    }

    /// Finds out which of the configured games run.
    mutating func lookAtProcesses(now: Int64) {
        processes.next = processes.lines.isEmpty ? nil : now + GameProcesses.interval
        guard !processes.lines.isEmpty else { return }
        let starts = processTable.starts(of: Set(processes.lines.values))
        for (line, program) in processes.lines.sorted(by: { $0.key < $1.key }) {
            let start = starts[program].map { min($0, now) }
            guard start != processes.running[line] else { continue }
            if processes.running[line] != nil { processEnded(line, now: now) }
            if let start {
                processes.running[line] = start
                log(.info, "a game runs", ["profile": line, "process": program])
            }
        }
    }

    private mutating func processEnded(_ line: String, now: Int64) {
        guard let start = processes.running.removeValue(forKey: line) else { return }
        log(.info, "a game has ended", ["profile": line, "process": processes.lines[line] ?? ""])
        for id in profiles(named: line) { gameEnded(id, GameProcesses.readAfter(start: start), now: now) }
    }

    /// Whether a look at the processes could change what is done with a profile's file.
    func hasProcess(_ id: ProfileID) -> Bool {
        for line in processes.lines.keys where means(line, id) { return true }
        return false
    }

    /// Whether the configuration means a profile by a name or id.
    private func means(_ line: String, _ id: ProfileID) -> Bool {
        guard let held = keeper.profiles[id], held.isOffered else { return false }
        return held.name == line || ProfileID(hex: line).map { survivor($0) } == id
    }
}
