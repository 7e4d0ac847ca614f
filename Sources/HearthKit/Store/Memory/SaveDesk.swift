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
final class SaveDesk<Subject: Profile>: Sendable, Observable {
    /// What the file held before and after something happened.
    struct Step: Sendable {
        /// `nil` where there was no file.
        var old: JSONDocument?
        var new: JSONDocument
        /// Whether this game wrote it.
        var isOwn: Bool
        /// Choices that the player decided with it.
        var decided: [DocumentPath] = []
    }

    private struct Memory: Sendable {
        var profile: Subject
        /// Counts edits; what was saved is as old as ``saved`` says.
        var edits: UInt64 = 0
        var saved: UInt64 = 0
    }

    private struct OnDisk: Sendable {
        /// What the file held when it was last read or written; `nil` while there is none.
        var image: ProfileImage<Subject>?
        var mark: SaveFile.Mark?
        /// What stands against the values of choices.
        var open: [DocumentPath: [OpenAlternative]] = [:]
    }

    /// Tries of one save, where somebody else writes all the time.
    private static var tries: Int { 8 }

    let codec: ProfileCodec<Subject>
    let file: SaveFile
    private let registrar = ObservationRegistrar()
    /// Made once: to make one takes longer than to save a profile in memory.
    private let observed: any KeyPath<SaveDesk, Subject> & Sendable = \.profile
    private let memory: Mutex<Memory>
    /// Held while the disk works. Always taken before ``memory``.
    private let disk: Mutex<OnDisk>

    /// - Parameter image: What the file holds; `nil` where there is none.
    init(
        _ codec: ProfileCodec<Subject>, _ file: SaveFile, image: ProfileImage<Subject>?, mark: SaveFile.Mark?
    ) {
        (self.codec, self.file) = (codec, file)
        memory = Mutex(Memory(profile: image?.profile ?? Subject()))
        disk = Mutex(OnDisk(image: image, mark: mark))
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
        registrar.willSet(self, keyPath: observed)
        defer { registrar.didSet(self, keyPath: observed) }
        return try memory.withLock { memory in
            var profile = memory.profile
            let result = try body(&profile)
            memory.profile = profile
            memory.edits += 1
            return (result, memory.edits)
        }
    }

    /// Puts a profile back, where nothing else was edited since.
    func takeBack(_ edit: UInt64, to former: Subject) {
        registrar.willSet(self, keyPath: observed)
        defer { registrar.didSet(self, keyPath: observed) }
        memory.withLock { memory in
            guard memory.edits == edit else { return }
            memory.profile = former
        }
    }

    private func change(_ body: (inout Memory) throws -> Void) rethrows {
        registrar.willSet(self, keyPath: observed)
        defer { registrar.didSet(self, keyPath: observed) }
        try memory.withLock { try body(&$0) }
    }

    // MARK: Disk

    /// The save as it was last read or written; `nil` while there is none.
    var document: JSONDocument? { disk.withLock { $0.image?.document } }

    /// Saves what is unsaved. Durable when it returns.
    func save() throws -> [Step] {
        try disk.withLock { disk in
            var steps: [Step] = []
            for _ in 0..<Self.tries {
                let (profile, edits, isUnsaved) = memory.withLock { ($0.profile, $0.edits, $0.edits != $0.saved) }
                guard isUnsaved else { return steps }
                let edited = try edited(profile, disk.image, disk.open)
                let (text, decided) = (edited.document.bytes, edited.decided)
                if let image = disk.image, disk.mark != nil, Bytes.equal(text, image.document.bytes), decided.isEmpty {
                    settle(edits, edited.isRaised ? image.profile : nil)
                    return steps
                }
                // Read back before it is written: what could not be read again must not get there.
                let image = try edited.image ?? codec.image(edited.document, open: disk.open)
                let outcome = try file.write(text, over: disk.mark)
                switch outcome {
                case .written(let mark), .unconfirmed(let mark, _):
                    steps.append(Step(old: disk.image?.document, new: image.document, isOwn: true, decided: decided))
                    (disk.image, disk.mark) = (image, mark)
                    settle(edits, decided.isEmpty && !edited.isRaised ? nil : image.profile)
                    if case .unconfirmed(_, let fault) = outcome {
                        throw StoreError(.unconfirmed, "saved, but \(fault.message)")
                    }
                    return steps
                case .changed:
                    if let step = try reload(&disk, setsAside: true) { steps.append(step) }
                }
            }
            throw StoreError(.disk, "\(file.path) is written by another program all the time; look what that is")
        }
    }

    /// Takes up what somebody else wrote into the file; `nil` where nobody did.
    func reload() throws -> Step? {
        try disk.withLock { disk in
            guard try file.mark() != disk.mark else { return nil }
            return try reload(&disk, setsAside: false)
        }
    }

    /// Says what stands against the values of choices.
    func setOpen(_ open: [DocumentPath: [OpenAlternative]]) throws {
        try disk.withLock { disk in
            guard disk.open != open, let image = disk.image else { return }
            disk.open = open
            let again = try codec.image(image.document, open: open)
            disk.image = again
            change { if $0.edits == $0.saved { $0.profile = again.profile } }
        }
    }

