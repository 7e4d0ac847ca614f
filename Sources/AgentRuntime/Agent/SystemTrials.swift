import DiskStore
import HouseholdAgent
import LANDiscovery
import ProfileKeeping

/// Tries files and disks of this machine, and says what came of it.
struct SystemTrials: MachineTrials {
    let home: String

    var subnets: [Subnet] { OwnSubnets.read() }

    func writeInHome() throws(StorageFault) { try HomeFolder.tryWriting(home) }

    func room(at path: String) throws(StorageFault) -> DiskRoom { try DiskRoom.near(path) }
}
