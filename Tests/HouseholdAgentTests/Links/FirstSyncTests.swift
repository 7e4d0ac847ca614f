import HouseholdAgent
import HouseholdSimulation
import MergeCore
import ProfileKeeping
import Synchronization
import Testing

/// A device gets all saves of a household at once: many are stored in one transaction, and nothing is said of any before
/// that.
@Suite struct FirstSyncTests {
    private static let count = 40

    /// Two paired devices without a network between them; the first one has all saves.
    private func household(seed: UInt64 = 1) throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let home = Home(seed: seed)
        home.household.joinsSends = true
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        home.household.run(milliseconds: 1_000)
        home.household.part(a, b)
        home.household.run(milliseconds: 1_000)
        let rules = try home.rules([("/coins", MergeRule(.counter))])
        for number in 0..<Self.count {
            let items = (0..<100).map { #""item \#(number) \#($0)": \#((number * 31 + $0 * 17) % 97)"# }
            let text = #"{"coins": \#(number), "items": {"# + items.joined(separator: ", ") + "}}"
            try home.add("/saves/\(number).json", text, rules: rules, name: "save \(number)", on: a)
        }
        b.record.power.restart()
        return (home, a, b)
    }

    private func kept(_ device: SimulatedDevice) -> Int { (try? device.record.profiles().count) ?? 0 }

    private func link(_ home: Home, _ a: SimulatedDevice, _ b: SimulatedDevice) {
        home.household.part(a, b, false)
    }

    private func finish(_ home: Home, _ b: SimulatedDevice) -> Bool {
        home.household.run(until: { kept(b) == Self.count }, within: 120_000)
    }

    private func inStep(_ home: Home, _ profile: String? = nil, on device: SimulatedDevice) throws -> Bool {
        let reply = try home.reply(to: SyncRequest(profile: profile), on: device)
        return reply.message(SyncReport.self)?.behind == []
    }

    private func commits(_ device: SimulatedDevice) -> Int {
        device.record.power.operations.count { $0 == .commit }
    }

    @Test func savesThatComeInOnePieceAreStoredTogether() throws {
        let (home, a, b) = try household()
        link(home, a, b)
        #expect(finish(home, b))
        #expect(commits(b) < Self.count / 2, "\(commits(b)) transactions for \(Self.count) saves")
        #expect(try inStep(home, on: a))
        for number in [0, 7, Self.count - 1] {
            let path = "/saves/\(number).json"
            let request = RestoreRequest(profile: "save \(number)", path: path)
            _ = try home.reply(to: request, on: b)
            let text = try #require(home.household.text(of: path, on: a))
            home.expect(text, at: path, on: [b])
        }
    }

    /// From some transaction on, the record cannot be written. Nobody is told that a save is here which is not in the
    /// record, and once it can be written, all come.
    @Test func nothingIsSaidOfWhatIsNotStored() throws {
        let (whole, c, d) = try household()
        link(whole, c, d)
        #expect(finish(whole, d))
        for last in 0..<commits(d) {
            let (home, a, b) = try household()
            let done = Counter()
            b.record.power.setHook { operation throws(StorageFault) in
                guard operation == .commit, done.next() > last else { return }
                throw StorageFault(.record, "the disk is full")
            }
            link(home, a, b)
            home.household.run(milliseconds: 3_000)
            let stored = Set(try b.record.profiles().map(\.description))
            #expect(Set(try home.status(on: b).profiles.map(\.id)) == stored, "after \(last) transactions")
            for profile in try home.status(on: a).profiles.filter({ !stored.contains($0.id) }).prefix(3) {
                #expect(try !inStep(home, profile.name, on: a), "\(profile.name), after \(last) transactions")
            }
            b.record.power.setHook(nil)
            #expect(finish(home, b), "after \(last) transactions")
            #expect(try inStep(home, on: a))
        }
    }

    /// A transaction that fails once is done again, one save at a time, and over the same link.
    @Test func oneTransactionThatFailsStopsNoOtherSave() throws {
        let (whole, c, d) = try household()
        link(whole, c, d)
        #expect(finish(whole, d))
        var links = 0
        for failing in 1...commits(d) {
            let (home, a, b) = try household()
            let done = Counter()
            b.record.power.setHook { operation throws(StorageFault) in
                guard operation == .commit, done.next() == failing else { return }
                throw StorageFault(.record, "the disk was busy")
            }
            link(home, a, b)
            #expect(finish(home, b), "transaction \(failing)")
            #expect(try inStep(home, on: a))
            if !home.household.trace.contains(where: { $0.contains("log a link ended") }) { links += 1 }
        }
        // Only where a save was alone in the transaction, the link ended.
        #expect(links >= commits(d) - 2, "\(links) of \(commits(d))")
    }

    /// A first sync that is cut goes on where it was: what was stored is not sent again.
    @Test(arguments: [1, 16, 32]) func aSyncThatIsCutGoesOnWhereItWas(enough: Int) throws {
        let (whole, c, d) = try household()
        let before = whole.household.traffic.bytes
        link(whole, c, d)
        #expect(finish(whole, d))
        whole.household.run(milliseconds: 1_000)
        let all = whole.household.traffic.bytes - before
        let (home, a, b) = try household()
        link(home, a, b)
        #expect(home.household.run(until: { kept(b) >= enough }))
        home.household.kill(b)
        home.household.run(milliseconds: 1_000)
        let (stored, sent) = (kept(b), home.household.traffic.bytes)
        #expect(stored >= enough && stored < Self.count)
        try home.household.start(b)
        #expect(finish(home, b))
        home.household.run(milliseconds: 1_000)
        let rest = home.household.traffic.bytes - sent
        // Both sides state what they have, some 70 bytes a save; all else is for the saves that are missing.
        let most = all * (Self.count - stored) / Self.count + 2 * 70 * Self.count + 2_000
        #expect(rest < most, "\(rest) bytes for \(Self.count - stored) of \(Self.count); all are \(all)")
        #expect(try inStep(home, on: a))
    }
}

/// Counts from 1.
private final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock {
            $0 += 1
            return $0
        }
    }
}
