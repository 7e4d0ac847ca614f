import MergeCore
import ProfileKeeping

/// Who wrote a save, and who may have read what: what the folder's watch, the processes and the opens of a file tell.
extension HouseholdAgent {
    /// What is known of the program that made a save.
    struct Writer {
        /// What stood in the file at that time, or was put there later, is what it has read.
        var readAfter: Int64?
        /// Whether it is known which program it was.
        var isKnown: Bool
    }

    /// A process was seen writing a file.
    mutating func wrote(_ path: String, _ process: SeenProcess, now: Int64) {
        guard let id = keeper.profile(at: path) else { return }
        // What copies files, or lets people edit them, is no game, and its start tells nothing.
        if let program = process.program, program.isTool { return writers.caught[id, default: []].append(nil) }
        let isKnown = process.program.map { writers.programs[id]?.contains($0) == true } ?? false
        guard isKnown || process.start + Writers.helperTime <= now else {
            return writers.caught[id, default: []].append(nil)
        }
        writers.caught[id, default: []].append(process.start)
        guard let program = process.program, let notes = writers.remember(program, of: id) else { return }
        commit(notes: notes)
        log(
            .info, "found the program that writes a save",
            ["profile": keeper.profiles[id]?.name ?? "", "program": program.name])
    }

    /// Who made the save that may be found now.
    mutating func writer(of id: ProfileID, now: Int64) -> Writer {
        if let told = readAfter(id) { return Writer(readAfter: told, isKnown: true) }
        let caught = writers.caught[id] ?? []
        let programs = Set(writers.programs[id] ?? [])
        var starts = programs.isEmpty ? [] : Array(processTable.starts(of: programs).values)
        if starts.isEmpty {
            if let last = writers.lastStarts[id] { starts.append(last) }
        } else {
            writers.lastStarts[id] = starts.min()
        }
        // Who was seen is not in doubt, but it may be a child that its game has split off to save.
        if caught.contains(nil) { return Writer(readAfter: nil, isKnown: false) }
        starts += caught.compactMap { $0 }
        guard let oldest = starts.min() else { return Writer(readAfter: nil, isKnown: false) }
        return Writer(readAfter: GameProcesses.readAfter(start: min(oldest, now)), isKnown: true)
    }

    /// Takes note of whether others have opened a profile's file since that was asked last.
    ///
    /// - Parameter isSwap: A projection was done since.
    mutating func noteOpens(_ id: ProfileID, isSwap: Bool = false) {
        guard let path = keeper.profiles[id]?.file else { return }
        keeper.note(openWatch.opens(of: path), of: id, isSwap: isSwap)
    }

    /// The same for a look at the file. A change that the watch did not hear of was made where it sees nothing of opens
    /// either.
    func opensToTell(_ id: ProfileID) -> () -> FileOpens {
        guard let path = keeper.profiles[id]?.file else { return { .none } }
        let (watch, isHeard) = (openWatch, watches[id]?.isHeard == true)
        return { isHeard ? watch.opens(of: path) : watch.opens(of: path).and(.unknown) }
    }
}
