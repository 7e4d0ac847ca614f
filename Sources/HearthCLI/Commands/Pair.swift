import ArgumentParser
import HouseholdAgent

/// `hearth pair [CODE]`: makes two machines one household.
struct Pair: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Pair this machine with another one.",
        discussion: """
            Run it without a code on one machine: it shows a code and waits. Type that code on the other machine. \
            The code works once, for five minutes.

            Examples:
              hearth pair
              hearth pair K7QM-2XWD-9TRB-H4FG
              hearth pair K7QM-2XWD-9TRB-H4FG --address 192.168.1.20:4000
            """
    )

    @Argument(help: "The code that the other machine shows.")
    var code: String?

    @Option(help: ArgumentHelp("Where the other machine is, if it is not found by itself.", valueName: "host:port"))
    var address: PeerAddress?

    @OptionGroup var shared: SharedOptions

    func validate() throws {
        if address != nil, code == nil {
            throw ValidationError("--address goes with a code: hearth pair CODE --address HOST:PORT")
        }
    }

    func run() async throws {
        let answer: PairedDevice
        if let code {
            answer = try await shared.ask(JoinRequest(code: code, address: address))
        } else {
            let shared = shared
            answer = try await shared.ask(PairRequest()) { shown in
                try shared.print(shown, PairingCodeText.text(shown, .standard))
            }
        }
        try shared.print(
            answer,
            """
            Paired with \(DeviceText.name(answer.device)).
            Its saves can be played here as well: see 'hearth status', then 'hearth restore NAME --to FILE',
            or bring all of them: 'hearth restore --all --to FOLDER/'.

            """
        )
        if !shared.json { await tellApart(answer.device) }
    }

    /// Says that several machines of the household have one name, and how one gets another. Nothing is said where that
    /// cannot be found out: the machines are paired all the same.
    private func tellApart(_ paired: DeviceReport) async {
        guard let devices = try? await shared.ask(DevicesRequest()).devices,
            let name = devices.first(where: { $0.id == paired.id })?.name
        else { return }
        let count = devices.count { $0.name == name }
        guard count > 1 else { return }
        Console.note("note: \(count) of your machines are called \(PlainText.line(name)); run this on one of them:")
        Console.note("    hearth rename \(CommandWord.of(name)) NEW-NAME")
    }
}
