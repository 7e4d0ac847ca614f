import HearthKit
import LosslessJSON
import MergeCore

extension SimulatedGame {
    /// A game in Swift that keeps this type. Its text is read and written as ``HearthKit/ProfileStore`` does it: only
    /// what changed is edited, and what only grows stays.
    static func typed<Subject: Profile>(
        _ type: Subject.Type, beginning: Subject, samples: [Subject] = [], moves: [Move] = [],
        invariants: [Invariant] = []
    ) throws -> SimulatedGame {
        let codec = try ProfileCodec<Subject>()
        return SimulatedGame(
            rules: codec.rules, beginning: try codec.newText(beginning),
            whole: { text in
                try codec.value(codec.snapshot(JSONDocument(parsing: text)).profile)
            },
            edited: { text, edits in
                let snapshot = try codec.snapshot(JSONDocument(parsing: text))
                let whole = try edits.applied(to: codec.value(snapshot.profile), codec.rules)
                let profile = try codec.profile(whole)
                try SaveEditFault.check(edits, of: whole, areIn: codec.value(profile), codec.rules)
                return try snapshot.text(profile)
            },
            samples: try samples.map { try codec.value($0) }, moves: moves, invariants: invariants,
            language: .naming(type), hasOwnBeginning: try codec.newText(beginning) != codec.newText(Subject()))
    }
}

extension ProfileSnapshot {
    /// The text of the save with another profile in it, as a store writes it.
    func text(_ profile: Subject) throws -> [UInt8] {
        let text = try edited(profile).text
        return try raised(JSONDocument(parsing: text))?.bytes ?? text
    }
}
