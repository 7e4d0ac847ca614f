import ArgumentParser
import HouseholdAgent

/// `hearth devices`: lists the devices of the household.
struct Devices: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the machines of your household.",
        discussion: """
            A machine that another one let in is named by 'hearth status' until you have said that you know it.

            Examples:
              hearth devices
              hearth devices --seen
              hearth devices --json | jq -r '.devices[].name'
            """
    )

    @Flag(help: "You know all of them: 'hearth status' names none as new any more.")
    var seen = false

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let answer = try await shared.ask(DevicesRequest(seen: seen ? true : nil))
        try shared.print(answer, DeviceText.table(answer.devices, .standard, now: LocalTime.now))
    }
}
