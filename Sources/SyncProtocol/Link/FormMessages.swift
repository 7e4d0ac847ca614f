package import MergeCore

/// Asks for a part of the form of a save: its text without what is local.
package struct FormQuestion: Hashable, Sendable {
    package let profile: ProfileID
    /// Where the part begins; at 0 a text as it is now.
    package let offset: Int

    package init(profile: ProfileID, offset: Int) { (self.profile, self.offset) = (profile, offset) }
}

/// A part of the form of a save.
package struct FormAnswer: Hashable, Sendable {
    /// Bytes of the whole text; 0 where there is none, or no more.
    package let size: Int
    package let content: [UInt8]

    package init(size: Int, content: [UInt8]) { (self.size, self.content) = (size, content) }

    /// There is no text to be had.
    package static let none = FormAnswer(size: 0, content: [])
}

/// What a link knows of forms: which question is open in either direction.
struct FormTalk {
    /// What this side asked, and how large the text is where a part of it came before.
    var asked: (question: FormQuestion, size: Int?)?
    /// Whether the peer waits for an answer.
    var isAsked = false
}
