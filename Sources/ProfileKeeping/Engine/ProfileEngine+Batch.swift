import MergeCore

/// Changes that become durable together: first the folders, then one transaction that tells the record about them.
struct Batch: Sendable {
    /// Paths whose folders changed.
    var paths: [String] = []
    var change = RecordChange()
    /// The profiles that are new here with it.
    var new: [ProfileID] = []
}

extension ProfileEngine {
    /// Makes a file's folder durable: at once, or with all others before the transaction of the batch.
    mutating func syncFolder(of path: String) throws(StorageFault) {
        if batch == nil { try files.syncFolder(of: path) } else { batch?.paths.append(path) }
    }

    /// Stores a change, at once or with the others of the batch. Memory goes on as if it were stored.
    mutating func record(_ change: RecordChange) throws(StorageFault) {
        guard batch != nil else { return try store.commit(change) }
        batch?.change.profiles += change.profiles
        batch?.change.notes.add(change.notes)
    }

    /// Ends the batch and stores it. Where this throws, nothing of it is stored.
    mutating func commitBatch() throws(StorageFault) {
        guard let ended = batch else { return }
        batch = nil
        if !ended.paths.isEmpty { try files.syncFolders(of: ended.paths) }
        if !ended.change.profiles.isEmpty || !ended.change.notes.isEmpty { try store.commit(ended.change) }
    }
}
