package import ProfileKeeping

/// A port to what only a look or a try on this machine shows: its networks and its disks. `hearth doctor` asks it, and
/// whoever shows a code for pairing.
package protocol MachineTrials: Sendable {
    /// The path of Hearth's own folder.
    var home: String { get }

    /// The IPv4 networks of this machine's interfaces that are up; none where they are not known.
    var subnets: [Subnet] { get }

    /// The numeric addresses at which other machines can reach this one, the ones that are easy to type first; none where
    /// they are not known.
    var addresses: [String] { get }

    /// Writes a file in Hearth's own folder, makes it durable, and removes it.
    func writeInHome() throws(StorageFault)

    /// The room on the disk of a path. Where nothing is at the path, its nearest folder that exists counts.
    func room(at path: String) throws(StorageFault) -> DiskRoom
}

/// The port for tests without a machine: nothing is wrong with it.
struct NoTrials: MachineTrials {
    let home = "/"
    let subnets: [Subnet] = []
    let addresses: [String] = []
    func writeInHome() throws(StorageFault) {}
    func room(at path: String) throws(StorageFault) -> DiskRoom { DiskRoom(free: .max, total: .max) }
}
