import MergeCore
import ProfileKeeping

/// What is known of the program that made a save.
struct Writer {
    /// What stood in the file at that time, or was put there later, is what it has read.
    var readAfter: Int64?
    /// Whether it is known which program it was.
    var isKnown: Bool
}

/// Which programs write the profiles' files on this device.
///
/// A process counts as a writer when it had the file open for writing, or the temporary that was renamed onto it, in
/// the moment in which the folder's watch heard of that. What only reads is none. Its program is noted in the record, so
/// that from then on the start of any of its processes is known, also where an open is too short to be seen.
struct Writers {
    static let prefix = "writer/"
    /// Programs that are remembered of a profile; the one that was found last stands last.
    static let limit = 4
    /// Milliseconds that a process must have run before it says anything: a game may start a helper to write its save,
    /// and what that writes was in the game's memory before.
    static let helperTime: Int64 = 3_000

    private var programs: [ProfileID: [Program]] = [:]
    /// Starts of the processes that were seen writing since the file was looked at last; `nil` for one whose start says
    /// nothing.
    private var caught: [ProfileID: [Int64?]] = [:]
    /// Since when the program ran that was seen running at the last look; it may end right after its last save.
    private var lastStarts: [ProfileID: Int64] = [:]

    init() {}

    /// What was noted. What cannot be read is left out.
    init(_ notes: [String: [UInt8]]) {
        for (key, bytes) in notes.sorted(by: { $0.key < $1.key }) {
            let names = key.dropFirst(Self.prefix.count).split(separator: "/", omittingEmptySubsequences: false)
            guard names.count == 2, let profile = ProfileID(hex: String(names[0])), let place = Int(names[1]),
                0..<Self.limit ~= place, let program = Program(bytes: bytes)
            else { continue }
            programs[profile, default: []].append(program)
        }
    }

    /// The programs that are remembered of a profile; the one that was found last stands last.
    func known(of profile: ProfileID) -> [Program] { programs[profile] ?? [] }

    /// A process was seen writing a profile's file. Returns the program and the notes that remember it, where it was not
    /// known yet.
    mutating func saw(
        _ process: SeenProcess, of profile: ProfileID, now: Int64
    ) -> (program: Program, notes: [String: [UInt8]?])? {
        let isKnown = process.program.map { programs[profile]?.contains($0) == true } ?? false
        // What copies files, or lets people edit them, is no game, and its start tells nothing.
        guard process.program?.isTool != true, isKnown || process.start + Self.helperTime <= now else {
            caught[profile, default: []].append(nil)
            return nil
        }
        caught[profile, default: []].append(process.start)
        guard let program = process.program, !isKnown else { return nil }
        return (program, remember(program, of: profile))
    }

    private mutating func remember(_ program: Program, of profile: ProfileID) -> [String: [UInt8]?] {
        let list = Array(((programs[profile] ?? []) + [program]).suffix(Self.limit))
        programs[profile] = list
        var notes: [String: [UInt8]?] = [:]
        for place in 0..<Self.limit {
            let bytes = place < list.count ? list[place].bytes : nil
            notes.updateValue(bytes, forKey: "\(Self.prefix)\(profile.hex)/\(place)")
        }
        return notes
    }

    /// Who made the save that may be found now, as far as processes tell.
    mutating func writer(of profile: ProfileID, in table: any ProcessTable, now: Int64) -> Writer {
        let caught = caught[profile] ?? []
        let programs = Set(programs[profile] ?? [])
        var starts = programs.isEmpty ? [] : Array(table.starts(of: programs).values)
        if starts.isEmpty {
            if let last = lastStarts[profile] { starts.append(last) }
        } else {
            lastStarts[profile] = starts.min()
        }
        // Who was seen is not in doubt, but it may be a child that its game has split off to save.
        if caught.contains(nil) { return Writer(readAfter: nil, isKnown: false) }
        starts += caught.compactMap { $0 }
        guard let oldest = starts.min() else { return Writer(readAfter: nil, isKnown: false) }
        return Writer(readAfter: GameProcesses.readAfter(start: min(oldest, now)), isKnown: true)
    }

    /// The file was looked at: what is seen from now on belongs to the next save.
    mutating func lookedAt(_ profile: ProfileID) { caught[profile] = nil }
}
