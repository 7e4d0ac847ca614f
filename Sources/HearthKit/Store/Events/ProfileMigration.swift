import LosslessJSON
import MergeCore

/// What was done to a save of an earlier version when it was opened; a backup of it was kept before.
public struct ProfileMigration: Hashable, Sendable {
    /// The version that the save had; `nil` where it said none.
    public let from: String?
    /// The version it has now.
    public let to: String
    /// What each step did, one line each.
    public let steps: [String]
    /// What was dropped, each with its place.
    public let dropped: [String]

    init(_ save: LiftedSave, to version: String) {
        (from, to) = (save.from, version)
        steps = save.reports.flatMap { report in
            report.steps.map { step in
                switch step.outcome {
                case .done(let count): "\(step.step.word) \(step.step.path): \(count) changed"
                case .failed(let why): "\(step.step.word) \(step.step.path): \(why)"
                }
            }
        }
        dropped = save.reports.flatMap { report in
            report.dropped.map { "\($0.place): \(String(decoding: $0.value.jsonBytes, as: UTF8.self))" }
        }
    }
}
