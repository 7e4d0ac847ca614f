import LosslessJSON
import MergeCore
import Testing

/// A path of a test.
func at(_ text: String) -> RulePattern {
    do {
        return try RulePattern(parsing: text)
    } catch {
        Issue.record("\(text) is no path: \(error)")
        return try! RulePattern(parsing: "")
    }
}

func pointer(_ text: String) -> JSONPointer {
    do {
        return try JSONPointer(parsing: text)
    } catch {
        Issue.record("\(text) is no pointer: \(error)")
        return .root
    }
}

/// Rules whose saves keep their version at /v.
func versioned(
    _ migrations: [Migration],
    legacy: Migration? = nil,
    _ list: KeyValuePairs<String, MergeRule> = [:]
) -> RuleSet {
    do {
        return try RuleSet(
            rules(list).entries,
            version: migrations.last?.to ?? "2",
            versionAt: "/v",
            migrations: migrations,
            legacy: legacy
        )
    } catch {
        Issue.record("the rules of a test are wrong: \(error)")
        return .empty
    }
}

/// Rules with steps from version 1 to version 2.
func stepping(_ steps: MigrationStep...) -> RuleSet { versioned([Migration(from: "1", to: "2", steps: steps)]) }

extension MigrationResult {
    var string: String? { text.map { MergeCoreTests.text($0) } }

    var outcomes: [MigrationReport.Outcome] { report.steps.map(\.outcome) }
}
