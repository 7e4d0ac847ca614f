import MergeCore
import ProfileKeeping
import SyncProtocol

/// Offers this device's daily backups to devices that keep copies, if the player named them.
///
/// A backup is the whole save, including the fields that are `local`. So both sides have to be configured: a device
/// that the player did not name gets no list, and each of its questions is answered with no bytes.
///
/// Backups are listed when a link comes up, when a new one is made, and when a pause ends; one profile at a time, so
/// that thousands of profiles delay nothing else. Of all effects of an event, answers to questions come last: deltas go
/// first, and a later delta waits for one part at most. A profile that is paused here is neither listed nor sent.
struct CopySender {
    /// The time between two lists on one link: making a list may read several files.
    static let pace = Duration.milliseconds(20)

    /// An effect that the rest of the agent carries out.
    enum Effect {
        /// Send the bytes that were asked for over a link; no bytes if the backup is gone.
        case answer(ConnectionID, [UInt8])
        case list(ConnectionID, ProfileID, [CopyFacts])
        case log(LogLine)
    }

    /// A device that keeps copies, or asks for one.
    private struct Peer {
        var keeps = false
        /// Profiles whose daily backups are still to be listed to it.
        var toList: Set<ProfileID> = []
        /// The time at which the next profile may be listed.
        var nextList = MonotonicTime.min
        /// The open question of the peer.
        var question: CopyQuestion?
    }

    /// The names or ids of the devices that may have copies of this device's daily backups.
    private(set) var shares: [String]
    /// The daily backups that were found, by profile.
    private var sources: [ProfileID: [CopySource]] = [:]
    private var peers: [ConnectionID: Peer] = [:]

    init(shares: [String]) { self.shares = shares }

    /// Whether the player named a device: by its id, or by the name that it was paired under, if no other member was.
    func names(_ device: DeviceID, among members: [Roster.Member]) -> Bool {
        shares.contains { wanted in
            wanted == device.description || members.filter { $0.pairedName == wanted }.map(\.id) == [device]
        }
    }

    /// Profiles whose daily backups were looked at.
    var lookedAt: [ProfileID] { sources.keys.sorted() }

    /// The earliest time at which ``tick(_:paused:now:)`` has something to list.
    var deadline: MonotonicTime? { peers.values.filter { !$0.toList.isEmpty }.map(\.nextList).min() }

    /// Takes the changed configuration.
    mutating func share(_ shares: [String], profiles: [ProfileID]) {
        guard shares != self.shares else { return }
        self.shares = shares
        if shares.isEmpty { sources = [:] }
        for id in peers.keys { peers[id]?.toList = [] }
        listAgain(profiles)
    }

    /// Notes whether a device keeps copies.
    mutating func peerKeeps(_ keeps: Bool, on id: ConnectionID, profiles: [ProfileID]) -> [Effect] {
        var peer = peers[id] ?? Peer()
        peer.keeps = keeps
        peer.toList = keeps && !shares.isEmpty ? Set(profiles) : []
        defer { peers[id] = peer }
        guard !keeps, peer.question != nil else { return [] }
        // The device no longer wants its answer. But without an answer it could never ask again.
        peer.question = nil
        return [.answer(id, [])]
    }

    /// Notes a device's question for a part of a backup.
    mutating func asked(_ question: CopyQuestion, on id: ConnectionID) {
        peers[id, default: Peer()].question = question
    }

    mutating func closed(_ id: ConnectionID) { peers[id] = nil }

    /// Notes that the daily backups of these profiles have changed, so that they are listed again.
    mutating func listAgain(_ profiles: some Sequence<ProfileID>) {
        guard !shares.isEmpty else { return }
        for id in peers.keys where peers[id]?.keeps == true { peers[id]?.toList.formUnion(profiles) }
    }

    /// Answers the open questions, and lists one profile to each device.
    ///
    /// - Parameter isNamed: Whether the player named the device at the other end of a link, see ``names(_:among:)``.
    mutating func tick(
        _ engine: ProfileEngine<some ProfileFiles, some Record>, paused: Set<ProfileID>,
        isNamed: (ConnectionID) -> Bool, now: MonotonicTime
    ) -> [Effect] {
        var effects: [Effect] = []
        for (id, former) in peers.sorted(by: { $0.key < $1.key })
        where former.question != nil || !former.toList.isEmpty {
            var peer = former
            let shares = isNamed(id)
            if !shares { peer.toList = [] }
            if let question = peer.question {
                peer.question = nil
                let isOpen = shares && !paused.contains(question.profile) && engine.profiles[question.profile] != nil
                let part = isOpen ? part(question, engine, &effects) : []
                // A profile that is unknown here is not noted for another listing.
                if part.isEmpty, shares, engine.profiles[question.profile] != nil {
                    peer.toList.insert(question.profile)
                }
                effects.append(.answer(id, part))
            }
            if peer.nextList <= now, let profile = peer.toList.min() {
                peer.toList.remove(profile)
                peer.nextList = now + Self.pace
                if !paused.contains(profile), engine.profiles[profile] != nil {
                    let facts = look(profile, engine, &effects)
                    if !facts.isEmpty { effects.append(.list(id, profile, facts)) }
                }
            }
            peers[id] = peer
        }
        return effects
    }

    /// Looks up the daily backups of a profile.
    private mutating func look(
        _ profile: ProfileID, _ engine: ProfileEngine<some ProfileFiles, some Record>, _ effects: inout [Effect]
    ) -> [CopyFacts] {
        do {
            let found = try engine.copySources(profile, known: sources[profile] ?? [])
            sources[profile] = found
            return found.filter { $0.fileSize <= Limits.copySize }.map {
                CopyFacts(day: $0.day.number, size: $0.fileSize, checksum: $0.checksum)
            }
        } catch {
            let message = "the daily backups cannot be listed for other devices"
            effects.append(.log(LogLine(.warning, message, ["why": error.message])))
            return []
        }
    }

    /// The bytes that are asked for; none if the backup is gone. If a backup was pinned or put into another pool since
    /// it was listed, its file has changed, and it is listed again.
    private mutating func part(
        _ question: CopyQuestion, _ engine: ProfileEngine<some ProfileFiles, some Record>, _ effects: inout [Effect]
    ) -> [UInt8] {
        _ = look(question.profile, engine, &effects)
        let source = sources[question.profile]?.first { $0.checksum == question.checksum }
        guard let source else { return [] }
        let part = try? engine.files.readStoredBackup(
            source.backup.name, of: question.profile, from: question.offset,
            limit: min(Limits.copyPart, max(0, source.fileSize - question.offset)))
        return part ?? []
    }
}
