import MergeCore
import ProfileKeeping
import SyncProtocol
import Synchronization
import Testing

@testable import HouseholdAgent
@testable import HouseholdSimulation

/// Daily backups are copied to another device of the household.
@Suite struct CopyTests {
    let path = "/saves/player.json"

    /// The laptop plays and shares its backups, the deck keeps copies.
    func household(
        _ text: String = #"{"coins":1}"#, shares: Bool = true, keeps: Bool = true
    ) throws -> (home: Home, laptop: SimulatedDevice, deck: SimulatedDevice) {
        let home = Home(seed: 23)
        let (laptop, deck) = (try home.device("laptop"), try home.device("deck"))
        home.household.configure(sharesBackups: shares ? ["deck"] : ["phone"], on: laptop)
        home.household.configure(keepsBackupsOfOthers: keeps, on: deck)
        try home.pair(laptop, deck)
        try home.add(path, text, on: laptop)
        home.household.run(milliseconds: 5_000)
        return (home, laptop, deck)
    }

    /// The deck is a keeper that says what it likes, and the laptop has a backup of a day.
    func lyingKeeper(
        shares: Bool = true
    ) throws -> (home: Home, laptop: SimulatedDevice, keeper: Liar, profile: ProfileID, facts: CopyFacts) {
        let (home, laptop, deck) = try household(shares: shares)
        home.household.begin(day(21), on: laptop)
        let profile = try #require(laptop.record.profiles().first)
        let file = try #require(laptop.files.disk.names.keys.first { $0.hasPrefix("/hearth/backups/") })
        let facts = Liar.facts(of: try #require(laptop.files.bytes(at: file)), day(21))
        home.household.kill(deck)
        home.household.run(milliseconds: 60_000)
        let keeper = Liar(of: deck, to: laptop, now: home.household.moment(on: laptop))
        keeper.keep(true)
        return (home, laptop, keeper, profile, facts)
    }

    func day(_ day: Int) -> LocalDay { LocalDay(year: 2023, month: 11, day: day)! }

    func backups(_ home: Home, _ device: SimulatedDevice) -> [BackupReport] {
        let id = home.household.ask(BackupsRequest(profile: "game"), on: device)
        guard let reports = device.replies[id]?.last?.message(BackupList.self)?.backups else {
            Issue.record("no backups: \(device.replies[id] ?? [])")
            return []
        }
        return reports
    }

    func devices(_ home: Home, _ device: SimulatedDevice) throws -> [DeviceReport] {
        let reply = device.replies[home.household.ask(DevicesRequest(), on: device)]?.last
        guard let list = reply?.message(DeviceList.self)?.devices else {
            throw Home.Failure("no devices: \(String(describing: reply))")
        }
        return list
    }

    func troubles(_ home: Home, _ device: SimulatedDevice) throws -> [String] {
        let reply = device.replies[home.household.ask(StatusRequest(), on: device)]?.last
        guard let status = reply?.message(StatusReport.self) else {
            throw Home.Failure("no status: \(String(describing: reply))")
        }
        return status.troubles
    }

    /// The days of which there are copies, the newest first.
    func copies(_ home: Home, _ device: SimulatedDevice) -> [String] {
        backups(home, device).filter { $0.device != nil }.map { String($0.name.dropFirst(5).prefix(10)) }
    }

    func lines(_ words: String, _ home: Home, since mark: Int = 0) -> Int {
        home.household.trace[mark...].count { $0.contains(words) }
    }

    func reconnect(_ home: Home, _ a: SimulatedDevice, _ b: SimulatedDevice) {
        home.household.part(a, b)
        home.household.run(milliseconds: 1_000)
        home.household.part(a, b, false)
        home.household.run(milliseconds: 120_000)
    }

    // MARK: Copying

    @Test func aDayIsCopiedOnce_andANewOneFollows() throws {
        let (home, laptop, deck) = try household()
        home.household.begin(day(21), on: laptop)
        home.household.run(milliseconds: 1_000)
        #expect(copies(home, deck) == ["2023-11-21"])
        let report = try #require(backups(home, deck).first)
        #expect(report.device == "laptop" && report.pools == "daily" && report.damage == nil && report.size == 11)
        reconnect(home, laptop, deck)
        home.household.kill(deck)
        try home.household.start(deck)
        home.household.run(milliseconds: 120_000)
        #expect(lines("a daily backup of another device was copied", home) == 1)
        // Nobody who plays sees any of it: the deck's backups are not the laptop's.
        #expect(copies(home, laptop) == [])
        for number in 22...30 {
            home.household.save("{\"coins\":\(number)}", to: path, on: laptop)
            home.household.run(milliseconds: 5_000)
            home.household.begin(day(number), on: laptop)
            home.household.run(milliseconds: 5_000)
        }
        #expect(copies(home, deck) == (24...30).reversed().map { "2023-11-\($0)" })
        #expect(lines("a daily backup of another device was copied", home) == 10)
    }

    /// What there was before the deck kept copies, or before it came.
    @Test func itBeginsWithWhatIsThere_alsoWhenItIsTurnedOnAtRunTime() throws {
        let (home, laptop, deck) = try household(keeps: false)
        for number in 18...21 {
            home.household.save("{\"coins\":\(number)}", to: path, on: laptop)
            home.household.run(milliseconds: 5_000)
            home.household.begin(day(number), on: laptop)
        }
        home.household.run(milliseconds: 60_000)
        #expect(copies(home, deck) == [])
        home.household.configure(keepsBackupsOfOthers: true, on: deck)
        home.household.run(milliseconds: 1_000)
        #expect(copies(home, deck) == (18...21).reversed().map { "2023-11-\($0)" })
        // Turned off again, nothing comes, and nothing goes.
        home.household.configure(keepsBackupsOfOthers: false, on: deck)
        home.household.begin(day(22), on: laptop)
        home.household.run(milliseconds: 60_000)
        #expect(copies(home, deck).count == 4)
    }

    /// A backup holds what is local as well: nothing of it leaves a device that was not told to share.
    @Test func nothingIsCopiedOfADeviceThatDoesNotShare_untilItIsToldTo() throws {
        let (home, laptop, deck) = try household(shares: false)
        home.household.begin(day(21), on: laptop)
        home.household.run(milliseconds: 60_000)
        #expect(copies(home, deck) == [])
        home.household.configure(sharesBackups: ["phone", "deck"], on: laptop)
        home.household.run(milliseconds: 1_000)
        #expect(copies(home, deck) == ["2023-11-21"])
        // Told to stop, what is there stays, and nothing follows.
        home.household.configure(sharesBackups: ["phone"], on: laptop)
        home.household.save(#"{"coins":2}"#, to: path, on: laptop)
        home.household.run(milliseconds: 5_000)
        home.household.begin(day(22), on: laptop)
        home.household.run(milliseconds: 60_000)
        #expect(copies(home, deck) == ["2023-11-21"])
    }

    @Test func aDeviceThatDoesNotShareListsNothing_andAnswersNothing() throws {
        let (home, laptop, keeper, profile, facts) = try lyingKeeper(shares: false)
        #expect(keeper.lists.isEmpty)
        // Even the very file's checksum opens nothing.
        #expect(keeper.ask(profile, facts) == [])
        #expect(keeper.lists.isEmpty && !keeper.isClosed)
        laptop.sharesBackups = ["deck"]
        home.household.configure([:], on: laptop)
        #expect(keeper.ask(profile, facts)?.count == facts.size)
    }

    @Test func whereNobodyKeepsCopiesThereIsNoTraffic() throws {
        let (home, laptop, deck) = try household(keeps: false)
        home.household.run(milliseconds: 1_000)
        let mark = home.household.trace.count
        home.household.begin(day(21), on: laptop)
        home.household.begin(day(21), on: deck)
        home.household.run(milliseconds: 10_000)
        #expect(lines("  send", home, since: mark) == 0)
        #expect(!deck.files.disk.names.keys.contains { $0.hasPrefix("/hearth/copies") })
    }

    @Test func severalDevicesEachHaveTheirOwn() throws {
        let (home, laptop, deck) = try household()
        let phone = try home.device("phone")
        try home.pair(deck, phone)
        for device in [deck, phone] { try home.restore(path, on: device) }
        home.household.configure(keepsBackupsOfOthers: true, on: laptop)
        home.household.configure(sharesBackups: ["laptop"], on: deck)
        // By its id, as `hearth devices` shows it.
        let id = try #require(try devices(home, phone).first { $0.name == "deck" }?.id)
        home.household.configure(sharesBackups: [id], on: phone)
        home.household.run(milliseconds: 5_000)
        for device in [laptop, deck, phone] { home.household.begin(day(21), on: device) }
        home.household.run(milliseconds: 10_000)
        #expect(backups(home, deck).map(\.device) == [nil, "laptop", "phone"])
        #expect(backups(home, laptop).map(\.device) == [nil, "deck"])
        #expect(backups(home, phone).map(\.device) == [nil])
        #expect(Set(backups(home, deck).map(\.name)).count == 3)
    }

    /// What is played while a large copy is under way does not wait for its end.
    @Test func playGoesFirst() throws {
        let long = String(repeating: "x", count: 3_000_000)
        func text(_ coins: Int) -> String { "{\"coins\":\(coins),\"text\":\"\(long)\"}" }
        let (home, laptop, deck) = try household(text(1))
        try home.restore(path, on: deck)
        home.household.run(milliseconds: 30_000)
        home.household.begin(day(21), on: laptop)
        #expect(home.household.run(until: { deck.files.stagedCopies.values.contains { $0 >= 196_608 } }, within: 5_000))
        home.household.save(text(2), to: path, on: laptop)
        home.expect(text(2), at: path, on: [deck], within: 1_000)
        let staged = deck.files.stagedCopies.values.first ?? 0
        #expect(1..<600_000 ~= staged, "\(staged)")
        home.household.run(milliseconds: 5_000)
        #expect(copies(home, deck) == ["2023-11-21"])
    }
}
