import MergeCore

/// What is known of a profile's file on this device.
///
/// A profile is bound to a file or not. For an unbound profile, the only thing that may be known is an intent that was
/// cut short. For a bound profile this is known at all times:
///
/// | what | changes with |
/// |---|---|
/// | what is at the path (``Content``) | every look, and every projection |
/// | how the version of the newest snapshot relates to the rules | every new snapshot, and new rules |
/// | what the file does not show yet, and which of its values no rule can read | every write and every join |
/// | how far the last projection has come | the steps of the article Durability |
///
/// Each of the four changes independently of the others: an atom that comes in while the file is missing must also be
/// written when the file is put back. The ``status`` is not stored; it follows from the first two.
///
/// Other types change a file only by the events below, so no other combination can arise.
package struct KeptFile: Sendable {
    private var state: State

    private enum State: Sendable {
        /// No file on this device. `interrupted` is the intent of a projection that was not finished before the profile
        /// was unbound from its last file. The temporary file may hold a save, so the intent is finished when the
        /// profile is bound again.
        case unbound(interrupted: Intent?)
        case bound(Bound)
    }

    private struct Bound: Sendable {
        var path: String
        var content = Content.unseen
        var versionStatus = VersionStatus.current
        var lag = FileLag.unknown
        /// Places of the newest snapshot that its state knew and the present one does not: their writer says that it never
        /// wrote them. Not stored: after a start such a place stays in the file, and only there, until its game changes it.
        var withdrawn: Set<DocumentPath> = []
        /// `nil` where only a search of the newest snapshot could tell. Places that ``lag`` names may be missing.
        var unread = Rare<UnreadPlaces>.none
        /// The identity of the file that the last projection put there.
        var written: FileIdentity?
        /// The content that was made for a file that never existed here, until it is written or the state changes.
        var firstFile: FirstFile?
        var progress: ProjectionProgress
    }

    /// What is at the path.
    private enum Content: Sendable {
        /// The file was not looked at since the profile was bound or loaded.
        case unseen
        /// A save, as far as is known. Its version decides whether Hearth may write to it (``versionStatus``).
        case save
        case nothing
        /// A file that cannot be used. The text says what is wrong, where, and what to do. The second value is the
        /// invalid file that Hearth may replace; `nil` if Hearth must not replace it.
        indirect case unusable(String, InvalidFile?)
        /// A file that is no save; a copy of these bytes is in quarantine. The last good state replaces it as soon as
        /// the file may be written.
        case quarantined([UInt8])
    }

    /// The file as the record describes it. After a start it is not known what the file lacks.
    init(path: String?, intent: Intent? = nil) {
        state = .unbound(interrupted: intent)
        if let path { bind(to: path) }
    }

    private var bound: Bound? {
        if case .bound(let bound) = state { bound } else { nil }
    }

    private mutating func update(_ body: (inout Bound) -> Void) {
        guard case .bound(var bound) = state else { return }
        state = .unbound(interrupted: nil)  // so that no array is copied
        body(&bound)
        state = .bound(bound)
    }
}

// MARK: What is known

extension KeptFile {
    /// The path of the file; `nil` where the profile has none here.
    package var path: String? { bound?.path }

    /// The status of the file; `good` where there is none.
    package var status: FileStatus {
        guard let bound else { return .good }
        switch bound.content {
        case .unseen: return .good
        case .nothing: return .missing
        case .unusable(let why, _): return .bad(why)
        case .quarantined: return .quarantined
        case .save:
            switch bound.versionStatus {
            case .current: return .good
            case .behind(let version): return .behind(version)
            case .refused(let why, _): return .bad("\(bound.path) \(why)")
            }
        }
    }

    /// How the version of the newest snapshot relates to that of the rules; `current` where there is no file.
    package var versionStatus: VersionStatus { bound?.versionStatus ?? .current }

    /// What the file does not show yet; `none` where there is no file.
    package var lag: FileLag { bound?.lag ?? .none }

    /// Places that the file still shows, and that the state does not know any more.
    var withdrawn: Set<DocumentPath> { bound?.withdrawn ?? [] }

    /// The places of the newest snapshot whose value their rule cannot read; `nil` where only a search of the whole
    /// snapshot could tell. Places that ``lag`` names may be missing from it.
    var unread: UnreadPlaces? { bound?.unread.value }

    /// The content that was made for a file that never existed here, and shows the present state; `nil` for none.
    var firstFile: FirstFile? { bound?.firstFile }

    /// The identity of the file that the last projection put at the path; `nil` where it is not known.
    package var written: FileIdentity? { bound?.written }

    /// The intent of a projection that was not finished.
    var intent: Intent? {
        switch state {
        case .unbound(let intent): intent
        case .bound(let bound): if case .intended(let intent) = bound.progress { intent } else { nil }
        }
    }

    /// The end of a projection that the record does not know yet.
    var unwrittenEnd: ProjectionProgress.UnwrittenEnd? {
        if case .swapped(let end)? = bound?.progress { end } else { nil }
    }

    /// Whether nothing has looked at the path since the start.
    var isUnseen: Bool {
        if case .unseen? = bound?.content { true } else { false }
    }

    /// The invalid file at the path, as long as nothing was done about it.
    var invalidFile: InvalidFile? {
        if case .unusable(_, let file)? = bound?.content { file } else { nil }
    }

