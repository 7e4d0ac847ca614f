import MergeCore
import ProfileKeeping
import SyncProtocol

/// How many saves each other device brought here that nobody took up: they have no file here, and this device never
/// wrote in them. A device that makes saves without number fills neither the record nor the memory of the others.
struct BegunProfiles {
    /// The time after which they are counted again where a device has too many: some may have been restored or forgotten.
    static let pause = Duration.seconds(60)

    private var counts: [DeviceKey: Int]?
    private var counted = MonotonicTime.min
    /// The devices of which saves are left out.
    private(set) var excessive: Set<DeviceID> = []

    /// Whether a save that is new here may come in: one of the devices that wrote in it has room for it, or is this one.
    ///
    /// - Parameters:
    ///   - writers: The devices that wrote in it.
    ///   - table: What is kept here.
    mutating func takes(
        _ writers: Set<DeviceKey>, among table: ProfileTable, _ origins: ReplicaOrigins, me: DeviceKey, limit: Int,
        now: MonotonicTime
    ) -> Bool {
        if writers.isEmpty || writers.contains(me) { return true }
        if counts == nil { count(table, origins, me, limit, now) }
        if hasRoom(writers, limit) { return true }
        if now - counted >= Self.pause { count(table, origins, me, limit, now) }
        if hasRoom(writers, limit) { return true }
        excessive.formUnion(writers.map(\.id))
        return false
    }

    /// Whether ``takes(_:among:_:me:limit:now:)`` says so without counting anew.
    func surelyTakes(_ writers: Set<DeviceKey>, me: DeviceKey, limit: Int) -> Bool {
        writers.isEmpty || writers.contains(me) || counts != nil && hasRoom(writers, limit)
    }

    /// Notes that such a save is kept here now.
    mutating func began(_ writers: Set<DeviceKey>) {
        for writer in writers { counts?[writer, default: 0] += 1 }
    }

    private func hasRoom(_ writers: Set<DeviceKey>, _ limit: Int) -> Bool {
        writers.contains { counts?[$0] ?? 0 < limit }
    }

    /// O(profiles · replicas).
    private mutating func count(
        _ table: ProfileTable, _ origins: ReplicaOrigins, _ me: DeviceKey, _ limit: Int, _ now: MonotonicTime
    ) {
        var all: [DeviceKey: Int] = [:]
        for held in table.values where held.file.path == nil {
            let writers = Set(held.vector.entries.keys.compactMap { origins[$0]?.device })
            guard !writers.contains(me) else { continue }
            for writer in writers { all[writer, default: 0] += 1 }
        }
        (counts, counted) = (all, now)
        let full = Set(all.filter { $0.value >= limit }.keys.map(\.id))
        excessive.formIntersection(full)
    }
}
