import MergeCore
import ProfileKeeping
import SyncProtocol

/// The form of this device's saves, for a device that is to write its first file of a profile.
///
/// What is sent is the save as it was seen last, so a game that is in the middle of writing, a file that cannot be used
/// and a pause change nothing about it: all of it is with the household already. What is local stays here.
struct FormSender {
    /// Milliseconds a text is kept for the rest of the questions.
    static let keepTime: Int64 = 30_000

    private var questions: [ConnectionID: FormQuestion] = [:]
    /// What is being sent.
    private var texts: [ConnectionID: (profile: ProfileID, text: [UInt8], until: Int64)] = [:]

    mutating func asked(_ question: FormQuestion, on id: ConnectionID) { questions[id] = question }

    mutating func closed(_ id: ConnectionID) {
        questions[id] = nil
        texts[id] = nil
    }

    /// Answers what was asked: one part over each link.
    ///
    /// - Parameter form: The text of a profile's save, as it may be sent.
    mutating func tick(now: Int64, form: (ProfileID) -> [UInt8]?) -> [(id: ConnectionID, answer: FormAnswer)] {
        texts = texts.filter { $0.value.until > now }
        let open = questions.sorted { $0.key < $1.key }
        questions = [:]
        return open.map { ($0.key, answer($0.value, on: $0.key, now: now, form)) }
    }

    private mutating func answer(
        _ question: FormQuestion, on id: ConnectionID, now: Int64, _ form: (ProfileID) -> [UInt8]?
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
