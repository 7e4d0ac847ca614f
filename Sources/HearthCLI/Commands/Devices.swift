import ArgumentParser
import HouseholdAgent

/// `hearth devices`: who belongs to the household.
struct Devices: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the machines of your household.")

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let reply = try await shared.ask(.devices)
        guard case .devices(let devices) = reply else { throw CommandFailure.unexpected(reply) }
        try shared.print(reply, DeviceText.table(devices, .standard))
    }
}