    /// The content at the path that is kept in quarantine and may be overwritten; `nil` for none.
    var quarantined: [UInt8]? {
        if case .quarantined(let bytes)? = bound?.content { bytes } else { nil }
    }
}

// MARK: The binding

extension KeptFile {
    /// The profile has a file at a path now.
    mutating func bind(to path: String) {
        state = .bound(Bound(path: path, progress: intent.map { .intended($0) } ?? .none))
    }

    /// The file is at another path now.
    mutating func move(to path: String) {
        update {
            $0.path = path
            ($0.content, $0.written) = (.save, nil)
        }
        compareAll()
    }

    /// The profile has no file here any more.
    mutating func unbind() { state = .unbound(interrupted: intent) }
}

// MARK: What is at the path

extension KeptFile {
    /// There is a file at the path, and it does not hold the quarantined bytes. It counts as a save until more is
    /// known.
    mutating func foundContent() { update { $0.content = .save } }

    /// Nothing is at the path.
    mutating func foundNothing() {
        update { ($0.content, $0.written) = (.nothing, nil) }
        compareAll()
    }

    /// The file at the path cannot be used.
    ///
    /// - Parameter invalidFile: The file, if Hearth may replace it.
    mutating func foundUnusable(_ why: String, _ invalidFile: InvalidFile?) {
        update { ($0.content, $0.written) = (.unusable(why, invalidFile), nil) }
    }

    /// The invalid file has other content by now.
    mutating func invalidFileChanged() {
        update { if case .unusable(let why, _) = $0.content { $0.content = .unusable(why, nil) } }
    }

    /// What is at the path is kept in quarantine and may be overwritten.
    mutating func quarantine(_ bytes: [UInt8]) {
        update { $0.content = .quarantined(bytes) }
        compareAll()
    }

    /// Other rules are in force. A file that could not be used under the former rules may be a save under the new ones.
    /// A file that is missing or in quarantine keeps its status.
    mutating func rulesChanged() {
        update {
            switch $0.content {
            case .unseen, .save, .unusable: $0.content = .save
            case .nothing, .quarantined: break
            }
        }
        compareAll()
    }

    /// Another profile was joined into this one. Earlier findings about the file are dropped, except that it is in
    /// quarantine.
    mutating func profileJoined() {
        update {
            switch $0.content {
            case .unseen, .save, .nothing, .unusable: $0.content = .save
            case .quarantined: break
            }
        }
        compareAll()
    }

    /// The version of the newest snapshot was compared with that of the rules.
    mutating func noteVersionStatus(_ versionStatus: VersionStatus) { update { $0.versionStatus = versionStatus } }
}

// MARK: What it does not show

extension KeptFile {
    /// The profile's state has changed at these places. O(added).
    mutating func stateChanged(at keys: [AtomKey]) {
        update {
            $0.lag.add(keys)
            if $0.lag == .unknown { $0.unread = .none }
        }
    }

    /// It is not known any more what the file lacks, so the next projection compares everything.
    mutating func compareAll() {
        update { ($0.lag, $0.unread) = (.unknown, .none) }
    }

    /// The file shows everything that the state shows.
    mutating func showsState() { update { ($0.lag, $0.withdrawn) = (.none, []) } }

    /// The state does not know these places any more, and the file still shows them.
    mutating func withdraw(_ paths: some Sequence<DocumentPath>) {
        compareAll()
        update { $0.withdrawn.formUnion(paths) }
    }

    /// The newest snapshot was searched for values that no rule can read; `nil` where the result does not hold any
    /// more.
    mutating func noteUnread(_ places: UnreadPlaces?) { update { $0.unread.value = places } }

    /// A save had values at these places that no rule can read.
    mutating func foundUnread(_ leaves: [UnreadableLeaf]) { update { $0.unread.value?.add(leaves) } }
}

// MARK: Projections

extension KeptFile {
    /// The record has stored a change of the profile, together with the end of a projection that was not stored before.
    mutating func recordStored(_ change: RecordChange.IntentChange) {
        switch (change, state) {
        case (.keep, .unbound): break
        case (.keep, .bound(let bound)): if case .swapped = bound.progress { update { $0.progress = .none } }
        case (.clear, .unbound): state = .unbound(interrupted: nil)
        case (.clear, .bound): update { $0.progress = .none }
        case (.set, .unbound): preconditionFailure("a projection needs a file to go into")
        case (.set(let intent), .bound): update { $0.progress = .intended(intent) }
        }
    }

    /// The content of a first file was made.
    mutating func madeFirstFile(_ file: FirstFile) { update { $0.firstFile = file } }

    /// The state changes, so a first file that was made shows a former one.
    mutating func stateWillChange() { if firstFile != nil { update { $0.firstFile = nil } } }

    /// A projection is finished on disk. The record stores that later.
    ///
    /// - Parameters:
    ///   - written: The identity of the new file, where it is known.
    ///   - showsState: Whether the file shows the state. False if a save was swapped away, because no file shows the changes
    ///     of that save.
    mutating func swapped(_ end: ProjectionProgress.UnwrittenEnd, as written: FileIdentity? = nil, showsState: Bool) {
        update {
            $0.content = .save
            $0.written = written
            $0.firstFile = nil
            $0.progress = .swapped(end)
        }
        if showsState { self.showsState() } else { compareAll() }
    }
}
