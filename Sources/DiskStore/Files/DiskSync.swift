import Libc
import ProfileKeeping

/// A file that is being made durable, content and name at once: neither needs the other, and each waits for the disk on
/// a thread of its own.
final class DiskSync: StartedSync {
    private typealias Outcome = Result<Void, StorageFault>

    private let place: Result<ProfilePlace?, StorageFault>
    private let calls: [CallBeside<Outcome>]

    init(_ place: Result<ProfilePlace?, StorageFault>) {
        self.place = place
        guard case .success(let place?) = place else {
            calls = []
            return
        }
        calls = [
            CallBeside { Outcome { () throws(StorageFault) in try DiskFiles.sync(file: place.path) } },
            CallBeside { Outcome { () throws(StorageFault) in try DiskFiles.sync(folder: place.folder) } },
        ]
    }

    func wait() throws(StorageFault) {
        _ = try place.get()
        let outcomes = calls.map { $0.wait() }
        for outcome in outcomes { try outcome.get() }
    }
}
