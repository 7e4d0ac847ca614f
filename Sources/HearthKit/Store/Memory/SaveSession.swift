import DiskStore
import LosslessJSON
import MergeCore
import ProfileKeeping
import Synchronization

/// One profile in memory, and its file. All work is done on the calling thread.
///
/// The file is the truth: an edit is written into the present bytes of the file, and changes that another program wrote
/// meanwhile are merged with unsaved edits under the rules.
final class SaveSession<Subject: Profile>: Sendable {
    /// The content of the file before and after one event.
    struct Step: Sendable {
        /// `nil` where there was no file.
        var old: JSONDocument?
        var new: JSONDocument
        /// Whether this game wrote it, and not another program.
        var isOwn: Bool
        /// The file that holds the new content, where this game wrote it and it is durable.
        var file: FileIdentity?
        /// The choices that the player decided with it.
        var decided: [Decision] = []
    }

    struct Memory: Sendable {
        var profile: Subject
        /// The number of edits so far. `saved` is the number of the last edit that the file contains.
        var edits: UInt64 = 0
        var saved: UInt64 = 0
    }

    struct OnDisk: Sendable {
        /// The file's content when it was last read or written; `nil` while there is no file.
        var snapshot: ProfileSnapshot<Subject>?
        var mark: FileIdentity?
        /// The open alternatives of choices.
        var open: [DocumentPath: [OpenAlternative]] = [:]
        /// Decisions in unsaved edits that were merged with another program's changes. Without this list they would be
        /// lost in the merge.
        var held: [Decision] = []
    }

    let codec: ProfileCodec<Subject>
    let file: any SaveStorage
    private let signal = ObservationSignal()
    let memory: Mutex<Memory>
    /// Held during disk work. Always locked before ``memory``, so that two threads cannot wait for each other.
    let disk: Mutex<OnDisk>

    /// - Parameter snapshot: The content of the file; `nil` where there is none.
    init(
        _ codec: ProfileCodec<Subject>, _ file: any SaveStorage, snapshot: ProfileSnapshot<Subject>?,
        mark: FileIdentity?
    ) {
        (self.codec, self.file) = (codec, file)
        memory = Mutex(Memory(profile: snapshot?.profile ?? Subject()))
        disk = Mutex(OnDisk(snapshot: snapshot, mark: mark))
    }

    // MARK: Memory

    /// The profile with all edits, saved or not.
    var profile: Subject {
        signal.read()
        return memory.withLock { $0.profile }
    }

    var isUnsaved: Bool { memory.withLock { $0.edits != $0.saved } }

    /// The number of edits so far.
    var edits: UInt64 { memory.withLock { $0.edits } }

    /// Whether the file contains everything up to this edit.
    func isSaved(_ edit: UInt64) -> Bool { memory.withLock { $0.saved >= edit } }

    /// Changes the profile in memory; changes nothing where the body throws. Returns the number of the edit.
    func edit<Result>(_ body: (inout Subject) throws -> Result) rethrows -> (result: Result, edit: UInt64) {
        let done = try memory.withLock { memory in
            var profile = memory.profile
            let result = try body(&profile)
            memory.profile = profile
            memory.edits += 1
            return (result, memory.edits)
        }
        signal.tell()
        return done
    }

    /// Undoes an edit, unless another one came after it.
    func takeBack(_ edit: UInt64, to former: Subject) {
        change { memory in
            guard memory.edits == edit else { return }
            memory.profile = former
        }
    }

    func change(_ body: (inout Memory) throws -> Void) rethrows {
        try memory.withLock { try body(&$0) }
        signal.tell()
    }
}
