import HouseholdAgent
import LosslessJSON
import MergeCore

/// What a migration did to a save: when a save of an earlier version was opened, or by ``ProfileStore/rollBack(to:)``.
/// A backup of the save was made before.
public struct ProfileMigration: Hashable, Sendable {
    /// The version before; `nil` where the save named none.
    public let from: String?
    /// The version after.
    public let to: String
    /// What each step did, one line for each.
    public let steps: [String]
    /// The values that were dropped, each with its place.
    public let dropped: [String]
    /// Whether a backup from before the migration replaced the save, because steps could not be undone. What was played
    /// since then is not in the file.
    public let isFromBackup: Bool

    init(_ save: MigratedSave, to version: String) { self.init(save.reports, from: save.from, to: version) }

    /// - Parameter reports: Empty where a backup replaced the save.
    init(_ reports: [MigrationReport], from former: String?, to version: String, isFromBackup: Bool = false) {
        (from, to, self.isFromBackup) = (former, version, isFromBackup)
        steps = reports.flatMap { report in
            report.steps.map { step in
                switch step.outcome {
                case .done(let count): Self.line(step.step.word, step.step.path, count)
                case .failed(let why): "\(step.step.word) \(step.step.path): \(why)"
                }
            }
        }
        dropped = reports.flatMap { report in
            report.dropped.map { "\($0.place): \(String(decoding: $0.value.jsonBytes, as: UTF8.self))" }
        }
    }

    /// A roll back that the agent made. Where it used a backup, the agent's summary begins and ends with the same
    /// version.
    init(_ summary: MigrationSummary, from former: String) {
        (from, to, isFromBackup) = (former, summary.to, summary.from == summary.to)
        steps = summary.steps.map { Self.line($0.word, $0.path, $0.changed) }
        dropped = summary.dropped.map { "\($0.place): \($0.value)" }
    }

    private static func line(_ word: String, _ path: String, _ count: Int) -> String {
        "\(word) \(path): \(count) changed"
    }
}
