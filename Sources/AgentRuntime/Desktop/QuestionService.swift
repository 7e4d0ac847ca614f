import HouseholdAgent
import Libc
import ServiceLifecycle

/// Says on the desktop that something waits for the player: one message for each question, and none while the page is
/// open, which shows it. The message goes away when the question is answered, wherever that is done.
///
/// After each start of the agent, so at a login, a question that is still open gets a message again, as a reminder.
struct QuestionService: Service {
    let desktop: Desktop
    let host: AgentHost
    /// Whether the page is open somewhere.
    let isSeen: @Sendable () -> Bool

    /// A message may come so much later than its question. Whoever is told of every change instead has the agent make a
    /// report at each, and one wakes it.
    private static let interval = Duration.seconds(10)
    /// With very many saves a report costs processor time; so many times that long nothing is asked again.
    private static let rest = 200
    /// The longest wait, also where nothing has changed. What the agent did besides counts as processor time as well.
    private static let longest = Duration.seconds(600)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var questions = OpenQuestions()
            var (pause, seen) = (Self.interval, UInt64.max)
            while true {
                let (known, late) = (seen, ContinuousClock.now + Self.longest)
                await Looks.wait(every: pause) { host.changes != known || .now >= late }
                guard !Task.isCancelled else { return }
                let (before, present) = (Self.processorTime, host.changes)
                if let status = await status() {
                    // The request for the report is a change too: without it, each report would be the reason for the next.
                    seen = present &+ 1
                    await say(status, &questions)
                }
                pause = min(Self.longest, max(Self.interval, (Self.processorTime - before) * Self.rest))
            }
        }
    }

    /// How everything is; `nil` where the agent does not say.
    private func status() async -> StatusReport? {
        for await reply in host.submit(StatusRequest()) { return reply.message(StatusReport.self) }
        return nil
    }

    /// The processor time that this process has used so far. Unlike the clock, it does not go on while the machine sleeps, or
    /// works on something else.
    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    private func say(_ status: StatusReport, _ questions: inout OpenQuestions) async {
        for number in questions.answered(status) { await desktop.close(number) }
        for question in questions.new(status) where !isSeen() {
            let number = await desktop.show(
                question.title, question.text, insteadOf: questions.messages[question.about])
            questions.messages[question.about] = number
        }
    }
}

/// The questions that wait for an answer of the player, and the messages on the desktop about them.
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

    /// The questions that were not there in the report before, each of which gets a message. A save is in it again only if
    /// it has more decisions than before; a decision that is merely worded otherwise is not new.
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
