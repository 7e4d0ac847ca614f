package import MergeCore

/// A request for a part of a save's form: the text of the save without its local fields.
package struct FormQuestion: Hashable, Sendable {
    package let profile: ProfileID
    /// The byte offset of the part. At offset 0 the peer takes the text as it is now; later parts are of that text.
    package let offset: Int

    package init(profile: ProfileID, offset: Int) { (self.profile, self.offset) = (profile, offset) }
}

/// One part of a save's form, as the answer to a ``FormQuestion``.
package struct FormAnswer: Hashable, Sendable {
    /// Bytes of the whole text; 0 if the peer has no text, or no longer the text of the first part.
    package let size: Int
    package let content: [UInt8]

    package init(size: Int, content: [UInt8]) { (self.size, self.content) = (size, content) }

    /// The answer that says that there is no text.
    package static let none = FormAnswer(size: 0, content: [])
}

/// The state of a link about forms of saves: the open question in each direction.
struct FormExchange {
    /// This side's open question, and the size of the whole text if an earlier part has given it.
    var asked: (question: FormQuestion, size: Int?)?
    /// Whether the peer waits for this side's answer.
    var isAsked = false
}
