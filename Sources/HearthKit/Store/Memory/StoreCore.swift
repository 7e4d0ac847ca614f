import AgentClients
import DiskStore
import HouseholdAgent
import LosslessJSON
import MergeCore
import ProfileKeeping
import Synchronization

/// The work of a store; ``StoreTasks`` owns the tasks that do it.
final class StoreCore<Subject: Profile>: Sendable {
    struct State {
        /// The agent's last report.
        var report: SubscriptionReport?
        var prompt: RestorePrompt<Subject>?
        /// The player's answer to the prompt, until the agent knows it.
        var answer: SubscribeRequest.NameConflictAnswer?
        /// The player will decide another time.
        var isPutOff = false
        var wasBackedUp = false
        var isClosed = false
        /// The file now holds another version's save, so nothing is written from here any more.
        var hasLeft = false
        var saveTrouble: StoreError?
        /// The player's decisions, until the agent knows them.
        var decided: [Decision] = []
        /// The save began empty here, and no agent has it yet.
        var beganEmpty = false
        /// The agent's last report of everything, while ``ProfileStore/state`` is followed.
        var household: StatusReport?
        /// Whether fields show alternatives of open choices.
        var shownChoices = false
    }

    /// How long an agent may take for one merge before the game goes on without it.
    static var patience: Duration { .seconds(2) }
    /// How long a request waits for the subscription at an agent.
    static var startTime: Duration { .seconds(8) }

    let place: StorePlace
    let options: StoreOptions
    let saveSession: SaveSession<Subject>
    let file: StoreFile<Subject>
    let slotIndex: SlotIndex
    let connection: AgentConnection
    let migration: ProfileMigration?
    let mutex = AsyncMutex()
    let state = Mutex(State())
    /// Tells observers of ``ProfileStore/state``.
    let signal = ObservationSignal()
    let changes = ChangeFeed<ProfileChange>(gap: .resynced)
    let records = ChangeFeed<NewRecord>()
    let fields = FieldFeed<Subject>()
    let prompts = ChangeFeed<RestorePrompt<Subject>>()
    /// Tells the auto-saver that there is something to save.
    let edited = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(
        _ place: StorePlace, _ options: StoreOptions, _ saveSession: SaveSession<Subject>, _ file: StoreFile<Subject>,
        _ slotIndex: SlotIndex, _ entry: SlotIndex.Entry, _ connection: AgentConnection,
        _ opened: StoreFile<Subject>.Opened
    ) {
        (self.place, self.options, self.saveSession, self.file, self.slotIndex, self.connection) = (
            place, options, saveSession, file, slotIndex, connection
        )
        migration = opened.migration
        state.withLock { $0.decided = entry.decided }
    }

    func checkOpen() throws(StoreError) {
        guard !state.withLock({ $0.isClosed || $0.hasLeft }) else { throw closed }
    }

    var closed: StoreError { StoreError(.closed, "the store of \(place.name) is closed; open it again") }

    // MARK: Saving

    /// Saves everything up to an edit, and with it all edits made meanwhile.
    func save(upTo edit: UInt64) async throws {
        try await mutex.withLock {
            guard !saveSession.isSaved(edit) else { return }
            try await saveLocked()
            // Tell the agent of a decision at once. The save has succeeded whether or not this does.
            if let link = connection.link, state.withLock({ !$0.decided.isEmpty }) {
                _ = try? await pullLocked(link, hurry: false)
            }
        }
    }

    /// Saves on the disk queue. Call it only while holding ``mutex``.
    func saveLocked() async throws {
        try await DiskQueue.shared.run { [self] in try saveNow() }
    }

    /// Saves on the calling thread.
    func saveNow() throws {
        guard !state.withLock({ $0.hasLeft }) else { return }
        do {
            try backUpOnce()
            let isFirst = saveSession.document == nil
            let steps = try saveSession.save()
            handOver(steps)
            publish(steps, nil)
            noteSteps(steps, isFirst: isFirst)
            let decided = steps.flatMap(\.decided)
            noteSaveTrouble(nil)
            let unannounced = state.withLock { state in
                state.decided.removeAll { former in decided.contains { $0.place == former.place } }
                state.decided += decided
                return state.decided
            }
            if !decided.isEmpty { try? slotIndex.note(decided: unannounced, of: place.name) }
            // The agent learns of a first save when the store subscribes to it.
            if isFirst, saveSession.document != nil, state.withLock({ $0.report?.profile == nil }) {
                connection.renew()
            }
        } catch {
            let fault = StoreError.of(error, at: saveSession.file.path)
            noteSaveTrouble(fault)
            throw fault
        }
    }

    private func noteSaveTrouble(_ trouble: StoreError?) {
        let hasChanged = state.withLock { state in
            defer { state.saveTrouble = trouble }
            return state.saveTrouble != trouble
        }
        if hasChanged { signal.tell() }
    }

    /// Hands the last save over to an agent in this process.
    private func handOver(_ steps: [SaveSession<Subject>.Step]) {
        guard let step = steps.last, let file = step.file, let link = connection.link else { return }
        link.client.handOver(WrittenSave(path: saveSession.file.path, document: step.new, file: file))
    }

    /// Makes a backup before the first save since the game was opened.
    private func backUpOnce() throws {
        guard saveSession.isUnsaved, let document = saveSession.document, !state.withLock({ $0.wasBackedUp }) else {
            return
        }
        // The save is made even where the backup fails: progress is worth more.
        try? file.backUp(document.bytes)
        state.withLock { $0.wasBackedUp = true }
    }

    // MARK: Events

    /// Tells listeners what has changed.
    ///
    /// - Parameter origin: The origin of what this game itself wrote.
    func publish(
        _ steps: [SaveSession<Subject>.Step], _ report: SubscriptionReport?, as origin: ProfileChange.Origin = .game
    ) {
        guard changes.hasListeners || records.hasListeners || fields.hasListeners else { return }
        for step in steps {
            let origins = step.isOwn ? nil : ChangeOrigins(report)
            let list = ProfileChange.list(from: step.old, to: step.new, saveSession.codec.rules) { path in
                origins?.origin(of: path) ?? origin
            }
            changes.publish(list)
            records.publish(list.filter(\.isPlayed).compactMap(NewRecord.init))
            fields.publish(step, list)
        }
    }
}

/// Finds where the changes that an agent wrote come from, by the steps in its report.
struct ChangeOrigins {
    private var steps: [(places: Set<String>, origin: ProfileChange.Origin)] = []
    private let isTold: Bool

    init(_ report: SubscriptionReport?) {
        isTold = report != nil
        guard let report else { return }
        for step in report.steps {
            let other = step.devices.first { $0 != report.device }
            let origin: ProfileChange.Origin =
                switch step.origin {
                case "reset": .reset
                case "restore", "adopt": .restore
                case "undo": .undo
                case "decision": .decision
                default: other.map { .device($0) } ?? .merge
                }
            steps.append((Set(step.changes.map(\.place)), origin))
        }
    }

    /// The origin of the newest step that changed the place. Without any step another program wrote the file, and the
    /// agent took that up before the game did: what was saved on this device is not among the steps.
    func origin(of path: DocumentPath) -> ProfileChange.Origin {
        guard isTold else { return .file }
        let text = path.description
        return (steps.first { $0.places.contains(text) } ?? steps.first)?.origin ?? .file
    }
}
