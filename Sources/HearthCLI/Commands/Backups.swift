import ArgumentParser
import HouseholdAgent

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// `hearth backups PROFILE`: what was kept of a save on this machine.
struct Backups: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the backups of a save on this machine.",
        discussion: """
            Kept are what the save was before its five newest changes, before the five newest sessions, and on the \
            seven last days that it was looked at. 'hearth restore NAME --backup BACKUP' puts one back.
            """
    )

    @Argument(help: "The save's name or id.")
    var profile: String

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let reply = try await shared.ask(.backups(profile: profile))
        guard case .backups(let backups) = reply else { throw CommandFailure.unexpected(reply) }
        try shared.print(reply, Self.text(backups))
    }

    private static func text(_ backups: [BackupReport]) -> String {
        guard !backups.isEmpty else { return "There are no backups yet.\n" }
        let now = Int64(time(nil)) * 1_000
        var text = ""
        for backup in backups {
            let size = backup.size.map { "\($0) bytes" } ?? "size unknown"
            let held = [backup.pools, backup.isPinned ? "pinned" : ""].filter { !$0.isEmpty }.joined(separator: ", ")
            text += "\(PlainText.line(backup.name))  \(PastTime.words(backup.time, now: now)), \(size)"
            text += held.isEmpty ? "\n" : " (\(held))\n"
            if let damage = backup.damage { text += "  cannot be used: \(PlainText.line(damage))\n" }
        }
        return text
    }
}
