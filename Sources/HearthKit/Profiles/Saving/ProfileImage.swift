package import LosslessJSON
package import MergeCore

/// A save and the profile that was read from it: what a change is written against.
package struct ProfileImage<Subject: Profile>: Sendable {
    /// The save.
    package let document: JSONDocument
    /// What it holds.
    package let profile: Subject
    let coded: CodedValue
    let respelled: [JSONValue: Set<JSONValue>]
    let schema: PartSchema
    let rules: RuleSet

    /// A save with the game's changes in it.
    package struct Edited: Sendable {
        /// The text; the same bytes where nothing changed.
        package let text: [UInt8]
        /// The choices that the player decided, by their places.
        package let decided: [DocumentPath]
        /// The changed profile, so that the next image need not find it out again.
        let coded: CodedValue
    }

    /// Brings a changed profile into the text. Every byte that no change touches stays as it was.
    package func edited(_ profile: Subject) throws(ProfileError) -> Edited {
        try ProfileCodec<Subject>.wrapping(.value) {
            let notes = EncodingNotes()
            let new = try ProfileEncoder.profile(profile, notes: notes)
            try ValueCheck.run(new, schema, FieldPath(Subject.self))
            let text = try ProfilePatch.text(document, from: coded, to: new, .part(schema), respelled: respelled)
            guard !notes.decided.isEmpty else { return Edited(text: text, decided: [], coded: new) }
            let after = try JSONDocument(parsing: text)
            return Edited(
                text: text,
                decided: notes.decided.compactMap { DocumentPath($0, in: after, rules: rules) },
                coded: new
            )
        }
    }
}
