package import HouseholdAgent
package import ProfileKeeping

/// What tries on a simulated device show.
package struct SimulatedTrials: MachineTrials {
    package let home = "/hearth"
    package var subnets: [Subnet] = []
    package var addresses: [String] = []
    /// The reason why no file can be written in the home; `nil` where one can.
    package var fault: StorageFault?
    package var room = DiskRoom(free: 100 << 30, total: 100 << 30)

    package init() {}

    package func writeInHome() throws(StorageFault) {
        if let fault { throw fault }
    }

    package func room(at path: String) throws(StorageFault) -> DiskRoom { room }
}
