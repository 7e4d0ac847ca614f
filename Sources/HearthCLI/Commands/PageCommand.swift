import ArgumentParser
import HouseholdAgent

/// `hearth page`: opens the agent's page in the browser.
struct PageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "page",
        abstract: "Open your saves and machines in the browser.",
        discussion: """
            The agent serves its page to you, on this machine alone, until nobody has used it for ten minutes. The link \
            works once, for two minutes: ask for another one for another browser.

            Where there is no desktop, and with --json, the link is only printed. On a machine that you reach with ssh, \
            have ssh bring the page to you: ssh -L PORT:127.0.0.1:PORT MACHINE, with the port of the link.

            While the page is served, page.port and page.token in Hearth's folder tell programs of yours where it is, and \
            let them in.

            Examples:
              hearth page
              hearth page --json | jq -r .url
            """
    )

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let link = try await shared.ask(PageRequest())
        let opens = !shared.json && Browser.isThere
        let words = opens ? "If your browser does not show it:" : "Open this in your browser, within two minutes:"
        try shared.print(link, "\(words)\n  \(link.url)\n")
        if opens { Browser.open(link.url) }
    }
}
