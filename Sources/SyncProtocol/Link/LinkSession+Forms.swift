import MergeCore

/// Messages about the form of a save, sent and received; see Sync.proto. Everything that the peer sends is limited
/// here, before other code uses it.
extension LinkSession {
    // MARK: Sending

    mutating func askForForm(of profile: ProfileID, from offset: Int, size: Int?) -> [LinkAction] {
        precondition(forms.asked == nil, "a form is asked for before the last question was answered")
        forms.asked = (FormQuestion(profile: profile, offset: offset), size)
        var message = WireFormRequest()
        let (number, bytes) = outgoing.profile(profile)
        message.profile = number
        if !bytes.isEmpty { message.profileID = bytes.wire }
        message.offset = UInt64(offset)
        return [.send(WireFrame.bytes(.formRequest(message)))]
    }

    mutating func answerForm(_ answer: FormAnswer) -> [LinkAction] {
        precondition(answer.content.count <= Limits.formPart, "a part of \(answer.content.count) bytes is too much")
        guard forms.isAsked else { return [] }
        forms.isAsked = false
        var message = WireFormPart()
        message.size = UInt64(answer.size)
        // A text of a save is mostly names that come again and again.
        let plain = answer.content
        let packed = plain.count > Limits.worthPacking ? Deflate.compressed(plain) : plain
        if packed.count < plain.count { message.packed = packed.wire } else { message.content = plain.wire }
        return [.send(WireFrame.bytes(.formPart(message)))]
    }

    // MARK: Receiving

    mutating func receive(_ message: WireFormRequest) throws(ProtocolFault) -> [LinkAction] {
        guard !forms.isAsked else { throw ProtocolFault("it asks for a part of a form before it has the last one") }
        let profile = try incoming.profile(message.profile, message.profileID)
        guard message.offset < UInt64(Limits.formSize) else {
            throw ProtocolFault("a form is asked for from byte \(message.offset)")
        }
        forms.isAsked = true
        return [.formAsked(FormQuestion(profile: profile, offset: Int(message.offset)))]
    }

    mutating func receive(_ message: WireFormPart) throws(ProtocolFault) -> [LinkAction] {
        guard let (question, known) = forms.asked else { throw ProtocolFault("a part of a form came unasked") }
        let content = try unpacked(message)
        guard content.count <= Limits.formPart else {
            throw ProtocolFault("a part of a form has \(content.count) bytes, more than \(Limits.formPart)")
        }
        guard message.size <= UInt64(Limits.formSize) else {
            throw ProtocolFault("a form of \(message.size) bytes is sent; at most \(Limits.formSize) are taken")
        }
        let size = Int(message.size)
        if size > 0 {
            guard size == known ?? size else { throw ProtocolFault("a form changes its size while it is sent") }
            guard !content.isEmpty else { throw ProtocolFault("a part of a form is empty") }
        }
        guard content.count <= max(0, size - question.offset) else {
            throw ProtocolFault("a form is longer than it was said to be")
        }
        forms.asked = nil
        return [.formPart(question, FormAnswer(size: size, content: content))]
    }

    /// The bytes of a part, inflated if they were compressed: never more than one part may have.
    private func unpacked(_ message: WireFormPart) throws(ProtocolFault) -> [UInt8] {
        guard !message.packed.isEmpty else { return message.content.array }
        guard message.content.isEmpty else { throw ProtocolFault("a part of a form is compressed in part") }
        return try Deflate.inflated(message.packed.array, limit: Limits.formPart)
    }
}
