import MergeCore
import SyncProtocol

/// The questions of other devices for digests, and when each is answered.
///
/// A digest of a large save takes long, and while it is made, nothing else is done. So a device that asks for large ones
/// waits longer for its next answer, also over another link, and the same question is answered once.
struct DigestAnswers {
    /// The time between two answers to one device, at least.
    static let pause = Duration.seconds(1)
    /// The time added to the pause for each step of work that the last answer took: about twenty times as long as the
    /// step takes.
    private static let pauseForStep = Duration.microseconds(40)
    /// Bytes that count as one step.
    private static let step = 128

    private struct Last {
        let question: DigestQuestion
        let vector: [UInt8]
        let answer: DigestAnswer
    }

    private var questions: [ConnectionID: (device: DeviceID, question: DigestQuestion)] = [:]
    /// When a device is answered again.
    private var next: [DeviceID: MonotonicTime] = [:]
    private var last: [DeviceID: Last] = [:]

    /// The time at which an answer is due.
    var deadline: MonotonicTime? { questions.values.map { next[$0.device] ?? .min }.min() }

    mutating func asked(_ question: DigestQuestion, by device: DeviceID, on id: ConnectionID) {
        questions[id] = (device, question)
    }

    mutating func closed(_ id: ConnectionID) { questions[id] = nil }

    /// The questions that are to be answered now.
    mutating func take(now: MonotonicTime) -> [(id: ConnectionID, device: DeviceID, question: DigestQuestion)] {
        var due: [(id: ConnectionID, device: DeviceID, question: DigestQuestion)] = []
        for (id, open) in questions.sorted(by: { $0.key < $1.key }) where next[open.device].map({ $0 <= now }) ?? true {
            questions[id] = nil
            next[open.device] = now + Self.pause
            due.append((id, open.device, open.question))
        }
        return due
    }

    /// The last answer to a device, if it was to this question and nothing has changed since.
    ///
    /// - Parameter vector: The digest of the vector now.
    func known(_ question: DigestQuestion, of device: DeviceID, vector: [UInt8]) -> DigestAnswer? {
        guard let last = last[device], last.question == question, last.vector == vector else { return nil }
        return last.answer
    }

    /// Keeps an answer.
    ///
    /// - Parameters:
    ///   - atoms: The atoms that went into it.
    ///   - bytes: Their bytes.
    mutating func keep(
        _ answer: DigestAnswer, to question: DigestQuestion, of device: DeviceID, atoms: Int, bytes: Int,
        now: MonotonicTime
    ) {
        last[device] = Last(question: question, vector: answer.vector, answer: answer)
        next[device] = now + Self.pause + Self.pauseForStep * (atoms + bytes / Self.step)
    }

    /// A profile changed without its vector.
    mutating func changed(_ profile: ProfileID) { last = last.filter { $0.value.question.profile != profile } }
}
