import MergeCore
import ProfileKeeping
import SyncProtocol

/// The writes that came from another device than the one that wrote them. They count like all others, and are asked about
/// once their writer is linked: who relays writes can change them.
///
/// At most one run of writes is kept for each replica of a profile. So writes between two runs that came from others are
/// asked about with them, whoever brought them.
struct Hearsay {
    /// A run of writes, and the devices that they came from: the first ones, at most ``relayLimit``.
    struct Told: Hashable {
        let span: WriteSpan
        let relays: [DeviceID]
    }

    static let notes = NoteSpace("hearsay")
    private static let relayLimit = 4

    private var told: [ProfileID: [ReplicaID: Told]] = [:]
    /// The profiles in which something came from others, by the writer, in ascending order. No list is empty.
    private var profiles: [DeviceID: [ProfileID]] = [:]
    private var unstored = NoteChange()

    /// Reads the record's notes in ``notes``. Writes of a replica whose device is not known are nobody's to confirm.
    init(_ notes: [String: [UInt8]], _ origins: ReplicaOrigins) throws(StorageFault) {
        var concerned: [DeviceID: Set<ProfileID>] = [:]
        for (key, value) in notes {
            guard let (profile, name) = Self.notes.parts(key), let replica = ReplicaID(hex: name),
                let told = Told(value, replica)
            else {
                throw StorageFault(
                    .record,
                    "the record holds an unreadable note about writes that came through others (\(key)); restore it from a backup"
                )
            }
            guard let writer = origins[replica]?.device else { continue }
            self.told[profile, default: [:]][replica] = told
            concerned[writer.id, default: []].insert(profile)
        }
        profiles = concerned.mapValues { $0.sorted() }
    }

    /// The runs of writes of one profile, by replica.
    func spans(of profile: ProfileID) -> [ReplicaID: Told] { told[profile] ?? [:] }

    /// The profiles in which writes of a device came from others, in ascending order.
    func profiles(of writer: DeviceID) -> [ProfileID] { profiles[writer] ?? [] }

    /// The profiles in which writes of a device came from others, in turn: those behind the last one first, and then the
    /// others up to it. Nothing is sorted or copied for that.
    func turn(of writer: DeviceID, behind last: ProfileID?) -> FlattenSequence<[ArraySlice<ProfileID>]> {
        let all = profiles(of: writer)
        let first = last.map { all.index(behind: $0) } ?? 0
        return [all[first...], all[..<first]].joined()
    }

    /// Whether writes of a device in a profile came from others. O(log profiles).
    func concerns(_ writer: DeviceID, in profile: ProfileID) -> Bool {
        profiles[writer]?.contains(ascending: profile) == true
    }

    // MARK: Adding

    /// The notes that store more runs of one profile.
    func notes(adding spans: [WriteSpan], through relays: [DeviceID], in profile: ProfileID) -> NoteChange {
        var change = NoteChange()
        for span in spans {
            change.set(Self.notes.key(profile, span.replica.hex), joined(span, relays, profile).note)
        }
        return change
    }

    /// Adds runs that were stored before.
    mutating func add(
        _ spans: [WriteSpan], through relays: [DeviceID], in profile: ProfileID, by writer: (ReplicaID) -> DeviceID?
    ) {
        for span in spans {
            if let writer = writer(span.replica) { put(joined(span, relays, profile), in: profile, by: writer) }
        }
    }

    private func joined(_ span: WriteSpan, _ relays: [DeviceID], _ profile: ProfileID) -> Told {
        let former = told[profile]?[span.replica]
        var all = former?.relays ?? []
        for relay in relays where all.count < Self.relayLimit && !all.contains(relay) { all.append(relay) }
        return Told(span: former?.span.joined(with: span) ?? span, relays: all)
    }

    private mutating func put(_ new: Told, in profile: ProfileID, by writer: DeviceID) {
        told[profile, default: [:]][new.span.replica] = new
        profiles[writer, default: []].insert(ascending: profile)
    }

    // MARK: Removing

    /// Forgets runs of one profile: they are their writer's word now.
    ///
    /// - Parameter writer: The device that writes as a replica.
    mutating func forget(
        _ replicas: some Collection<ReplicaID>, in profile: ProfileID, by writer: (ReplicaID) -> DeviceID?
    ) {
        for replica in replicas where told[profile]?.removeValue(forKey: replica) != nil {
            unstored.delete(Self.notes.key(profile, replica.hex))
        }
        let left = Set((told[profile] ?? [:]).keys.compactMap(writer))
        if told[profile]?.isEmpty == true { told[profile] = nil }
        for device in Set(replicas.compactMap(writer)) where !left.contains(device) {
            profiles[device]?.remove(ascending: profile)
            if profiles[device]?.isEmpty == true { profiles[device] = nil }
        }
    }

    /// The notes that are to be deleted.
    mutating func takeUnstored() -> NoteChange { unstored.take() }
}

extension [ProfileID] {
    /// The index behind a profile in an ascending list, whether it is there or not. O(log count).
    func index(behind profile: ProfileID) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if profile < self[middle] { high = middle } else { low = middle + 1 }
        }
        return low
    }

    fileprivate func contains(ascending profile: ProfileID) -> Bool {
        let index = self.index(behind: profile)
        return index > 0 && self[index - 1] == profile
    }

    fileprivate mutating func insert(ascending profile: ProfileID) {
        let index = self.index(behind: profile)
        if index == 0 || self[index - 1] != profile { insert(profile, at: index) }
    }

    fileprivate mutating func remove(ascending profile: ProfileID) {
        let index = self.index(behind: profile)
        if index > 0, self[index - 1] == profile { remove(at: index - 1) }
    }
}

extension Hearsay.Told {
    /// Reads a note: the beginning of the run, the last number and its history, and the devices.
    fileprivate init?(_ note: [UInt8], _ replica: ReplicaID) {
        guard note.count > 24, (note.count - 24) % 16 == 0,
            let span = WriteSpan(
                replica, after: Self.number(note[..<8]),
                upTo: .init(sequence: Self.number(note[8..<16]), history: Self.number(note[16..<24])))
        else { return nil }
        let relays = stride(from: 24, to: note.count, by: 16).compactMap { DeviceID(bytes: Array(note[$0..<$0 + 16])) }
        self.init(span: span, relays: relays)
    }

    fileprivate var note: [UInt8] {
        Self.bytes(span.after) + Self.bytes(span.last) + Self.bytes(span.end.history) + relays.flatMap(\.bytes)
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
