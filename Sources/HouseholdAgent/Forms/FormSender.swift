import MergeCore
import ProfileKeeping
import SyncProtocol

/// Sends the form of this device's saves to a device that writes its first file of a profile.
///
/// The text that is sent is the save as it was seen last. A game that is just writing, an unusable file or a pause does
/// not change the text, because the household has all of it already. Local fields are not sent.
struct FormSender {
    /// The time for which a text is kept for further questions.
    static let keepTime = Duration.seconds(30)

    private var questions: [ConnectionID: FormQuestion] = [:]
    /// The texts that are being sent, by link.
    private var texts: [ConnectionID: (profile: ProfileID, text: [UInt8], until: MonotonicTime)] = [:]

    mutating func asked(_ question: FormQuestion, on id: ConnectionID) { questions[id] = question }

    mutating func closed(_ id: ConnectionID) {
        questions[id] = nil
        texts[id] = nil
    }

    /// Answers the open questions: one part on each link.
    ///
    /// - Parameter form: Gives the text of a profile's save without its local fields.
    mutating func tick(now: MonotonicTime, form: (ProfileID) -> [UInt8]?) -> [(id: ConnectionID, answer: FormAnswer)] {
        texts = texts.filter { $0.value.until > now }
        let open = questions.sorted { $0.key < $1.key }
        questions = [:]
        return open.map { ($0.key, answer($0.value, on: $0.key, now: now, form)) }
    }

    private mutating func answer(
        _ question: FormQuestion, on id: ConnectionID, now: MonotonicTime, _ form: (ProfileID) -> [UInt8]?
    ) -> FormAnswer {
        if question.offset == 0 { texts[id] = form(question.profile).map { (question.profile, $0, now) } }
        guard let (profile, text, _) = texts[id], profile == question.profile, text.count <= Limits.formSize,
            question.offset < text.count
        else {
            texts[id] = nil
            return .none
        }
        let end = min(text.count, question.offset + Limits.formPart)
        texts[id] = end == text.count ? nil : (profile, text, now + Self.keepTime)
        return FormAnswer(size: text.count, content: Array(text[question.offset..<end]))
    }
}
