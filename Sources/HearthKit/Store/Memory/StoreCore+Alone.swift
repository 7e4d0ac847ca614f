import DiskStore
import LosslessJSON
import MergeCore

/// Stores without an agent.
extension StoreCore {
    /// Resets on this device only. A backup is made before.
    func resetAlone(_ scope: String?) async throws {
        try checkOpen()
        let rules = saveSession.codec.rules
        let patterns = try Self.patterns(scope, rules)
        try await mutex.withLock {
            try await DiskQueue.shared.run { [self] in
                do {
                    let steps = try saveSession.rewrite { document in
                        try file.backUp(document.bytes)
                        return try Self.reset(document, patterns, rules)
                    }
                    publish(steps, nil, as: .reset)
                } catch {
                    throw StoreError.of(error, at: saveSession.file.path)
                }
            }
        }
    }

    private static func patterns(_ scope: String?, _ rules: RuleSet) throws(StoreError) -> [RulePattern] {
        guard let scope else { return rules.resets.flatMap(\.patterns) }
        guard let chosen = rules.resets.first(where: { $0.name == scope }) else {
            let names = rules.resets.map(\.name).joined(separator: ", ")
            throw StoreError(
                .agent, "\(Subject.self) has no reset \"\(scope)\"; it has: \(names.isEmpty ? "none" : names)")
        }
        return chosen.patterns
    }

    /// The save after the reset, as an agent would write it.
    private static func reset(_ document: JSONDocument, _ patterns: [RulePattern], _ rules: RuleSet) throws -> [UInt8] {
        let context = WriteContext(
            replica: ReplicaID(high: 0, low: 1), now: 0, fileTime: 0, base: VersionVector())
        var state = ProfileState()
        _ = state.changeRules(to: rules, document: nil, context)
        _ = state.adopt(document, context)
        let selector = patterns.isEmpty ? PathSelector.everything : PathSelector(patterns: patterns)
        _ = try state.reset(selector, scope: nil, to: nil, context)
        return try document.patched(Projection(of: state, onto: document).edits)
    }
}
