import ArgumentParser
import HouseholdAgent

/// `hearth unpair DEVICE`: removes a machine from the household.
struct Unpair: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Remove a machine from your household, for good.",
        discussion: """
            Its saves stay on it, but nothing reaches it any more. It can only come back by pairing anew.

            Machines that nobody but it let into the household are named, and you are asked about them; without a \
            terminal, or with --yes, they stay. If it was stolen, take them along: --with-brought-in does so unasked.

            Examples:
              hearth devices
              hearth unpair old-laptop
              hearth unpair 0a1b2c3d --with-brought-in
            """
    )

    @Argument(help: "The machine's name, its id, or the beginning of its id.", completion: .otherMachine)
    var device: String

    @Flag(help: "Also remove the machines that nobody but this one let into the household.")
    var withBroughtIn = false

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let devices = try await shared.ask(DevicesRequest()).devices
        let found = try DeviceText.find(device, in: devices)
        let name = DeviceText.name(found)
        guard !found.isThisDevice else {
            throw CommandFailure(
                "\(name) is this device itself",
                "unpair it on another device of the household",
                code: .usage
            )
        }
        let broughtIn = devices.filter { $0.broughtInBy == [found.id] }
        for other in broughtIn {
            Console.note("\(name) let \(DeviceText.name(other)) (\(other.id)) into the household, and nobody else did.")
        }
        let others = withBroughtIn && !broughtIn.isEmpty ? " and what it let in" : ""
        try shared.confirm(
            "remove \(name) (\(found.id))\(others) from the household for good?", refusal: "\(name) stays")
        let names = broughtIn.map(DeviceText.name).joined(separator: " and ")
        let takesAlong =
            withBroughtIn || broughtIn.isEmpty
            ? withBroughtIn : shared.agrees("also remove \(names), which nobody but \(name) let in?")
        let answer = try await shared.ask(UnpairRequest(device: found.id, withBroughtIn: takesAlong))
        var text = "\(DeviceText.name(answer.device)) is no longer one of your machines.\n"
        for other in answer.broughtIn {
            text +=
                answer.withBroughtIn
                ? "\(DeviceText.name(other)) is not either.\n"
                : "It let in \(DeviceText.name(other)), which stays. If you do not know that machine: "
                    + "hearth unpair \(other.id)\n"
        }
        try shared.print(answer, text)
    }
}
