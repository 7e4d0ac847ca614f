import DiskStore
import HouseholdAgent
import LANDiscovery
import ProfileKeeping

/// Tries files and disks of this machine, and says what came of it.
struct SystemTrials: MachineTrials {
    let home: String
    /// The only address at which the agent listens; `nil` where it listens at all of them.
    let host: String?

    var subnets: [Subnet] { OwnSubnets.read() }

    /// Without those that are valid on one link alone: they name an interface of this machine.
    var addresses: [String] { host.map { [$0] } ?? OwnAddresses.read().filter { !$0.contains("%") } }

    func writeInHome() throws(StorageFault) { try HomeFolder.tryWriting(home) }

    func room(at path: String) throws(StorageFault) -> DiskRoom { try DiskRoom.near(path) }
}
