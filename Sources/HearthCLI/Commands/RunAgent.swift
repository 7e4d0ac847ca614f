import AgentRuntime
import ArgumentParser
import HTTPInterface
import Libc
import Logging
import LosslessJSON

/// `hearth agent`: runs an agent until it is stopped.
struct RunAgent: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "agent",
        abstract: "Keep everything in step while it runs (Ctrl-C ends it).",
        discussion: """
            Prints one line once it is ready. What happens afterwards is logged to standard error. 'hearth service install' \
            has it started at every login instead.

            config.yaml in Hearth's folder may name the program that plays a save: while it runs, nothing is written \
            into the save. It may also name the machines of the household that may copy this machine's daily backups \
            (sharesBackups), and say that this machine keeps copies of those that others share with it \
            (keepsBackupsOfOthers). Both are needed, each on its machine. A backup is the whole save, with the fields \
            that are local; 'hearth backup-key create' on the machine that shares encrypts it. SIGHUP has it read again.

              profiles:
                My game: {process: my-game}
              sharesBackups: [nas]
              keepsBackupsOfOthers: true

            Examples:
              hearth agent
              hearth agent --name "Living room" --port 4000
              hearth agent --peer 192.168.1.20:4000
            """
    )

    @OptionGroup(title: "Network") var network: AgentOptions

    @Option(help: ArgumentHelp("What to call this machine (else its host name).", valueName: "name"))
    var name: String?

    @Flag(help: "Log every detail.")
    var verbose = false

    @Flag(help: .hidden)
    var untilInputEnds = false

    @OptionGroup var shared: SharedOptions

    func validate() throws {
        if name?.isEmpty == true { throw ValidationError("--name is empty; leave it out, or give a name.") }
    }

    func run() async throws {
        // If the reader of the output or of the log goes away, the agent must go on.
        signal(SIGPIPE, SIG_IGN)
        var configuration = network.configuration(try shared.hearthHome())
        configuration.deviceName = name
        var logger = Logger(label: "hearth") { JournalLog.onStandardError($0) }
        logger.logLevel = verbose ? .debug : .info
        if untilInputEnds { InputWatch.stopWhenInputEnds() }
        let json = shared.json
        try await HearthAgent.run(configuration, logger: logger, page: Self.page) { ready in
            // A line that cannot be written is no reason to stop the agent.
            try? Console.result(json ? Self.line(ready) : Array(Self.sentence(ready).utf8))
        }
    }

    /// What serves the page of the agent, once 'hearth page' asks for it.
    private static func page(_ agent: AgentPage.Agent) -> AgentPage {
        let server = PageServer(
            home: agent.home.path, logger: agent.logger,
            counters: { agent.counters().map { CounterSample(name: $0.name, help: $0.help, value: $0.value) } },
            submit: agent.submit)
        return AgentPage(service: server, open: server.open) { server.isSeen }
    }

    private static func line(_ ready: AgentReady) -> [UInt8] {
        ReplyJSON.line(
            event: "ready",
            [
                "device": .text(ready.device), "name": .text(ready.name), "port": .number(JSONNumber(ready.port)),
                "discovery": .text(ready.discovery), "recovered": .array(ready.recovered.map(JSONValue.text)),
            ]
        )
    }

    private static func sentence(_ ready: AgentReady) -> String {
        let recovered =
            ready.recovered.isEmpty
            ? ""
            : "; recovered after a crash: \(ready.recovered.map(PlainText.line).joined(separator: ", "))"
        return
            "\(PlainText.line(ready.name)) is ready: port \(ready.port), discovery "
            + "\(PlainText.line(ready.discovery))\(recovered)\n"
    }
}
