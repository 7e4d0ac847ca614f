import MergeCore
import ProfileKeeping

/// The writer of a save, as far as it is known.
struct Writer {
    /// The writer has read the content that was in the file at this time, or a later content; `nil` if that is not
    /// known.
    var readAfter: MonotonicTime?
    /// Whether the program is known.
    var isKnown: Bool
    /// If a program was caught writing this very save, and no other one: the time at which it had been started.
    var runningSince: MonotonicTime?
}

/// The programs that write the profiles' files on this device.
///
/// A process counts as a writer if it had the file, or the temporary file that was renamed onto it, open for writing at
/// the moment when the folder's watch reported that. A process that only reads is no writer. The writer's program is
/// noted in the record. From then on the start of any of its processes is known, even where an open is too short to be
/// seen.
struct Writers {
    static let notes = NoteSpace("writer")
    /// The largest number of programs that are remembered for a profile.
    static let limit = 4
    /// The time that a process must have run before its start is evidence. A game may start a helper to write its save,
    /// and what the helper writes was in the game's memory before.
    static let helperTime = Duration.seconds(3)

    private var programs: [ProfileID: [Program]] = [:]
    /// The starts of the processes that were seen writing since the last look at the file; `nil` for a process whose
    /// start is no evidence.
    private var caught: [ProfileID: [MonotonicTime?]] = [:]
    /// The start of the program that ran at the last look; it may have ended right after its last save.
    private var lastStarts: [ProfileID: MonotonicTime] = [:]
    private var unstored = NoteChange()

    init() {}

    /// Reads the programs from the record's notes. Unreadable notes are skipped.
    init(_ notes: [String: [UInt8]]) {
        for (key, bytes) in notes.sorted(by: { $0.key < $1.key }) {
            guard let (profile, name) = Self.notes.parts(key), let place = Int(name), 0..<Self.limit ~= place,
                let program = Program(bytes: bytes)
            else { continue }
            programs[profile, default: []].append(program)
        }
    }

    /// The programs that are remembered for a profile, the one that was found last at the end.
    func known(of profile: ProfileID) -> [Program] { programs[profile] ?? [] }

    /// Notes a process that was seen writing a profile's file. Returns the program, if it was not known yet.
    mutating func saw(_ process: SeenProcess, of profile: ProfileID, now: MonotonicTime) -> Program? {
        let isKnown = process.program.map { programs[profile]?.contains($0) == true } ?? false
        // Copy tools and editors are not games: when they were started says nothing about what a game has read.
        guard process.program?.isTool != true, isKnown || process.start + Self.helperTime <= now else {
            caught[profile, default: []].append(nil)
            return nil
        }
        caught[profile, default: []].append(process.start)
        guard let program = process.program, !isKnown else { return nil }
        remember(program, of: profile)
        return program
    }

    /// The notes that the record does not have yet.
    mutating func takeUnstored() -> NoteChange { unstored.take() }

    private mutating func remember(_ program: Program, of profile: ProfileID) {
        let list = Array(((programs[profile] ?? []) + [program]).suffix(Self.limit))
        programs[profile] = list
        for place in 0..<Self.limit {
            let bytes = place < list.count ? list[place].bytes : nil
            unstored.set(Self.notes.key(profile, "\(place)"), bytes)
        }
    }

    /// The writer of the save that may be found now, as far as the processes show it.
    mutating func writer(of profile: ProfileID, in table: any ProcessTable, now: MonotonicTime) -> Writer {
        let caught = caught[profile] ?? []
        let programs = Set(programs[profile] ?? [])
        var starts = programs.isEmpty ? [] : Array(table.starts(of: programs).values)
        // Only of a process that was caught writing this very save is it certain: a tool that copies the file here may go
        // unseen, also while the game runs. Of several the last one counts.
        let running = caught.compactMap { $0 }.max()
        if starts.isEmpty {
            if let last = lastStarts[profile] { starts.append(last) }
        } else {
            lastStarts[profile] = starts.min()
        }
        // The process that wrote is certain. But it may be a child process that the game has forked to save.
        if caught.contains(nil) { return Writer(readAfter: nil, isKnown: false) }
        starts += caught.compactMap { $0 }
        guard let oldest = starts.min() else { return Writer(readAfter: nil, isKnown: false) }
        return Writer(
            readAfter: GameProcesses.readAfter(start: min(oldest, now)), isKnown: true, runningSince: running)
    }

    /// Notes a look at the file: writers that are seen from now on belong to the next save.
    mutating func lookedAt(_ profile: ProfileID) { caught[profile] = nil }
}
