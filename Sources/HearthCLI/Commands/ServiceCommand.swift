import AgentRuntime
import ArgumentParser
import HouseholdAgent

/// `hearth service install`, `status` and `uninstall`: the agent as a service of this user.
struct ServiceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service",
        abstract: "Have the agent started at every login.",
        discussion: """
            Under systemd on Linux, SteamOS too, and under launchd on macOS. It needs no rights of an administrator, and \
            writes one file, in your home folder; none where a package brought it along. What Hearth keeps is touched by \
            none of these commands.

            A service of yours ends when you log out. On a machine that nobody logs in to, 'loginctl enable-linger' has \
            your services started with the machine and never ended.

            Examples:
              hearth service install
              hearth service install --peer 192.168.1.20:4000
              hearth service status
            """,
        subcommands: [Install.self, Status.self, Uninstall.self]
    )

    struct Install: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Have the agent started now, at every login, and after a crash.",
            discussion: """
                The options are those that the agent is to have. Install it again to change them, or after the program \
                was upgraded or moved: the agent is started anew then.

                Examples:
                  hearth service install
                  hearth service install --peer 192.168.1.20:4000
                """
        )

        @OptionGroup(title: "Network") var network: AgentOptions
        @OptionGroup var shared: SharedOptions

        func run() throws {
            let home = try shared.hearthHome()
            // The service does not have the variables of this shell.
            let usual = try HearthHome.resolve(option: nil, environment: Environment.all.filter { $0.key == "HOME" })
            let place = home == usual ? [] : ["--home", home.path]
            let program = ServiceProgram(
                path: try ServiceProgram.ownPath(), arguments: ["agent"] + place + network.words)
            try ServiceText.print(LoginServices.ofThisUser().install(program), "serviceInstalled", shared)
        }
    }

    struct Uninstall: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "End the agent, and have it started no more; what Hearth keeps stays.",
            discussion: """
                Examples:
                  hearth service uninstall
                  hearth service uninstall --json | jq -r '.done[]'
                """
        )

        @OptionGroup var shared: SharedOptions

        func run() throws {
            try ServiceText.print(LoginServices.ofThisUser().uninstall(), "serviceUninstalled", shared)
        }
    }

    struct Status: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show whether the agent runs as a service (exit code 4 where it does not).",
            discussion: """
                Examples:
                  hearth service status
                  hearth service status --json | jq .startsAtLogin
                """
        )

        @OptionGroup var shared: SharedOptions

        func run() throws {
            let status = try LoginServices.ofThisUser().status()
            try Console.result(shared.json ? ServiceText.json(status) : Array(ServiceText.text(status).utf8))
            if !status.isRunning { throw ExitCode(Int32(FailureCode.agentNotRunning.rawValue)) }
        }
    }
}
