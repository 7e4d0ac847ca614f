import HouseholdAgent
import ServiceLifecycle

/// Says on the desktop that something waits for the player: one message for each question, and none while the page is
/// open, which shows it. The message goes away when the question is answered, wherever that is done.
///
/// What waits already when the agent starts is said once more: a login reminds of it.
struct QuestionService: Service {
    let desktop: Desktop
    /// Whether the page is open somewhere.
    let isSeen: @Sendable () -> Bool
    /// Tells of every change of the agent.
    let follow: @Sendable () -> AsyncStream<AgentReply>

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var questions = OpenQuestions()
            for await reply in follow() {
                guard let status = reply.message(FollowReport.self)?.status else { continue }
                for number in questions.answered(status) { await desktop.close(number) }
                for question in questions.new(status) where !isSeen() {
                    let number = await desktop.show(
                        question.title, question.text, insteadOf: questions.messages[question.about])
                    questions.messages[question.about] = number
                }
            }
        }
        try? await gracefulShutdown()
    }
}

/// What waits for the player, and what of it was said.
struct OpenQuestions {
    struct Question: Equatable {
        /// The profile's id; another word for what is about no save.
        var about: String
        var title: String
        var text: String
        /// How many decisions there are.
        var count: Int
    }

    /// The numbers of the messages on the desktop, by what they are about.
    var messages: [String: UInt32] = [:]
    private var counts: [String: Int] = [:]

    private static func all(_ status: StatusReport) -> [Question] {
        var all = status.profiles.compactMap { profile -> Question? in
            guard let decisions = profile.decisions, !decisions.isEmpty else { return nil }
            return Question(
                about: profile.id, title: "\(profile.name): a decision waits for you",
                text: decisions.joined(separator: " "), count: decisions.count)
        }
        if let newcomers = status.newcomers, !newcomers.isEmpty {
            all.append(
                Question(
                    about: "newcomers", title: "Another machine let one into the household",
                    text: newcomers.joined(separator: " "), count: newcomers.count))
        }
        return all
    }

    /// What has begun to wait since the report before. Other words about the same decisions are no new question.
    mutating func new(_ status: StatusReport) -> [Question] {
        let all = Self.all(status)
        let new = all.filter { $0.count > counts[$0.about] ?? 0 }
        counts = Dictionary(all.map { ($0.about, $0.count) }, uniquingKeysWith: max)
        return new
    }

    /// The messages about what waits no more; they are forgotten.
    mutating func answered(_ status: StatusReport) -> [UInt32] {
        let open = Set(Self.all(status).map(\.about))
        defer { messages = messages.filter { open.contains($0.key) } }
        return messages.filter { !open.contains($0.key) }.map(\.value).sorted()
    }
}
