import LosslessJSON
import Testing

@testable import MergeCore

/// Moves of a device whose game gets another version.
extension Device {
    /// This device's rules are changed, and its file with them.
    mutating func raise(to rules: RuleSet) {
        let document = snapshots.last?.document
        _ = state.changeRules(to: rules, document: document, context(state.vector))
        upcastFile()
    }

    /// The game here got the version of the rules, and its file with it.
    mutating func upcastFile() {
        touched = nil
        guard let last = snapshots.last?.document, let text = Migration.run(last, rules: state.rules).text else {
            return
        }
        file = text
        snapshots = [Snapshot(document: document(MergeCoreTests.text(text)), vector: state.vector)]
        project()
    }

    /// The game here is of an earlier version than the rules: what it saves is upcast to be measured.
    mutating func saveBehind(_ save: String) {
        let rules = state.rules
        guard let base = snapshots.last, let new = Migration.measured(document(save), rules: rules),
            let old = Migration.measured(base.document, rules: rules)
        else {
            Issue.record("\(save) cannot be upcast")
            return
        }
        let diff = DocumentDiff(from: old, to: new, rules: rules)
        _ = state.write(diff.writes, context(base.vector))
        var stands = base.vector
        if let own = state.vector.entries[replica] { stands.advance(replica, to: own) }
        file = Array(save.utf8)
        snapshots = [Snapshot(document: document(save), vector: stands)]
        touched = nil
    }
}

extension ProfileState {
    /// Everything that shows or is hidden, in key order, with whether it counts.
    var view: [String] {
        (0..<table.recordCount).compactMap { number in
            keyedAtom(at: number).map {
                "\($0.key.path) \($0.key.kind.rawValue) \($0.key.sub) \($0.atom) \(isHidden(number))"
            }
        }.sorted()
    }

    /// The same state as a record would load it.
    var restored: ProfileState { ProfileState(restoring: sortedAtoms, vector: vector) }
}

/// Rules of a version, with all steps that lead to it.
func rulesOf(
    _ version: Int, _ steps: [[MigrationStep]], _ list: KeyValuePairs<String, MergeRule> = [:]
) -> RuleSet {
    let migrations = steps.enumerated().map { Migration(from: "\($0 + 1)", to: "\($0 + 2)", steps: $1) }
    do {
        return try RuleSet(
            rules(list).entries,
            version: "\(version)",
            versionAt: "/v",
            migrations: Array(migrations.prefix(version - 1))
        )
    } catch {
        Issue.record("the rules of a test are wrong: \(error)")
        return .empty
    }
}
