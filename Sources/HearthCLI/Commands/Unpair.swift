import ArgumentParser
import HouseholdAgent

/// `hearth unpair DEVICE`: remove a machine from the household.
struct Unpair: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Remove a machine from your household, for good.",
        discussion: "Its saves stay on it, but nothing reaches it any more. It can only come back by pairing anew."
    )

    @Argument(help: "The machine's name, its id, or the beginning of its id.")
    var device: String

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        guard case .devices(let devices) = try await shared.ask(.devices) else {
            throw CommandFailure("the agent did not say which devices there are", "try again")
        }
        let found = try DeviceText.find(device, in: devices)
        let name = DeviceText.name(found)
        guard !found.isThisDevice else {
            throw CommandFailure(
                "\(name) is this device itself",
                "unpair it on another device of the household",
                code: .usage
            )
        }
        try shared.confirm("remove \(name) (\(found.id)) from the household for good?", refusal: "\(name) stays")
        let reply = try await shared.ask(.unpair(device: found.id))
        guard case .removed(let report) = reply else { throw CommandFailure.unexpected(reply) }
        try shared.print(reply, "\(DeviceText.name(report)) is no longer one of your machines.\n")
    }
}
