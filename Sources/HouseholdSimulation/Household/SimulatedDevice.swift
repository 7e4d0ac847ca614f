package import HouseholdAgent
package import MergeCore
import ProfileKeeping
import SyncProtocol

/// One device of a simulated household: the real agent, with its disk and its record in memory.
package final class SimulatedDevice {
    package typealias Machine = HouseholdAgent<MemoryFiles, MemoryRecord>

    package let name: String
    package let host: String
    /// The time by which this device's wall clock is ahead of the household's. Changing it sets the wall clock, while
    /// the monotonic clock goes on.
    package var skew = Duration.zero
    package let files: MemoryFiles
    package let record: MemoryRecord
    /// The programs that run on the device.
    package let programs = SimulatedPrograms()
    /// What tries on the device show. A change takes effect at the device's next start.
    package var trials = SimulatedTrials()
    /// The program that plays a profile, by the profile's name or id, as in `config.yaml`.
    package var processes: [String: String] = [:]
    /// The names of the devices that may copy its daily backups, as in `config.yaml`.
    package var sharesBackups: [String] = []
    /// Whether it keeps copies of other devices' daily backups, as in `config.yaml`.
    package var keepsBackupsOfOthers = false
    /// The most bytes of copies from each other device. A change takes effect at the device's next start.
    package var copiesLimit = CopyPlan.ownerLimit
    /// How much a profile may hold. A change takes effect at the device's next start.
    package var quota = WriteQuota.standard
    /// How many profiles of another device it keeps that nobody took up; as many as ever where it is `nil`.
    package var begunProfiles: Int?
    /// The addresses that it dials from its start on, as those of discovery. A change takes effect at the device's next
    /// start.
    package var peers: [PeerAddress] = []
    /// Its key. A device that becomes a copy of another one has that one's.
    private(set) var signer: SeededSigner
    var machine: Machine?
    /// When the agent is to get a timer; `nil` where it waits for nothing or does not run. It changes only while the agent
    /// handles something, so it is asked once after that: a household asks all of its devices at every event.
    private(set) var deadline: MonotonicTime?
    /// What it announces by DNS-SD.
    package internal(set) var announced: ServiceAnnouncement?
    package internal(set) var replies: [RequestID: [AgentReply]] = [:]
    /// Whether the machine sleeps, and its agent with it.
    package internal(set) var isAsleep = false
    /// What came while it was asleep.
    var missed: [AgentEvent] = []
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

    /// By what the others know it. Copies of one device have the same.
    package var id: DeviceID { signer.key.id }

    /// Takes over what another device has on its disk: its files, its record and its key. No agent runs here.
    func becomeCopy(of other: SimulatedDevice) {
        files.put(other.files.disk.durableOnly)
        record.restore(other.record.copy)
        signer = other.signer
    }

    /// Lets the agent handle an event. Returns what it wants done.
    func handle(_ event: AgentEvent, now: Moment) -> [AgentAction] {
        defer { deadline = machine?.deadline }
        return machine!.handle(event, now: now)
    }

    /// Ends the agent, which says no goodbye.
    func end() {
        machine = nil
        deadline = nil
        isAsleep = false
        missed = []
        announced = nil
    }

    /// What came while it was asleep, once.
    func takeMissed() -> [AgentEvent] {
        defer { missed = [] }
        return missed
    }
}
