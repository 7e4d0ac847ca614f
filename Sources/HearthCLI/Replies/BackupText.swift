package import HouseholdAgent
package import MergeCore

/// The list of a save's backups, one line each.
package enum BackupText {
    /// - Parameter now: The present time.
    package static func text(_ backups: [BackupReport], now: WallTime) -> String {
        guard !backups.isEmpty else { return "There are no backups yet.\n" }
        var text = ""
        for backup in backups {
            let size = backup.size.map { "\($0) bytes" } ?? "size unknown"
            let held = [backup.pools, backup.isPinned ? "pinned" : ""].filter { !$0.isEmpty }.joined(separator: ", ")
            let age = PastTime.words(WallTime(milliseconds: backup.time), now: now)
            text += "\(PlainText.line(backup.name))  \(age), \(size)"
            if let device = backup.device { text += ", copied from \(PlainText.line(device))" }
            text += held.isEmpty ? "\n" : " (\(PlainText.line(held)))\n"
            if let damage = backup.damage { text += "  cannot be used: \(PlainText.line(damage))\n" }
        }
        return text
    }

    /// The question before a backup is restored; a copy is named with the device it comes from.
    package static func question(_ backup: String, _ preview: PreviewReport) -> String {
        let origin = preview.copy.map { " (\(PlainText.line($0.device)) as it was on \(PlainText.line($0.day)))" } ?? ""
        let profile = PlainText.line(preview.profile)
        return "Put backup \(PlainText.line(backup))\(origin) of \(profile) back on every machine?"
    }
}
