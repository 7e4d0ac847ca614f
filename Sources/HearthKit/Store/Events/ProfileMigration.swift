import HouseholdAgent
import LosslessJSON
import MergeCore

/// What was done to a save of another version: to one of an earlier version when it was opened, or by
/// ``ProfileStore/rollBack(to:)``. A backup of it was kept before.
public struct ProfileMigration: Hashable, Sendable {
    /// The version that the save had; `nil` where it said none.
    public let from: String?
    /// The version it has now.
    public let to: String
    /// What each step did, one line each.
    public let steps: [String]
    /// What was dropped, each with its place.
    public let dropped: [String]
    /// Whether steps could not be taken back, so that a backup from before the migration took the save's place: what
    /// was played since is not in the file.
    public let isFromBackup: Bool

    init(_ save: MigratedSave, to version: String) { self.init(save.reports, from: save.from, to: version) }

    /// - Parameter reports: None for a backup in the save's place.
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

    /// A roll back as an agent tells it: with a backup the steps begin where they end.
    init(_ summary: MigrationSummary, from former: String) {
        (from, to, isFromBackup) = (former, summary.to, summary.from == summary.to)
        steps = summary.steps.map { Self.line($0.word, $0.path, $0.changed) }
        dropped = summary.dropped.map { "\($0.place): \($0.value)" }
    }

    private static func line(_ word: String, _ path: String, _ count: Int) -> String {
        "\(word) \(path): \(count) changed"
    }
}
