import ArgumentParser
import HouseholdAgent

/// `hearth devices`: lists the devices of the household.
struct Devices: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the machines of your household.",
        discussion: """
            Examples:
              hearth devices
              hearth devices --json | jq -r '.devices[].name'
            """
    )

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let answer = try await shared.ask(DevicesRequest())
        try shared.print(answer, DeviceText.table(answer.devices, .standard))
    }
}
