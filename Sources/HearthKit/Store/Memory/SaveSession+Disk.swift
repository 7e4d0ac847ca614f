import DiskStore
import LosslessJSON
import MergeCore
import ProfileKeeping
import Synchronization

/// Reading and writing the profile's file.
extension SaveSession {
    /// How often one save is tried while other programs keep writing the file.
    private static var tries: Int { 8 }

    /// The save as it was last read or written; `nil` while there is none.
    var document: JSONDocument? { disk.withLock { $0.snapshot?.document } }

    /// Saves unsaved edits. They are durable when this returns.
    ///
    /// - Returns: What happened to the file, in order: writes of other programs, and the save.
    func save() throws -> [Step] {
        try disk.withLock { disk in
            var steps: [Step] = []
            for _ in 0..<Self.tries {
                let (profile, edits, isUnsaved) = memory.withLock { ($0.profile, $0.edits, $0.edits != $0.saved) }
                guard isUnsaved else { return steps }
                let edited = try edited(profile, disk.snapshot, disk.open)
                let text = edited.document.bytes
                let decided =
                    edited.decisions(after: disk.snapshot?.document, disk.open)
                    + disk.held.filter { $0.isKept(in: edited.document) }
                if let snapshot = disk.snapshot, disk.mark != nil, Bytes.equal(text, snapshot.document.bytes),
                    decided.isEmpty
                {
                    settle(edits, edited.isRaised ? snapshot.profile : nil)
                    return steps
                }
                // The player decided these choices, so they are no longer shown as open.
                for path in edited.decided { disk.open[path] = nil }
                // Read back before writing, so that no save is written that cannot be read again.
                let snapshot = try edited.snapshot ?? codec.snapshot(edited.document, open: disk.open)
                let outcome = try file.write(text, over: disk.mark)
                switch outcome {
                case .written(let mark), .unconfirmed(let mark, _):
                    var step = Step(old: disk.snapshot?.document, new: snapshot.document, isOwn: true)
                    step.decided = decided
                    if case .written = outcome { step.file = mark }
                    steps.append(step)
                    (disk.snapshot, disk.mark, disk.held) = (snapshot, mark, [])
                    settle(edits, decided.isEmpty && !edited.isRaised ? nil : snapshot.profile)
                    if case .unconfirmed(_, let fault) = outcome {
                        throw StoreError(.unconfirmed, "saved, but \(fault.message)")
                    }
                    return steps
                case .changed:
                    if let step = try reload(&disk, setsAside: true) { steps.append(step) }
                }
            }
            throw StoreError(
                .disk, "\(file.path) is written by another program all the time; find out which, and stop it")
        }
    }

    /// Takes over the content that another program wrote into the file; `nil` if the file is unchanged.
    func reload() throws -> Step? {
        try disk.withLock { disk in
            guard try file.mark() != disk.mark else { return nil }
            return try reload(&disk, setsAside: false)
        }
    }

    /// Sets the open alternatives of choices, which the profile then shows.
    func setOpen(_ open: [DocumentPath: [OpenAlternative]]) throws {
        try disk.withLock { disk in
            guard disk.open != open, let snapshot = disk.snapshot else { return }
            disk.open = open
            let again = try codec.snapshot(snapshot.document, open: open)
            disk.snapshot = again
            change { if $0.edits == $0.saved { $0.profile = again.profile } }
        }
    }

    /// Replaces the whole save, after saving what is unsaved.
    func rewrite(_ body: (JSONDocument) throws -> [UInt8]) throws -> [Step] {
        var steps = try save()
        return try disk.withLock { disk in
            guard let former = disk.snapshot else { return steps }
            let snapshot = try codec.snapshot(JSONDocument(parsing: body(former.document)), open: disk.open)
            switch try file.write(snapshot.document.bytes, over: disk.mark) {
            case .written(let mark), .unconfirmed(let mark, _):
                (disk.snapshot, disk.mark) = (snapshot, mark)
                change { memory in
                    // An edit made meanwhile is dropped: it belongs to the save that is replaced.
                    memory.profile = snapshot.profile
                    memory.saved = memory.edits
                }
                steps.append(Step(old: former.document, new: snapshot.document, isOwn: true))
                return steps
            case .changed: throw StoreError(.disk, "\(file.path) was written by another program just now; try again")
            }
        }
    }

