import MergeCore
import ProfileKeeping

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

    var programs: [ProfileID: [Program]] = [:]
    /// Starts of the processes that were seen writing since the file was looked at last; `nil` for one whose start says
    /// nothing.
    var caught: [ProfileID: [Int64?]] = [:]
    /// Since when the program ran that was seen running at the last look; it may end right after its last save.
    var lastStarts: [ProfileID: Int64] = [:]

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

    /// Remembers a program; returns the notes that hold it, or `nil` where it is known already.
    mutating func remember(_ program: Program, of profile: ProfileID) -> [String: [UInt8]?]? {
        var list = programs[profile] ?? []
        guard !list.contains(program) else { return nil }
        list.append(program)
        list = Array(list.suffix(Self.limit))
        programs[profile] = list
        var notes: [String: [UInt8]?] = [:]
        for place in 0..<Self.limit {
            let bytes = place < list.count ? list[place].bytes : nil
            notes.updateValue(bytes, forKey: "\(Self.prefix)\(profile.hex)/\(place)")
        }
        return notes
    }
}
