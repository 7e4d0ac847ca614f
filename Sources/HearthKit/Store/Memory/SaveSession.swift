import DiskStore
import LosslessJSON
import MergeCore
import Observation
import ProfileKeeping
import Synchronization

/// One profile in memory, and how it comes to and from its file. Does its work on the calling thread.
///
/// The file is the truth: a change is written onto the very bytes that stand there, and what somebody else wrote
/// meanwhile is merged with what is unsaved, under the rules.
final class SaveSession<Subject: Profile>: Sendable, Observable {
    /// What the file held before and after something happened.
    struct Step: Sendable {
        /// `nil` where there was no file.
        var old: JSONDocument?
        var new: JSONDocument
        /// Whether this game wrote it.
        var isOwn: Bool
        /// Choices that the player decided with it.
        var decided: [Decision] = []
    }

    struct Memory: Sendable {
        var profile: Subject
        /// Counts edits; what was saved is as old as ``saved`` says.
        var edits: UInt64 = 0
        var saved: UInt64 = 0
    }

    struct OnDisk: Sendable {
        /// What the file held when it was last read or written; `nil` while there is none.
        var snapshot: ProfileSnapshot<Subject>?
        var mark: SaveFile.Mark?
        /// What stands against the values of choices.
        var open: [DocumentPath: [OpenAlternative]] = [:]
        /// What the player decided in edits that were merged with what came in, and that are not saved yet.
        var held: [Decision] = []
    }

    let codec: ProfileCodec<Subject>
    let file: SaveFile
    private let registrar = ObservationRegistrar()
    /// Made once: to make one takes longer than to save a profile in memory.
    private let observed: any KeyPath<SaveSession, Subject> & Sendable = \.profile
    /// Whether a turn of the main actor is under way in which observers are told.
    private let isTelling = Atomic(false)
    let memory: Mutex<Memory>
    /// Held while the disk works. Always taken before ``memory``.
    let disk: Mutex<OnDisk>

    /// - Parameter snapshot: What the file holds; `nil` where there is none.
    init(
        _ codec: ProfileCodec<Subject>, _ file: SaveFile, snapshot: ProfileSnapshot<Subject>?, mark: SaveFile.Mark?
    ) {
        (self.codec, self.file) = (codec, file)
        memory = Mutex(Memory(profile: snapshot?.profile ?? Subject()))
        disk = Mutex(OnDisk(snapshot: snapshot, mark: mark))
    }

    // MARK: Memory

    /// The profile with all edits.
    var profile: Subject {
        registrar.access(self, keyPath: observed)
        return memory.withLock { $0.profile }
    }

    /// Whether something is not saved yet.
    var isUnsaved: Bool { memory.withLock { $0.edits != $0.saved } }

    /// How many edits there were.
    var edits: UInt64 { memory.withLock { $0.edits } }

    /// Whether the file holds everything up to an edit.
    func isSaved(_ edit: UInt64) -> Bool { memory.withLock { $0.saved >= edit } }

    /// Changes the profile in memory; nothing where the body throws. Returns the number of the edit.
    func edit<Result>(_ body: (inout Subject) throws -> Result) rethrows -> (result: Result, edit: UInt64) {
        let done = try memory.withLock { memory in
            var profile = memory.profile
            let result = try body(&profile)
            memory.profile = profile
            memory.edits += 1
            return (result, memory.edits)
        }
        tell()
        return done
    }

    /// Puts a profile back, where nothing else was edited since.
    func takeBack(_ edit: UInt64, to former: Subject) {
        change { memory in
            guard memory.edits == edit else { return }
            memory.profile = former
        }
    }

    func change(_ body: (inout Memory) throws -> Void) rethrows {
        try memory.withLock { try body(&$0) }
        tell()
    }

    // MARK: Telling

    /// Tells observers that the profile is another one, after it is: one that looks again at once, as
    /// `withObservationTracking` lets it, would see the former profile otherwise, and hear nothing more.
    ///
    /// An observer on the main actor counts as one only when it has finished looking. So it is told once more in a turn
    /// of the main actor, where nobody is in the middle of looking.
    private func tell() {
        registrar.withMutation(of: self, keyPath: observed) {}
        guard isTelling.exchange(true, ordering: .acquiringAndReleasing) == false else { return }
        Task { @MainActor [weak self] in
            guard let self else { return }
            // Before it is told: what changes from here on is told in a turn of its own.
            isTelling.store(false, ordering: .releasing)
            registrar.withMutation(of: self, keyPath: observed) {}
        }
    }
}
