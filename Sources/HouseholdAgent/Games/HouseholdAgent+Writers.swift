import MergeCore
import ProfileKeeping

/// Finding out who wrote a save and who may have read it: from the folder's watch, the processes, and the opens of a
/// file.
extension HouseholdAgent {
    /// Notes a process that was seen writing a file.
    mutating func wrote(_ path: String, _ process: SeenProcess, now: Moment) {
        guard let id = engine.profile(at: path), let program = writers.saw(process, of: id, now: now.monotonic) else {
            return
        }
        log(
            .info, "found the program that writes a save",
            ["profile": engine.profiles[id]?.name ?? "", "program": program.name])
    }

    /// The writer of the save that may be found now, as far as it is known.
    mutating func writer(of id: ProfileID, now: Moment) -> Writer {
        if let told = games.readAfter(id, in: engine.profiles) { return Writer(readAfter: told, isKnown: true) }
        return writers.writer(of: id, in: processTable, now: now.monotonic)
    }

    /// Notes whether other processes have opened a profile's file since the last question.
    ///
    /// - Parameter isSwap: Whether a projection was done since.
    mutating func noteOpens(_ id: ProfileID, isSwap: Bool = false, now: Moment) {
        guard let path = engine.profiles[id]?.file.path else { return }
        engine.note(openWatch.opens(of: path), of: id, isSwap: isSwap, now: now)
    }

    /// The question about opens for a look at the file. If the watch did not report the change, the opens are not known
    /// either: the watch cannot see where the change was made.
    func opensToTell(_ id: ProfileID) -> () -> FileOpens {
        guard let path = engine.profiles[id]?.file.path else { return { .none } }
        let (watch, isHeard) = (openWatch, watches.isHeard(id))
        return { isHeard ? watch.opens(of: path) : watch.opens(of: path).and(.unknown) }
    }
}
