import AgentClients
import AgentRuntime
import HouseholdAgent
import LocalFiles
import LosslessJSON
import Synchronization

/// The steps of the demo: two agents find each other and pair, sync a save, are stopped and played on, and sync again.
struct DemoPlay: Sendable {
    /// The result of the demo.
    struct Outcome: Sendable {
        /// The time from starting both agents again until both files were right.
        var together: Duration
        /// How the machines found each other, in the agent's words (`embedded on lo`).
        var discovery: String
    }

    let stage: DemoStage
    let output: DemoOutput

    /// The time limit of each step.
    static let patience = Duration.seconds(30)

    func run() async throws -> Outcome {
        let (laptop, desktop) = (stage.laptop, stage.desktop)
        try await start()
        try await pair()
        try await share()

        try await stage.stop(laptop)
        try await stage.stop(desktop)
        try output.apart()
        try play(laptop)
        // The second change of the name must be later on the clock of any file system.
        try await Task.sleep(for: .milliseconds(50))
        try play(desktop)
        try output.played()

        let begin = ContinuousClock.now
        try await start()
        try await wait("both saves to become one") {
            for machine in [laptop, desktop] {
                guard let file = machine.document(), DemoStory.wrong(machine.machine, in: file).isEmpty else {
                    return false
                }
            }
            return true
        }
        let together = ContinuousClock.now - begin
        return Outcome(together: together, discovery: await discovery(laptop))
    }

    private func start() async throws {
        async let first = stage.start(stage.laptop)
        async let second = stage.start(stage.desktop)
        try output.ready(stage.laptop, try await first, process: await stage.process(stage.laptop))
        try output.ready(stage.desktop, try await second, process: await stage.process(stage.desktop))
    }

    private func pair() async throws {
        let laptop = stage.laptop
        let refusal = Refusal()
        let paired: Void? = try await Limited.run(Self.patience) {
            let (codes, post) = AsyncStream.makeStream(of: String.self)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await laptop.ask(PairRequest()) { shown in post.yield(shown.code) }
                    post.finish()
                }
                group.addTask {
                    for await code in codes {
                        try output.code(code, on: laptop)
                        try await type(code, refusal)
                    }
                }
                // The first failure ends both tasks.
                for try await _ in group {}
            }
        }
        guard paired != nil else { throw await explain("pair the two machines", refusal.last) }
        try output.paired(how: await discovery(laptop))
    }

    /// Types the code on the desktop, and again if it is refused. Another machine of the network that also shows a code
    /// (a second demo, say) may have been tried first, and wrong codes are slowed down.
    private func type(_ code: String, _ refusal: Refusal) async throws {
        while true {
            do {
                try await stage.desktop.ask(JoinRequest(code: code, address: nil))
                return
            } catch let failure as CommandFailure where failure.code == .failed {
                refusal.last = failure.what
            }
            try await Task.sleep(for: .milliseconds(.random(in: 500...2_000)))
        }
    }

    /// Why the code was last refused.
    private final class Refusal: Sendable {
        private let text = Mutex<String?>(nil)

        var last: String? {
            get { text.withLock { $0 } }
            set { text.withLock { $0 = newValue } }
        }
    }

    private func share() async throws {
        let (laptop, desktop) = (stage.laptop, stage.desktop)
        do {
            try AtomicFile.write(Array(DemoStory.save.utf8), to: laptop.save)
            try AtomicFile.write(Array(DemoStory.rules.utf8), to: stage.folder + "/rules.yaml")
        } catch {
            throw CommandFailure("\(laptop.save) \(error.sentence)")
        }
        let rules = try RuleInput.read(stage.folder + "/rules.yaml")
        let brought: Void? = try await Limited.run(Self.patience) {
            try await laptop.ask(AddRequest(path: laptop.save, name: DemoStory.profile, rules: rules))
            try await desktop.ask(RestoreRequest(profile: DemoStory.profile, path: desktop.save))
        }
        guard brought != nil else { throw await explain("bring the save from one machine to the other") }
        try await wait("the save to arrive on the \(desktop.name)") {
            guard let file = desktop.document() else { return false }
            return file.member(file.root, named: "coins").map { file.value($0) } == 100
        }
        try output.shared()
    }

    /// Writes the save as the game would, while no agent runs.
    private func play(_ machine: DemoMachine) throws {
        guard let save = machine.document() else {
            throw CommandFailure("\(machine.save) cannot be read", "run 'hearth demo --keep' and look at it")
        }
        do throws(BoundedFile.Fault) {
            let bytes: [UInt8]
            do { bytes = try DemoStory.played(machine.machine, on: save) } catch { throw .init(sentence: "\(error)") }
            try AtomicFile.write(bytes, to: machine.save)
        } catch {
            throw CommandFailure("\(machine.save) \(error.sentence)")
        }
    }

    /// Checks every 5 milliseconds until `isThere` is true.
    private func wait(_ what: String, until isThere: @Sendable () -> Bool) async throws {
        let end = ContinuousClock.now + Self.patience
        while !isThere() {
            guard ContinuousClock.now < end else { throw await explain("wait for \(what)") }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    private func discovery(_ machine: DemoMachine) async -> String {
        guard let report = try? await machine.ask(StatusRequest()) else { return "unknown" }
        return report.discovery
    }

    /// The failure of a step that took too long, with the reasons the agents know.
    private func explain(_ task: String, _ reason: String? = nil) async -> CommandFailure {
        var troubles = await stage.laptop.troubles()
        // Both machines share one interface, so they may report the same trouble; say it once.
        for trouble in await stage.desktop.troubles() where !troubles.contains(trouble) { troubles.append(trouble) }
        if troubles.isEmpty, let reason { troubles.append(reason) }
        let remedy =
            troubles.isEmpty
            ? "is multicast on the loopback interface blocked, by a firewall or a container?"
            : troubles.joined(separator: "; ")
        return CommandFailure("it took too long to \(task) (over \(Self.patience.components.seconds) s)", remedy)
    }
}
