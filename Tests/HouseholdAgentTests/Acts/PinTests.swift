import HouseholdAgent
import HouseholdSimulation
import MergeCore
import ProfileKeeping
import SyncProtocol
import Synchronization
import TestSupport
import Testing

/// Counts commits of a record.
private final class Commits: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

/// Only devices of the household get anything, and only what its devices wrote is taken.
@Suite struct PinTests {
    private let path = "/saves/player.json"

    private func transport(_ actions: [AgentAction]) -> [TransportAction] {
        actions.compactMap { if case .transport(let action) = $0 { action } else { nil } }
    }

    /// The machine itself: whatever key an unknown device proves, whoever dialled, whatever it says then.
    @Test func anUnknownDevicesLinkIsClosedUnread() throws {
        let now: Moment = 0
        let files = MemoryFiles()
        files.saveByRename(Array(#"{"coins":1}"#.utf8), at: path)
        let own = SeededSigner(seed: 1)
        var machine = try SimulatedDevice.Machine(
            settings: .init(deviceName: "laptop"), signer: own, random: SeededRandom(seed: 1), files: files,
            store: MemoryRecord())
        _ = machine.handle(.started(port: 7_000), now: now)
        _ = machine.handle(
            .request(RequestID(rawValue: 1), AddRequest(path: path, name: "game", rules: nil)), now: now)
        let keys = [SeededSigner(seed: 99).publicKey, own.publicKey, [], [0x30], Array(repeating: 0, count: 44)]
        var number: UInt64 = 1 << 63
        for key in keys {
            for dialled in [false, true] {
                number += 1
                let id = ConnectionID(rawValue: number)
                let remote = PeerAddress(host: "stranger", port: 40_000)
                let opened = transport(
                    machine.handle(
                        .transport(.opened(id, purpose: .sync, peerKey: key, remote: remote, dialled: dialled)),
                        now: now + .seconds(1)))
                #expect(opened == [.close(id)])
                let answered = transport(
                    machine.handle(
                        .transport(.received(id, Array(repeating: 1, count: 64))), now: now + .milliseconds(1_001)))
                #expect(answered == [])
                let ended = transport(
                    machine.handle(.transport(.closed(id, reason: "closed")), now: now + .milliseconds(1_002)))
                #expect(ended == [])
            }
        }
    }

    /// A machine that runs with a copy of this one's folder is told of, as long as it is there. The device itself is not.
    @Test func aCopyOfThisDeviceIsToldOf() throws {
        let now: Moment = 0
        let own = SeededSigner(seed: 1)
        var machine = try SimulatedDevice.Machine(
            settings: .init(deviceName: "laptop"), signer: own, random: SeededRandom(seed: 1), files: MemoryFiles(),
            store: MemoryRecord())
        _ = machine.handle(.started(port: 7_000), now: now)
        var number: UInt64 = 1 << 63
        func troubles(after seconds: Int64) throws -> [String] {
            number += 1
            let request = RequestID(rawValue: number)
            let replies = machine.handle(.request(request, StatusRequest()), now: now + .seconds(seconds)).compactMap {
                if case .reply(request, let reply) = $0 { reply.message(StatusReport.self) } else { nil }
            }
            return try #require(replies.first).troubles
        }
        func meets(_ host: String, _ port: UInt16 = 40_000, isHere: Bool, dialled: Bool = false) {
            number += 1
            let id = ConnectionID(rawValue: number)
            let opened = transport(
                machine.handle(
                    .transport(
                        .opened(
                            id, purpose: .sync, peerKey: own.publicKey, remote: PeerAddress(host: host, port: port),
                            dialled: dialled, isHere: isHere)),
                    now: now + .seconds(1)))
            #expect(opened == [.close(id)])
        }
        meets("127.0.0.1", isHere: true)
        meets("127.0.0.1", 7_000, isHere: true, dialled: true)
        #expect(try troubles(after: 2) == [])
        meets("192.0.2.7", isHere: false)
        let told = try troubles(after: 2)
        #expect(told.count == 1 && told[0].contains("192.0.2.7"), "\(told)")
        #expect(try troubles(after: 62) == [])
        // An agent that listens elsewhere on this machine is another one.
        meets("127.0.0.1", 7_001, isHere: true, dialled: true)
        #expect(try troubles(after: 2).contains { $0.contains("127.0.0.1") })
    }

    /// A device that believes it belongs here, and knows the address: nothing is sent to it and nothing taken.
    @Test func aDeviceThatTrustsUsGetsNothingForIt() throws {
        let home = Home()
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.add(path, #"{"coins":1}"#, on: a)
        let alone = a.record.copy
        try home.pair(a, b)
        home.household.kill(a)
        // a's record is older than the pairing now: b still has a in its roster, a has never heard of b.
        a.record.restore(alone)
        try home.household.start(a)
        home.household.save(#"{"coins":50}"#, to: path, on: b)
        let id = home.household.ask(AddRequest(path: path, name: "other", rules: nil), on: b)
        guard case .response(is ProfileAnswer)? = b.replies[id]?.last else {
            throw Home.Failure("\(b.replies[id] ?? [])")
        }
        let held = try a.record.profiles()
        let mark = home.household.trace.count
        home.household.run(milliseconds: 120_000)
        let lines = home.household.trace[mark...]
        #expect(lines.contains { $0.contains("laptop:   log a connection was refused") }, "b never tried")
        #expect(lines.filter { $0.contains("laptop:   send") } == [])
        #expect(try a.record.profiles() == held)
        #expect(home.household.text(of: path, on: a) == #"{"coins":1}"#)
    }

    // MARK: Signed writes

    enum Forgery: CaseIterable { case none, spoiled, unknownSigner, lost, ofNobody }

    /// What a member passes on was written by a device of the household, and that device signed for it. Without that
    /// signature another member cannot pass it on.
    @Test(arguments: Forgery.allCases) func onlySignedWritesAreTaken(forgery: Forgery) throws {
        let home = Home()
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        try home.add(path, #"{"coins":1}"#, on: a)
        try home.restore(path, on: b)
        let profile = try #require(try a.record.profiles().first)
        let stored = try #require(try b.record.load(profile))
        let (replica, entry) = try #require(stored.vector.entries.first)
        home.household.kill(a)
        home.household.kill(b)
        let key = "head/\(profile.hex)/\(replica.hex)"
        var note = try #require(try b.record.notes(prefix: key)[key])
        var change = RecordChange()
        switch forgery {
        case .none: break
        case .spoiled: note[20] ^= 1
        case .unknownSigner:
            note = note[..<16] + ReplicaHead.signature(of: replica, at: entry, by: SeededSigner(seed: 99))
        case .lost: change.notes.delete(key)
        case .ofNobody: change.notes.delete("replica/\(replica.hex)")
        }
        if forgery != .lost { change.notes.set(key, note) }
        try b.record.commit(change)
        try home.household.start(b)
        let c = try home.device("desktop")
        try home.pair(b, c)
        home.household.run(milliseconds: 120_000)
        #expect(try c.record.profiles() == (forgery == .none ? [profile] : []))
    }

    /// The disk fails in the moment in which another device's writes are stored: once it works again everything is
    /// stored, so that a restart does not leave writes that this device cannot pass on.
    @Test func aSignatureThatCouldNotBeStoredIsStoredLater() throws {
        let home = Home()
        let (a, b, c) = (try home.device("laptop"), try home.device("deck"), try home.device("phone"))
        try home.pair(a, b)
        home.household.run(milliseconds: 1_000)
        let commits = Commits()
        try home.add(path, #"{"coins":1}"#, on: a)
        b.record.power.setHook { operation throws(StorageFault) in
            if operation == .commit, commits.next() == 1 { throw StorageFault(.noSpace, "the disk is full") }
        }
        home.household.run(milliseconds: 60_000)
        b.record.power.setHook(nil)
        #expect(commits.next() > 2)
        let profile = try #require(try b.record.profiles().first)
        let writers = try #require(try b.record.load(profile)).vector.entries.keys
        for replica in writers {
            #expect(try b.record.notes(prefix: "replica/\(replica.hex)").count == 1)
            #expect(try b.record.notes(prefix: "head/\(profile.hex)/\(replica.hex)").count == 1)
        }
        // A device that meets only the restarted one gets it all.
        home.household.kill(a)
        home.household.kill(b)
        try home.household.start(b)
        try home.pair(b, c)
        try home.restore(path, on: c)
        home.expect(#"{"coins":1}"# + "\n", at: path, on: [c])
    }
}
