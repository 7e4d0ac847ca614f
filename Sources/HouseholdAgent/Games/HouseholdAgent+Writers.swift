import MergeCore
import ProfileKeeping

/// Who wrote a save, and who may have read what: what the folder's watch, the processes and the opens of a file tell.
extension HouseholdAgent {
    /// A process was seen writing a file.
    mutating func wrote(_ path: String, _ process: SeenProcess, now: Int64) {
        guard let id = keeper.profile(at: path), let found = writers.saw(process, of: id, now: now) else { return }
        commit(notes: found.notes)
        log(
            .info, "found the program that writes a save",
            ["profile": keeper.profiles[id]?.name ?? "", "program": found.program.name])
    }

    /// Who made the save that may be found now.
    mutating func writer(of id: ProfileID, now: Int64) -> Writer {
        if let told = games.readAfter(id, in: keeper.profiles) { return Writer(readAfter: told, isKnown: true) }
        return writers.writer(of: id, in: processTable, now: now)
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
        let (watch, isHeard) = (openWatch, watches.isHeard(id))
        return { isHeard ? watch.opens(of: path) : watch.opens(of: path).and(.unknown) }
    }
}
