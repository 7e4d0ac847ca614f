import Synchronization

/// The tasks of one store. The owner of the store ends them.
final class StoreTasks: Sendable {
    private let connection: Task<Void, Never>
    private let saver: Task<Void, Never>
    private let suspension: Task<Void, Never>?
    private let lastSave: UInt64?

    init<Subject: Profile>(_ core: StoreCore<Subject>, _ clock: some Clock<Duration>) {
        connection = Task {
            await core.connection.run(
                AgentConnection.Events(
                    request: { try await DiskQueue.shared.run { try core.subscribeRequest() } },
                    subscribed: { await core.subscribed($0, $1, $2) },
                    changed: { await core.changed($0) },
                    status: { core.received($0) },
                    followed: { report in
                        core.state.withLock { $0.household = report }
                        core.signal.tell()
                    },
                    moved: { core.signal.tell() }))
        }
        saver = Task { await AutoSaver(core, clock).run() }
        let policy = core.options.autoSave
        suspension = policy.onSuspension ? Suspension.task { try? await core.save(upTo: core.saveSession.edits) } : nil
        lastSave = policy.onTermination ? LastSaves.add { core.saveLast() } : nil
    }

    func cancel() {
        connection.cancel()
        saver.cancel()
        suspension?.cancel()
    }

    /// Does not save at the end of the process any more.
    func forget() { if let lastSave { LastSaves.remove(lastSave) } }

    /// Cancels the tasks and waits for them to end.
    func end() async {
        cancel()
        forget()
        await connection.value
        await saver.value
        await suspension?.value
    }
}
