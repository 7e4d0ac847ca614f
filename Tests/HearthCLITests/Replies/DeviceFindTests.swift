import Testing

@testable import HearthCLI
@testable import HouseholdAgent

/// A device is found as it is shown: by its name, its id or the beginning of that, and by both where two have one name.
@Suite struct DeviceFindTests {
    private let devices = [
        DeviceReport(id: "0a1b2c3d00000000", name: "laptop", isThisDevice: true, connected: true),
        DeviceReport(id: "0a1b2c3e00000000", name: "deck", isThisDevice: false, connected: true),
        DeviceReport(id: "ff1b2c3e00000000", name: "deck", isThisDevice: false, connected: true),
    ]

    @Test(arguments: [
        ("laptop", 0), ("0a1b2c3e00000000", 1), ("FF1B", 2), ("deck (0a1b2c3e)", 1), ("deck (ff1b2c3e)", 2),
    ])
    func aDeviceIsFound(wanted: String, index: Int) throws {
        #expect(try DeviceText.find(wanted, in: devices) == devices[index])
    }

    /// A machine that calls itself what another one's id begins with does not take its place.
    @Test func aNameIsNotTakenForAnotherOnesID() {
        var devices = devices
        devices[2].name = "0a1b2c3e"
        #expect(throws: CommandFailure.self) { try DeviceText.find("0a1b2c3e", in: devices) }
        #expect(throws: Never.self) { try DeviceText.find("ff1b2c3e", in: devices) }
        devices[2].name = "0"
        #expect(throws: Never.self) { try DeviceText.find("0", in: devices) }
    }

    @Test(arguments: ["deck", "0a1b", "tower", "deck (laptop)", "laptop (ff1b2c3e)", ""])
    func whatMeansNoneOrSeveralIsRefused(wanted: String) {
        #expect(throws: CommandFailure.self) { try DeviceText.find(wanted, in: devices) }
    }
}
