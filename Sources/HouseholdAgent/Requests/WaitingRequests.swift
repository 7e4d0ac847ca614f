import MergeCore

/// The requests that are answered later: once devices are in step, a profile has arrived, files have settled, a first
/// file is written, or a diagnosis has tried everything.
struct WaitingRequests {
    private(set) var syncs: [RequestID: WaitingSync] = [:]
    private(set) var restores: [RequestID: WaitingRestore] = [:]
    private(set) var transfers: [RequestID: WaitingTransfer] = [:]
    private(set) var firstFiles: [RequestID: AwaitedFile] = [:]
    private(set) var diagnoses: [RequestID: WaitingDiagnosis] = [:]

    mutating func add(_ id: RequestID, _ sync: WaitingSync) { syncs[id] = sync }
    mutating func add(_ id: RequestID, _ restore: WaitingRestore) { restores[id] = restore }
    mutating func add(_ id: RequestID, _ transfer: WaitingTransfer) { transfers[id] = transfer }
    mutating func add(_ id: RequestID, _ file: AwaitedFile) { firstFiles[id] = file }
    mutating func add(_ id: RequestID, _ diagnosis: WaitingDiagnosis) { diagnoses[id] = diagnosis }

    /// Removes a request that is answered, or whose client is gone.
    mutating func end(_ id: RequestID) {
        syncs[id] = nil
        restores[id] = nil
        transfers[id] = nil
        firstFiles[id] = nil
        diagnoses[id] = nil
    }

    /// The ids of all waiting requests, in ascending order.
    var ids: [RequestID] {
        [
            Array(syncs.keys), Array(restores.keys), Array(transfers.keys), Array(firstFiles.keys),
            Array(diagnoses.keys),
        ].joined().sorted()
    }

    /// The earliest time at which a waiting request has to be looked at. Requests that wait for a first file have no
    /// time here: ``FirstFiles`` has it.
    var deadline: MonotonicTime? {
        let times = [
            syncs.values.map(\.nextLook), restores.values.map(\.nextLook), transfers.values.map(\.deadline),
            diagnoses.values.map(\.nextLook),
        ]
        return times.joined().min()
    }
}
