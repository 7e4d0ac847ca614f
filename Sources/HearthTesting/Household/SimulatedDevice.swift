package import HouseholdAgent
import ProfileKeeping

/// One device of a simulated household: the real agent with a disk and a record in memory.
package final class SimulatedDevice {
    package typealias Machine = HouseholdAgent<MemoryFiles, MemoryRecord>

    package let name: String
    package let host: String
    /// The time by which this device's wall clock is ahead of the household's. Changing it sets the wall clock, while
    /// the monotonic clock goes on.
    package var skew = Duration.zero
    package let files: MemoryFiles
    package let record: MemoryRecord
    /// The programs that run beside the agent.
    package let programs = SimulatedPrograms()
    /// The program that plays a profile, by the profile's name or id, as in the device's configuration.
    package var processes: [String: String] = [:]
    /// Whether its daily backups may be copied, as the device's configuration says.
    package var sharesBackups = false
    /// Whether it keeps copies of the others' daily backups, as the device's configuration says.
    package var keepsBackupsOfOthers = false
    /// Bytes that the copies of each other device may take up; counts from the device's next start on.
    package var copiesLimit = CopyPlan.ownerLimit
    let signer: SeededSigner
    var machine: Machine?
    package internal(set) var replies: [RequestID: [AgentReply]] = [:]
    var nextRequest: UInt64 = 1
    var watched: Set<String> = []

    init(name: String, host: String, signer: SeededSigner, files: MemoryFiles, record: MemoryRecord) {
        self.name = name
        self.host = host
        self.signer = signer
        self.files = files
        self.record = record
    }

    package var isRunning: Bool { machine != nil }
}
