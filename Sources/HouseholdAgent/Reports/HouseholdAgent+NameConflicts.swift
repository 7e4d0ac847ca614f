import MergeCore
import ProfileKeeping

/// Profiles of the same name, and what to do about them, as commands that work when pasted.
extension HouseholdAgent {
    /// The command that joins a profile with the one whose file is at a path.
    func joinCommand(_ id: ProfileID, at path: String) -> String {
        let join = "hearth restore \(id) --to \(ShellWord.quoted(path))"
        // A profile has one file on a device, so another one has to be released first.
        return holdsFile(id, besides: path) ? "hearth remove \(id) && \(join)" : join
    }

    /// Whether a profile has a file on this device that holds something, other than the one at a path.
    func holdsFile(_ id: ProfileID, besides path: String) -> Bool {
        guard let former = engine.profiles[id]?.file.path, former != path else { return false }
        return !engine.mayLeave(former, of: id)
    }

    /// The question whether a file here follows a profile that another device joined into another one.
    func question(joining gone: ProfileID, into kept: ProfileID) -> String {
        let held = engine.profiles
        let device = held[gone]?.state.joinedBy.map { deviceName($0) } ?? "another device"
        let join = joinCommand(kept, at: held[gone]?.file.path ?? "FILE")
        return
            "\(device) says that this save and \(held[kept]?.name ?? "another one") (\(kept)) are one; to make them one "
            + "here as well, for good: \(join); to leave it as it is, on every device: hearth keep \(engine.word(gone))"
    }

    /// The word by which commands name a profile, if its name is not that word.
    func otherHandle(_ id: ProfileID) -> String? {
        let handle = engine.handle(id)
        return handle == engine.profiles[id]?.name ? nil : handle
    }

    /// The largest number of profiles of one name that a sentence names.
    static var namesakesNamed: Int { 8 }

    /// The commands for some profiles as one line. Of very many, the first ones alone: a member can make thousands.
    private func commands(_ profiles: [ProfileID], _ command: (ProfileID) -> String) -> String {
        profiles.prefix(Self.namesakesNamed).map(command).joined(separator: " && ")
    }

    /// One sentence for each name that several profiles have.
    func nameConflictTroubles() -> [String] {
        let held = engine.profiles
        // The player is asked already about a profile that another device joined into another one.
        let shown = engine.ids.filter { held.isOffered($0) && held.askedTarget(of: $0) == nil }
        let names = Dictionary(grouping: shown) { held[$0]!.name }
        return names.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }.map { name, nameConflicts in
            let start =
                "\(nameConflicts.count) saves are called \(name); if they are of several games or slots, give one another "
                + "name with 'rename'; if they are one game's progress, join them with: "
            // Join into a file that exists, preferably of a profile whose file is not missing.
            let good = nameConflicts.filter { held[$0]!.file.path != nil && held[$0]!.file.status != .missing }
            guard let target = good.first ?? nameConflicts.first(where: { held[$0]!.file.path != nil }) else {
                return start + commands(nameConflicts) { "hearth restore \($0) --to FILE" }
            }
            let path = held[target]!.file.path!
            return start + commands(nameConflicts.filter { $0 != target }) { joinCommand($0, at: path) }
        }
    }
}