    /// Writes a save of another version of the game into the file. This session must not save afterwards.
    func leave<Result: Sendable>(_ body: (JSONDocument) throws -> (text: [UInt8], result: Result)) throws -> Result {
        try disk.withLock { disk in
            guard let snapshot = disk.snapshot else {
                throw StoreError(.needsDecision, "nothing is saved yet, so there is nothing to take back")
            }
            let (text, result) = try body(snapshot.document)
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

    /// A save with the game's edits in it.
    private struct Edited {
        var document: JSONDocument
        var decided: [DocumentPath] = []
        /// The snapshot, where the save holds exactly the profile. Then it was read back already.
        var snapshot: ProfileSnapshot<Subject>?
        /// Whether the save holds more than the profile, because grow-only values were kept.
        var isRaised = false

        func decisions(
            after former: JSONDocument?, _ open: [DocumentPath: [OpenAlternative]]
        ) -> [Decision] {
            decided.compactMap { Decision($0, in: document, after: former, over: open[$0] ?? []) }
        }
    }

    /// Writes a profile into the save; a first save contains only what differs from the defaults. Grow-only values such
    /// as a ``Highest`` keep their value in the save where the profile holds less, so that no save looks as if progress
    /// was lost.
    private func edited(
        _ profile: Subject, _ snapshot: ProfileSnapshot<Subject>?, _ open: [DocumentPath: [OpenAlternative]]
    ) throws -> Edited {
        guard let snapshot else { return Edited(document: try JSONDocument(parsing: codec.newText(profile))) }
        let edited = try snapshot.edited(profile)
        let document = try JSONDocument(parsing: edited.text, after: snapshot.document)
        if let raised = try snapshot.raised(document) {
            return Edited(document: raised, decided: edited.decided, isRaised: true)
        }
        // The choices that the player decided show as decided only after the save is read again.
        guard open.isEmpty, edited.decided.isEmpty else { return Edited(document: document, decided: edited.decided) }
        return Edited(document: document, snapshot: try snapshot.following(edited, document))
    }

    /// - Parameter setsAside: Whether an unreadable file is moved aside, because the game is about to write its own.
    private func reload(_ disk: inout OnDisk, setsAside: Bool) throws -> Step? {
        guard let content = try file.read() else {
            // The file was deleted. The profile in memory is the only copy, and the next save writes it.
            disk.mark = nil
            return nil
        }
        if let snapshot = disk.snapshot, Bytes.equal(snapshot.document.bytes, content.bytes) {
            disk.mark = content.mark
            return nil
        }
        let snapshot: ProfileSnapshot<Subject>
        do {
            snapshot = try codec.snapshot(
                codec.migrated(JSONDocument(parsing: content.bytes)).document, open: disk.open)
        } catch {
            let fault = StoreFile<Subject>.fault(error, file.path)
            guard setsAside, fault.code == .damaged else { throw fault }
            _ = try StoreFile<Subject>.quarantine(content.bytes, file)
            disk.mark = content.mark
            return nil
        }
        let former = disk.snapshot
        var held: [Decision] = []
        try change { memory in
            if memory.edits == memory.saved {
                memory.profile = snapshot.profile
            } else {
                (memory.profile, held) = try merged(memory.profile, former, snapshot, disk.open)
            }
        }
        disk.held += held
        (disk.snapshot, disk.mark) = (snapshot, content.mark)
        return Step(old: former?.document, new: snapshot.document, isOwn: false)
    }

    /// Merges unsaved edits with what another program wrote.
    private func merged(
        _ profile: Subject, _ former: ProfileSnapshot<Subject>?, _ snapshot: ProfileSnapshot<Subject>,
        _ open: [DocumentPath: [OpenAlternative]]
    ) throws -> (Subject, [Decision]) {
        let base = try former?.document ?? JSONDocument(parsing: codec.newText(Subject()))
        let ours = try edited(profile, former, open)
        let merge = try ThreeWayMerge(
            a: .init(ours.document, time: 2), b: .init(snapshot.document, time: 1), base: .init(base, time: 0),
            rules: codec.rules)
        return (
            try codec.snapshot(JSONDocument(parsing: merge.bytes), open: open).profile,
            ours.decisions(after: former?.document, open)
        )
    }
}
