import ArgumentParser
import HouseholdAgent

/// `hearth unpair DEVICE`: removes a machine from the household.
struct Unpair: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Remove a machine from your household, for good.",
        discussion: "Its saves stay on it, but nothing reaches it any more. It can only come back by pairing anew."
    )

    @Argument(help: "The machine's name, its id, or the beginning of its id.")
    var device: String

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let found = try DeviceText.find(device, in: try await shared.ask(DevicesRequest()).devices)
        let name = DeviceText.name(found)
        guard !found.isThisDevice else {
            throw CommandFailure(
                "\(name) is this device itself",
                "unpair it on another device of the household",
                code: .usage
            )
        }
        try shared.confirm("remove \(name) (\(found.id)) from the household for good?", refusal: "\(name) stays")
        let answer = try await shared.ask(UnpairRequest(device: found.id))
        try shared.print(answer, "\(DeviceText.name(answer.device)) is no longer one of your machines.\n")
    }
}
