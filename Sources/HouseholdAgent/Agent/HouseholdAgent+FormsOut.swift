import MergeCore
import ProfileKeeping
import SyncProtocol

/// The form of this device's saves, for a device that is to write its first file of a profile.
///
/// What is sent is the save as it was seen last, so a game that is in the middle of writing, a file that cannot be used
/// and a pause change nothing about it: all of it is with the household already. What is local stays here.
extension HouseholdAgent {
    mutating func tickFormsOut(now: Int64) {
        for (id, live) in links.sorted(by: { $0.key < $1.key }) {
            if let outgoing = live.forms.outgoing, outgoing.until <= now { live.forms.outgoing = nil }
            guard let question = live.forms.question else { continue }
            live.forms.question = nil
            perform(live.link.answerForm(answer(question, live, now: now)), on: id, now: now)
        }
    }

    private func answer(_ question: FormQuestion, _ live: LiveLink, now: Int64) -> FormAnswer {
        if question.offset == 0 {
            live.forms.outgoing = keeper.form(question.profile).map { (question.profile, $0, 0) }
        }
        guard let (profile, text, _) = live.forms.outgoing, profile == question.profile,
            text.count <= Limits.formSize, question.offset < text.count
        else {
            live.forms.outgoing = nil
            return .none
        }
        let end = min(text.count, question.offset + Limits.formPart)
        live.forms.outgoing = end == text.count ? nil : (profile, text, now + LinkForms.keepTime)
        return FormAnswer(size: text.count, content: Array(text[question.offset..<end]))
    }
}