    /// Replaces the save as a whole, with what was unsaved in it already.
    func rewrite(_ body: (JSONDocument) throws -> [UInt8]) throws -> [Step] {
        var steps = try save()
        return try disk.withLock { disk in
            guard let former = disk.image else { return steps }
            let image = try codec.image(JSONDocument(parsing: body(former.document)), open: disk.open)
            switch try file.write(image.document.bytes, over: disk.mark) {
            case .written(let mark), .unconfirmed(let mark, _):
                (disk.image, disk.mark) = (image, mark)
                change { memory in
                    // What was edited since is part of what goes.
                    memory.profile = image.profile
                    memory.saved = memory.edits
                }
                steps.append(Step(old: former.document, new: image.document, isOwn: true))
                return steps
            case .changed: throw StoreError(.disk, "\(file.path) was written by another program just now; try again")
            }
        }
    }

    /// Puts a save into the file that is none of this type. Nothing may be saved here from then on.
    func leave<Result: Sendable>(_ body: (JSONDocument) throws -> (text: [UInt8], result: Result)) throws -> Result {
        try disk.withLock { disk in
            guard let image = disk.image else {
                throw StoreError(.needsDecision, "nothing is saved yet, so there is nothing to take back")
            }
            let (text, result) = try body(image.document)
            guard case .changed = try file.write(text, over: disk.mark) else { return result }
            throw StoreError(.disk, "\(file.path) was written by another program just now; try again")
        }
    }

    private func settle(_ edits: UInt64, _ profile: Subject?) {
        guard let profile else { return memory.withLock { $0.saved = max($0.saved, edits) } }
        change { memory in
            if memory.edits == edits { memory.profile = profile }
            memory.saved = max(memory.saved, edits)
        }
    }

    /// A save with a profile in it.
    private struct Edited {
        var document: JSONDocument
        var decided: [DocumentPath] = []
        /// Where the save holds just the profile, as it was read back.
        var image: ProfileImage<Subject>?
        /// Whether the save holds more than the profile.
        var isRaised = false
    }

    /// The save with a profile in it; the first one says only what is no beginning. What only grows, such as a
    /// ``Highest``, stays where the profile holds less: no save of a game may look like one that lost its progress.
    private func edited(
        _ profile: Subject, _ image: ProfileImage<Subject>?, _ open: [DocumentPath: [OpenAlternative]]
    ) throws -> Edited {
        guard let image else { return Edited(document: try JSONDocument(parsing: codec.newText(profile))) }
        let edited = try image.edited(profile)
        let document = try JSONDocument(parsing: edited.text, after: image.document)
        guard DocumentDiff(from: image.document, to: document, rules: codec.rules).losesGrowOnly else {
            // What the player decided shows as decided once it is read from the save.
            guard open.isEmpty, edited.decided.isEmpty else {
                return Edited(document: document, decided: edited.decided)
            }
            return Edited(document: document, image: try image.following(edited, document))
        }
        let former = ThreeWayMerge.Side(image.document, time: 0)
        let raised = try ThreeWayMerge(a: .init(document, time: 1), b: former, base: former, rules: codec.rules)
        return Edited(document: try JSONDocument(parsing: raised.bytes), decided: edited.decided, isRaised: true)
    }

    /// - Parameter setsAside: Whether what is no save gives way to what the game is about to write.
    private func reload(_ disk: inout OnDisk, setsAside: Bool) throws -> Step? {
        guard let content = try file.read() else {
            // It was deleted. What is in memory is all there is, and goes there with the next save.
            disk.mark = nil
            return nil
        }
        if let image = disk.image, Bytes.equal(image.document.bytes, content.bytes) {
            disk.mark = content.mark
            return nil
        }
        let image: ProfileImage<Subject>
        do {
            image = try codec.image(codec.lifted(JSONDocument(parsing: content.bytes)).document, open: disk.open)
        } catch {
            let fault = StoreFile<Subject>.fault(error, file.path)
            guard setsAside, fault.code == .damaged else { throw fault }
            _ = try StoreFile<Subject>.setAside(content.bytes, file)
            disk.mark = content.mark
            return nil
        }
        let former = disk.image
        try change { memory in
            if memory.edits == memory.saved {
                memory.profile = image.profile
            } else {
                memory.profile = try merged(memory.profile, former, image, disk.open)
            }
        }
        (disk.image, disk.mark) = (image, content.mark)
        return Step(old: former?.document, new: image.document, isOwn: false)
    }

    /// What is unsaved here, together with what came from elsewhere.
    private func merged(
        _ profile: Subject, _ former: ProfileImage<Subject>?, _ image: ProfileImage<Subject>,
        _ open: [DocumentPath: [OpenAlternative]]
    ) throws -> Subject {
        let base = try former?.document ?? JSONDocument(parsing: codec.newText(Subject()))
        let ours = try edited(profile, former, open).document
        let merge = try ThreeWayMerge(
            a: .init(ours, time: 2), b: .init(image.document, time: 1), base: .init(base, time: 0), rules: codec.rules)
        return try codec.image(JSONDocument(parsing: merge.bytes), open: open).profile
    }
}
