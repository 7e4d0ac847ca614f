import ProfileKeeping
import SQLiteDatabases

extension StorageFault {
    /// Makes a sentence from a failure of the database, for the person whose record it is.
    init(recordError error: any Error, _ path: String) {
        if let fault = error as? StorageFault {
            self = fault
            return
        }
        guard let error = error as? SQLiteError else {
            self.init(.record, "cannot use the record \(path): \(error); start again")
            return
        }
        switch error.kind {
        case .diskFull:
            self.init(.noSpace, "cannot write the record \(path): the disk is full; free some space, it is tried again")
        case .damaged:
            self = .damaged(path, error.message)
        case .locked:
            self.init(.record, "another program holds the record \(path) open for writing; close it, it is tried again")
        case .denied, .needsRollback:
            self.init(
                .record,
                "cannot open the record \(path) for writing (\(error.message)); give this user access to it and to its folder"
            )
        case .interrupted, .other:
            self.init(
                .record, "the record \(path) failed (\(error.message)); look at the disk, it is tried again")
        }
    }

    static func damaged(_ path: String, _ detail: String) -> StorageFault {
        StorageFault(
            .record,
            "the record \(path) is damaged (\(detail)) and was left as it is; stop the agent, move the record away and start again: the saves stay where they are"
        )
    }
}
