import MergeCore
import SyncProtocol
import Testing

@testable import HouseholdAgent

/// The form of a save is sent in parts of the text as it was when it was first asked for.
@Suite struct FormSenderTests {
    private let save = ProfileID(high: 0, low: 1)
    private let link = ConnectionID(rawValue: 1)
    private let text = (0..<(2 * Limits.formPart + 10)).map { UInt8($0 % 251) }

    private func ask(
        _ sender: inout FormSender, _ offset: Int, now: MonotonicTime = 0, on id: ConnectionID? = nil,
        _ form: [UInt8]?
    ) -> FormAnswer? {
        sender.asked(FormQuestion(profile: save, offset: offset), on: id ?? link)
        let answers = sender.tick(now: now) { _ in form }
        #expect(answers.count == 1 && answers.first?.id == id ?? link)
        return answers.first?.answer
    }

    @Test func aTextGoesInPartsAndStaysWhatItWas() {
        var sender = FormSender()
        var received: [UInt8] = []
        for offset in [0, Limits.formPart, 2 * Limits.formPart] {
            // The game saves meanwhile.
            let answer = ask(&sender, offset, offset == 0 ? text : [1, 2, 3])
            #expect(answer?.size == text.count)
            received += answer?.content ?? []
        }
        #expect(received == text)
        #expect(ask(&sender, Limits.formPart, text) == FormAnswer.none, "it was sent as a whole")
        let answers = sender.tick(now: 0) { _ in text }
        #expect(answers.isEmpty, "nobody asks")
    }

    @Test func whatIsNotThereIsNotSent() {
        var sender = FormSender()
        #expect(ask(&sender, 0, nil) == FormAnswer.none)
        #expect(ask(&sender, 0, []) == FormAnswer.none)
        #expect(ask(&sender, Limits.formPart, text) == FormAnswer.none, "no text was begun")
        #expect(ask(&sender, 0, Array(repeating: 0, count: Limits.formSize + 1)) == FormAnswer.none)
        // Beyond the end.
        _ = ask(&sender, 0, text)
        #expect(ask(&sender, text.count, text) == FormAnswer.none)
    }

    @Test func aTextIsKeptForAWhileAndForItsLinkAlone() {
        var sender = FormSender()
        _ = ask(&sender, 0, text)
        let other = ConnectionID(rawValue: 2)
        #expect(ask(&sender, Limits.formPart, on: other, text) == FormAnswer.none)
        let last = MonotonicTime(milliseconds: 0) + FormSender.keepTime - .milliseconds(1)
        #expect(ask(&sender, Limits.formPart, now: last, text)?.size == text.count)
        #expect(ask(&sender, 2 * Limits.formPart, now: last + FormSender.keepTime, text) == FormAnswer.none)
        _ = ask(&sender, 0, text)
        sender.closed(link)
        #expect(ask(&sender, Limits.formPart, text) == FormAnswer.none)
    }

    @Test func aLinkThatIsClosedIsNotAnswered() {
        var sender = FormSender()
        sender.asked(FormQuestion(profile: save, offset: 0), on: link)
        sender.closed(link)
        let answers = sender.tick(now: 0) { _ in text }
        #expect(answers.isEmpty)
    }
}
