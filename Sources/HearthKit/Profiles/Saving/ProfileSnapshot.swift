package import LosslessJSON
package import MergeCore

/// A save and the profile that was read from it. A change of the profile is written against this text.
package struct ProfileSnapshot<Subject: Profile>: Sendable {
    package let document: JSONDocument
    package let profile: Subject
    /// The profile as it was coded, to be reused by the next save.
    let node: CodedNode
    let respelled: [JSONValue: Set<JSONValue>]
    let schema: PartSchema
    let rules: RuleSet

    /// A save after the game's changes.
    package struct Edited: Sendable {
        /// The text; the same bytes where nothing changed.
        package let text: [UInt8]
        /// The places of choices that the player decided.
        package let decided: [DocumentPath]
        let profile: Subject
        let node: CodedNode
    }

    /// Writes a changed profile into the text. Every byte that no change touches stays as it was.
    package func edited(_ profile: Subject) throws(ProfileError) -> Edited {
        try ProfileCodec<Subject>.wrapping(.value) {
            let notes = EncodingNotes(remembers: true)
            let new = try ProfileEncoder.remembered(profile, after: node, notes: notes)
            try ValueCheck.run(new.coded, since: node.coded, schema, FieldPath(Subject.self))
            let text = try ProfilePatch.text(
                document, from: node.coded, to: new.coded, .part(schema), respelled: respelled)
            var decided: [DocumentPath] = []
            if !notes.decided.isEmpty {
                let after = try JSONDocument(parsing: text)
                decided = notes.decided.compactMap { DocumentPath($0, in: after, rules: rules) }
            }
            return Edited(text: text, decided: decided, profile: profile, node: new)
        }
    }

    /// The save after a change, with what only grows as high as it was; `nil` where the change lowered nothing of that.
    ///
    /// - Parameter changed: The text of ``edited(_:)``.
    package func raised(_ changed: JSONDocument) throws -> JSONDocument? {
        guard DocumentDiff(from: document, to: changed, rules: rules).losesGrowOnly else { return nil }
        let former = ThreeWayMerge.Side(document, time: 0)
        let raised = try ThreeWayMerge(
            a: .init(changed, time: 1), b: former, base: former, rules: rules, isPlay: true)
        return try JSONDocument(parsing: raised.bytes)
    }

    /// The snapshot after a change, once the changed containers have been read back successfully.
    ///
    /// - Parameter document: The text of `edited`.
    /// - Throws: ``ProfileError`` with ``ProfileError/Code/value`` where the change cannot be read back.
    package func following(_ edited: Edited, _ document: JSONDocument) throws(ProfileError) -> ProfileSnapshot {
        do {
            try ProfileDecoder.check(Subject.self, CodedChange(now: edited.node, before: node))
        } catch {
            throw ProfileError(.value, "\(Subject.self)", "could not be read again, so it was not saved: \(error)")
        }
        return ProfileSnapshot(
            document: document, profile: edited.profile, node: edited.node, respelled: respelled, schema: schema,
            rules: rules)
    }
}
