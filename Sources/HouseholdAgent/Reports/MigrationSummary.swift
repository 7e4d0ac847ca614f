import LosslessJSON
package import MergeCore

/// The summary of a migration of a profile's file, done or only planned.
package struct MigrationSummary: Codable, Hashable, Sendable {
    package struct Step: Codable, Hashable, Sendable {
        /// The version to which the step leads.
        package var to: String
        /// The kind of step: `rename`, `default`, …
        package var word: String
        package var path: String
        /// The number of places that the step changed.
        package var changed: Int
        /// The reason why the step failed, where it did.
        package var failure: String?
    }

    package struct Value: Codable, Hashable, Sendable {
        package var place: String
        /// The value as JSON text.
        package var value: String
    }

    package var profile: String
    package var file: String?
    /// The version before; none where the save names none.
    package var from: String?
    package var to: String
    /// Whether the migration was only to be shown, not done.
    package var isDryRun: Bool
    package var steps: [Step]
    /// The outermost members that did not change, byte for byte.
    package var kept: [String]
    package var defaulted: [Value]
    package var dropped: [Value]
    package var unmapped: [Value]
    package var unreadable: [Value]
    package var errors: [String]
    package var sizeBefore: Int
    package var sizeAfter: Int
    package var milliseconds: Int64?
    /// The backup that holds the file from before the migration.
    package var backup: String?

    package init(_ report: MigrationReport, profile: String, file: String?, isDryRun: Bool, backup: String?) {
        self.profile = profile
        self.file = file
        self.isDryRun = isDryRun
        self.backup = backup
        (from, to, errors) = (report.from, report.to, report.errors)
        (sizeBefore, sizeAfter) = (report.sizeBefore, report.sizeAfter)
        steps = report.steps.map { step in
            switch step.outcome {
            case .done(let count):
                Step(to: step.to, word: step.step.word, path: step.step.path, changed: count)
            case .failed(let why):
                Step(to: step.to, word: step.step.word, path: step.step.path, changed: 0, failure: why)
            }
        }
        kept = report.kept.map(\.description)
        defaulted = report.defaulted.map(Value.init)
        dropped = report.dropped.map(Value.init)
        unmapped = report.unmapped.map(Value.init)
        unreadable = report.unreadable.map(Value.init)
        milliseconds = report.duration.map { duration in
            let (seconds, attoseconds) = duration.components
            let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
            return overflow ? .max : whole + attoseconds / 1_000_000_000_000_000
        }
    }
}

extension MigrationSummary.Value {
    fileprivate init(_ value: MigrationReport.Value) {
        self.init(place: value.place.description, value: String(decoding: value.value.jsonBytes, as: UTF8.self))
    }
}
