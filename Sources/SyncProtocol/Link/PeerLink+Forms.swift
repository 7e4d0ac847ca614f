package import MergeCore

/// The form of a save: a device that writes its first file of a profile asks for it from one that has a file.
extension PeerLink {
    /// The feature that a Hello names if the device answers questions for a form.
    static var formFeature: String { "forms" }

    /// Whether the peer answers questions for a form.
    package var peerHasForms: Bool { greeting?.features.contains(Self.formFeature) == true }

    /// Whether this side's question is still open. The next one must wait for the answer.
    package var isAskingForForm: Bool {
        switch phase {
        case .greeting(let session): session.forms.asked != nil
        case .open(let open): open.session.forms.asked != nil
        default: false
        }
    }

    /// Asks for the part of a profile's save that begins at `offset`, as text without its local fields. Ask one
    /// question at a time: the next one after ``LinkAction/formPart(_:_:)``.
    ///
    /// - Parameter size: The size of the whole text, as the earlier parts gave it; `nil` at the beginning.
    package mutating func askForForm(of profile: ProfileID, from offset: Int, size: Int?) -> [LinkAction] {
        withSession { session throws(ProtocolFault) in session.askForForm(of: profile, from: offset, size: size) }
    }

    /// Answers ``LinkAction/formAsked(_:)`` with at most ``Limits/formPart`` bytes.
    package mutating func answerForm(_ answer: FormAnswer) -> [LinkAction] {
        withSession { session throws(ProtocolFault) in session.answerForm(answer) }
    }
}
