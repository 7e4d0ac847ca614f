package import MergeCore

/// The form of a save: what a device that writes its first file asks of one that has a file.
extension PeerLink {
    /// What a device that answers such questions names in its Hello.
    static var formFeature: String { "forms" }

    /// Whether the peer answers questions for a form.
    package var peerHasForms: Bool { greeting?.features.contains(Self.formFeature) == true }

    /// Whether a question is open, so that no other may be asked.
    package var isAskingForForm: Bool {
        switch phase {
        case .greeting(let session): session.forms.asked != nil
        case .open(let open): open.session.forms.asked != nil
        default: false
        }
    }

    /// Asks for the part of a profile's save that begins at `offset`, as text without what is local. One question at a
    /// time: the next one after ``LinkAction/formPart(_:_:)``.
    ///
    /// - Parameter size: What the parts before said the whole text has; `nil` at the beginning.
    package mutating func askForForm(of profile: ProfileID, from offset: Int, size: Int?) -> [LinkAction] {
        withSession { session throws(ProtocolFault) in session.askForForm(of: profile, from: offset, size: size) }
    }

    /// Answers ``LinkAction/formAsked(_:)`` with at most ``Limits/formPart`` bytes.
    package mutating func answerForm(_ answer: FormAnswer) -> [LinkAction] {
        withSession { session throws(ProtocolFault) in session.answerForm(answer) }
    }
}
