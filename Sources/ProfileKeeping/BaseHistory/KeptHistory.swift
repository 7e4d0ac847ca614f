import MergeCore

/// What is known of the newest snapshot while the base history itself is in the record only.
struct SnapshotOutline: Hashable, Sendable {
    var number: Int64
    var kind: BaseHistoryRow.Kind
    var vector: VersionVector
    /// The hash of its bytes' fingerprint.
    var hash: UInt64

    /// The outline of the newest snapshot; `nil` where there is none.
    ///
    /// - Parameter known: A vector that is in memory already. Mostly the snapshot's is the same, and then it is that one.
    init?(_ history: BaseHistory, sharing known: VersionVector? = nil) {
        guard let newest = history.newest, let number = history.newestNumber else { return nil }
        (self.number, kind) = (number, newest.kind)
        vector = known.flatMap { $0 == newest.vector ? $0 : nil } ?? newest.vector
        hash = Fingerprint.hash(of: newest.bytes)
    }

    var fingerprint: [UInt8] { Fingerprint.of(hash: hash) }
}

/// A profile's base history, in memory or in the record. What no record holds stays in memory: since when snapshots are in
/// the file, and who opened them.
///
/// Where it cannot be read from the record, readers get an empty one, and ``fault`` is set.
struct KeptHistory: Sendable {
    private indirect enum Place: Sendable {
        case memory(BaseHistory)
        /// Its rows have not been read since the start. At the time that is given, all of them were in the file already.
        case start(noticed: MonotonicTime?, hasSnapshots: Bool, RecordedValue<BaseHistory>)
        case record(newest: SnapshotOutline?, BaseHistory.Sightings, RecordedValue<BaseHistory>)
    }

    private var place: Place
    /// The reason why the base history could not be read before it was changed.
    private var faultBefore: StorageFault?

    init(_ history: BaseHistory) { place = .memory(history) }

    /// A base history that the record had before the start.
    init(_ recorded: RecordedValue<BaseHistory>, hasSnapshots: Bool) {
        place = .start(noticed: nil, hasSnapshots: hasSnapshots, recorded)
    }

    /// - Parameter history: What the record holds.
    init(_ history: BaseHistory, sharing vector: VersionVector, in recorded: RecordedValue<BaseHistory>) {
        place = .record(newest: SnapshotOutline(history, sharing: vector), history.sightings, recorded)
    }

    var value: BaseHistory {
        get {
            switch place {
            case .memory(let history): return history
            case .start(let time, _, let recorded):
                var history = (try? recorded.value().get()) ?? BaseHistory()
                if let time { history.noticed(at: time) }
                return history
            case .record(let newest, let sightings, let recorded):
                var history = (try? recorded.value { SnapshotOutline($0) == newest }.get()) ?? BaseHistory()
                history.sightings = sightings
                return history
            }
        }
        _modify {
            var history = value
            faultBefore = fault
            place = Self.nothing  // so that the rows have one owner
            defer { place = .memory(history) }
            yield &history
        }
    }

    private static let nothing = Place.memory(BaseHistory())

    /// The reason why the base history could not be read. Reads nothing.
    var fault: StorageFault? {
        if let recorded { recorded.fault } else { faultBefore }
    }

    /// Whether there is a snapshot. Reads nothing.
    var hasSnapshots: Bool {
        switch place {
        case .memory(let history): history.newestNumber != nil
        case .start(_, let hasSnapshots, _): hasSnapshots
        case .record(let newest, _, _): newest != nil
        }
    }

    /// What is known of the newest snapshot without reading the record: `nil` where nothing is, else the outline or
    /// that there is none.
    var newest: SnapshotOutline?? {
        switch place {
        case .memory(let history): .some(SnapshotOutline(history))
        case .start: nil
        case .record(let newest, _, _): .some(newest)
        }
    }

    var isInMemory: Bool {
        if case .memory = place { true } else { false }
    }

    /// Whether the base history was read from the record, and has not changed since.
    var isRead: Bool { recorded?.isLoaded ?? false }

    /// Lets go of what was read from the record, or could not be read.
    func release() { recorded?.release() }

    private var recorded: RecordedValue<BaseHistory>? {
        switch place {
        case .memory: nil
        case .start(_, _, let recorded), .record(_, _, let recorded): recorded
        }
    }

    /// Notes that every snapshot was in the file at this time or earlier. Reads nothing.
    mutating func noticed(at time: MonotonicTime) {
        switch place {
        case .memory: value.noticed(at: time)
        case .start(let former, let hasSnapshots, let recorded):
            place = .start(noticed: min(former ?? time, time), hasSnapshots: hasSnapshots, recorded)
        case .record(let newest, var sightings, let recorded):
            sightings.noticed(at: time)
            place = .record(newest: newest, sightings, recorded)
        }
    }

    /// Notes whether other processes opened the file, see ``BaseHistory/note(_:isSwap:)``. Reads nothing, unless what was
    /// seen changes what is known.
    mutating func note(_ seen: FileOpens, isSwap: Bool) {
        switch place {
        case .memory: value.note(seen, isSwap: isSwap)
        case .start:
            // Who opened the file before the start is not known, and no open after it changes that.
            guard isSwap || FileOpens.unknown.and(seen) != .unknown else { return }
            var history = value
            history.note(seen, isSwap: isSwap)
            if fault == nil { place = .memory(history) }
        case .record(let newest, var sightings, let recorded):
            sightings.note(seen, isSwap: isSwap)
            place = .record(newest: newest, sightings, recorded)
        }
    }

    /// Whether no program has opened the newest snapshot since it was put into the file, and none was seen to write it
    /// again. Reads nothing.
    var isNewestUnread: Bool {
        switch place {
        case .memory(let history): history.opens.isNewestUnread
        case .start: false
        case .record(_, let sightings, _): sightings.opens.isNewestUnread
        }
    }

    /// Notes that a repeated write of the newest snapshot has been handled. Reads nothing.
    mutating func noteRepeat() {
        switch place {
        case .memory(var history):
            history.sightings.opens.noteRepeat()
            place = .memory(history)
        case .start: break
        case .record(let newest, var sightings, let recorded):
            sightings.opens.noteRepeat()
            place = .record(newest: newest, sightings, recorded)
        }
    }
}
