import LosslessJSON
import MergeCore

/// What must hold of a profile's state, whatever atoms another device or a damaged record gave it.
enum StateOracle {
    /// What must hold of stored bytes: they are refused, or read as a state. They are read as changes of a history, too.
    ///
    /// - Returns: One sentence on what does not hold, or nil.
    static func fault(stored bytes: [UInt8]) -> String? {
        if let entry = try? HistoryEntry(time: 0, origin: .save, encodedChanges: bytes) { _ = entry.changes }
        guard let state = try? ProfileState(decoding: bytes) else { return nil }
        return fault(state)
    }

    /// - Returns: One sentence on what does not hold, or nil.
    static func fault(_ state: ProfileState) -> String? {
        guard let stored = try? ProfileState(decoding: state.encoded) else { return "a state cannot be stored" }
        guard stored.vector == state.vector, stored.sortedAtoms == state.sortedAtoms else {
            return "a stored state says something else"
        }
        let atoms = state.delta(beyond: VersionVector())
        var again = state
        again.join(atoms, vector: state.vector)
        guard again.sortedAtoms == state.sortedAtoms else { return "a state that joins itself changes" }
        if let value = Projection.newDocument(of: state) {
            guard (try? JSONValue(parsing: value.jsonBytes)) != nil else { return "what is shown cannot be read again" }
        }
        return nil
    }
}
