import MergeCore
import ProfileKeeping

/// Profiles that the household keeps no more: a lasting note of the profile says so on every device. Files and backups
/// stay, and the note is passed on like all else.
extension HouseholdAgent {
    static var letGoPrefix: String { "let-go/" }

    /// Forgets a profile, on every device, for good.
    mutating func forget(_ id: RequestID, _ name: String, now: Int64) {
        guard let profile = one(named: name, for: id) else { return }
        guard keeper.profiles[profile]?.state.isForgotten == false else {
            return reply(id, .failure(.failed, "\(name) is forgotten already"))
        }
        if differs(profile) { look(profile, now: now) }
        do {
            let report = report(profile)
            try keeper.forget(profile, now: now)
            reply(id, .forgotten(report))
        } catch {
            reply(id, .failure(.failed, error.message))
        }
    }

    /// Lets the files go of profiles that another device has forgotten, and remembers to say so.
    mutating func tickForgotten(now: Int64) {
        for (id, path) in letGo.sorted(by: { $0.key < $1.key }) where keeper.profile(at: path) != nil { heard(of: id) }
        for id in keeper.ids {
            guard let held = keeper.profiles[id], let path = held.file, held.state.isForgotten else { continue }
            do {
                // Before its file is let go, or a crash between the two would leave it without a word.
                try store(notes: [Self.letGoPrefix + id.hex: Array(path.utf8)])
                letGo[id] = path
                try keeper.letGo(id, now: now)
                let told = ["profile": held.name, "file": path]
                log(.notice, "the household has forgotten a profile; its file stays", told)
            } catch {
                // Tried again with the next event.
                note(error)
            }
        }
    }

    /// The player knows.
    mutating func heard(of id: ProfileID) {
        letGo[id] = nil
        commit(notes: [Self.letGoPrefix + id.hex: [UInt8]?.none])
    }

    /// One sentence for each file that is kept in step no more because another device said so.
    func letGoTroubles() -> [String] {
        letGo.sorted { $0.key < $1.key }.map { id, path in
            let held = keeper.profiles[id]
            let device = held?.state.forgottenBy.map { deviceName($0) } ?? "another device"
            let name = held?.name ?? "a save"
            return "\(name) was forgotten on every device, by \(device); \(path) stays as it is, with all "
                + "that was played here, and is kept in step no more; to keep it as a new save: hearth add "
                + "\(ShellWord.quoted(path)); to hear no more of this: hearth remove \(id)"
        }
    }

    static func letGo(_ notes: [String: [UInt8]]) -> [ProfileID: String] {
        var result: [ProfileID: String] = [:]
        for (key, path) in notes {
            guard let id = ProfileID(hex: String(key.dropFirst(letGoPrefix.count))) else { continue }
            result[id] = String(decoding: path, as: UTF8.self)
        }
        return result
    }
}
