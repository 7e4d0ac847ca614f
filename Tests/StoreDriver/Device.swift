import DiskStore
import HouseholdSimulation
import LosslessJSON
import MergeCore
import ProfileKeeping

/// This device: an engine on the real disk, driven as the agent drives it, on a clock moved by hand.
struct Device {
    private let lock: HomeLock
    private let record: SQLiteRecord
    private var engine: ProfileEngine<DiskFiles, SQLiteRecord>
    private let path: String
    private var now: Moment
    private var tag: UInt64
    private var recovered = false
    /// What could not be done, in the order in which it was met.
    private var troubles: [String] = []

    /// - Parameter run: Tells this start from those before.
    init(folder: String, run: Int64) throws {
        now = Peer.time + 1_000_000 * (run + 1)
        tag = UInt64(run + 1) << 32
        path = folder + "/game/save.json"
        try HomeFolder.create(folder + "/home")
        lock = try HomeLock(home: folder + "/home")
        record = try SQLiteRecord(home: folder + "/home")
        engine = try ProfileEngine(files: DiskFiles(home: folder + "/home"), store: record)
        recovered = !engine.recover(now: now).isEmpty
    }

    /// Everything there is to do, again and again as the agent does it: whatever fails is tried again later.
    mutating func settle(with peer: Peer) throws {
        for _ in 0..<8 {
            attempt { device throws(StorageFault) in try device.join(peer) }
            attempt { device throws(StorageFault) in _ = try device.engine.ingest(Peer.id, now: device.now) }
            for _ in 0..<3 {
                tag += 1
                if engine.project(Peer.id, tag: tag, now: now) != .fileChanged { break }
                attempt { device throws(StorageFault) in _ = try device.engine.ingest(Peer.id, now: device.now) }
            }
            note(engine.profiles[Peer.id]?.trouble)
            now += 10_000
            attempt { device throws(StorageFault) in
                let day = LocalDay(number: 20_261_121)!
                _ = try device.engine.dailyBackup(Peer.id, now: device.now, day: day)
            }
            attempt { device throws(StorageFault) in try device.engine.clearDisplaced(Peer.id, now: device.now) }
            note(engine.profiles[Peer.id]?.backupTrouble)
        }
    }

    /// Takes up what the other device wrote; binds the file at the first time.
    private mutating func join(_ peer: Peer) throws(StorageFault) {
        let known = engine.profiles[Peer.id]?.state.vector ?? VersionVector()
        if !known.covers(peer.state.vector) {
            let outcome = try engine.join(
                Peer.id, atoms: peer.state.delta(beyond: known), from: known, to: peer.state.vector,
                freshReplica: ReplicaID(high: 1, low: 1), now: now)
            if outcome != .joined { troubles.append("the delta was not joined: \(outcome)") }
        }
        if engine.profiles[Peer.id]?.file.path == nil {
            do { try engine.bind(Peer.id, to: path, now: now) } catch { note(error.message) }
        }
    }

    private mutating func attempt(_ work: (inout Device) throws(StorageFault) -> Void) {
        do throws(StorageFault) { try work(&self) } catch { note(error.message) }
    }

    private mutating func note(_ trouble: String?) {
        if let trouble, troubles.last != trouble { troubles.append(trouble) }
    }

    // MARK: Telling

    /// One line of JSON; closes the record.
    func report(seenBy peer: Peer) throws -> String {
        let profile = engine.profiles[Peer.id]
        let stored = try record.load(Peer.id)
        let displaced = try record.notes(prefix: "displaced/").count
        let backups = try engine.backups(Peer.id)
        let there = try profile.map { try peer.file(after: $0.state) } ?? []
        let unsound = backups.filter { $0.condition != .good }.map(\.name)
        record.close()
        withExtendedLifetime(lock) {}
        let members: KeyValuePairs<JSONString, JSONValue> = [
            "recovered": .bool(recovered), "hasIntent": .bool(stored?.intent != nil),
            "displaced": .number(JSONNumber(displaced)), "backups": .number(JSONNumber(backups.count)),
            "unsoundBackups": .array(unsound.map(Self.text)),
            "trouble": Self.text(profile?.trouble ?? profile?.backupTrouble ?? ""),
            "troubles": .array(troubles.map(Self.text)), "remark": Self.text(profile?.remark ?? ""),
            "peer": Self.text(String(decoding: there, as: UTF8.self)),
        ]
        let value = JSONValue.object(members.map { JSONMember(key: $0.key, value: $0.value) })
        return String(decoding: value.jsonBytes, as: UTF8.self)
    }

    private static func text(_ text: String) -> JSONValue { .string(JSONString(text)) }
}
