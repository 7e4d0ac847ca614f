package import MergeCore
import ProfileKeeping
import SyncProtocol

extension HouseholdAgent {
    /// The settings that an agent is started with.
    package struct Settings: Sendable {
        /// The name that people gave this device; at most 64 bytes.
        package var deviceName: String
        /// Addresses of devices that the user named.
        package var peers: [PeerAddress]
        /// The program that plays a profile, by the profile's name or id.
        package var processes: [String: String]
        /// Whether the record is not the one that was written last: an old copy was put back, or writes were lost.
        package var recordRolledBack = false
        /// How much a profile may hold; writes of other devices beyond that are left out.
        package var quota = WriteQuota.standard
        /// How many profiles of another device are kept that nobody took up here; others are left out.
        package var begunProfiles = Limits.begunProfiles
        /// How many profiles stay in memory whole while nothing happens to them; of others it is the outline alone.
        package var loadedProfiles = 32
        /// The names or ids of the devices of the household that may copy this device's daily backups.
        package var sharesBackups: [String] = []
        /// Whether this device keeps copies of the daily backups of the household's other devices.
        package var keepsBackupsOfOthers = false
        /// Bytes that the copies of each other device may take up.
        package var copiesLimit = CopyPlan.ownerLimit
        /// A monotonic clock, to measure how long something took. No decision depends on it.
        package var uptime: @Sendable () -> Duration

        package init(
            deviceName: String, peers: [PeerAddress] = [], processes: [String: String] = [:],
            uptime: @escaping @Sendable () -> Duration = { .zero }
        ) {
            self.deviceName = deviceName
            self.peers = peers
            self.processes = processes
            self.uptime = uptime
        }
    }
}
