import MergeCore
import ProfileKeeping
import SyncProtocol
import Synchronization
import Testing

@testable import HouseholdAgent
@testable import HouseholdSimulation

/// Daily backups are copied to another device of the household.
@Suite struct CopyTests {
    private let path = "/saves/player.json"

    /// The laptop plays and shares its backups, the deck keeps copies.
    private func household(
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
    private func lyingKeeper(
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

    private func day(_ day: Int) -> LocalDay { LocalDay(year: 2023, month: 11, day: day)! }

    private func backups(_ home: Home, _ device: SimulatedDevice) -> [BackupReport] {
        let id = home.household.ask(BackupsRequest(profile: "game"), on: device)
        guard let reports = device.replies[id]?.last?.message(BackupList.self)?.backups else {
            Issue.record("no backups: \(device.replies[id] ?? [])")
            return []
        }
        return reports
    }

    private func devices(_ home: Home, _ device: SimulatedDevice) throws -> [DeviceReport] {
        let reply = device.replies[home.household.ask(DevicesRequest(), on: device)]?.last
        guard let list = reply?.message(DeviceList.self)?.devices else {
            throw Home.Failure("no devices: \(String(describing: reply))")
        }
        return list
    }

    private func troubles(_ home: Home, _ device: SimulatedDevice) throws -> [String] {
        let reply = device.replies[home.household.ask(StatusRequest(), on: device)]?.last
        guard let status = reply?.message(StatusReport.self) else {
            throw Home.Failure("no status: \(String(describing: reply))")
        }
        return status.troubles
    }

    /// The days of which there are copies, the newest first.
    private func copies(_ home: Home, _ device: SimulatedDevice) -> [String] {
        backups(home, device).filter { $0.device != nil }.map { String($0.name.dropFirst(5).prefix(10)) }
    }

    private func lines(_ words: String, _ home: Home, since mark: Int = 0) -> Int {
        home.household.trace[mark...].count { $0.contains(words) }
    }

    private func reconnect(_ home: Home, _ a: SimulatedDevice, _ b: SimulatedDevice) {
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

    // MARK: What goes wrong on the way

    @Test func aLinkThatIsCutInTheMiddleGoesOnWhereItWas() throws {
        let text = "{\"text\":\"" + String(repeating: "x", count: 400_000) + "\"}"
        let (home, laptop, deck) = try household(text)
        let mark = home.household.trace.count
        home.household.begin(day(21), on: laptop)
        #expect(home.household.run(until: { deck.files.stagedCopies.values.contains { $0 >= 196_608 } }, within: 5_000))
        let staged = try #require(deck.files.stagedCopies.values.first)
        #expect(staged < 400_000 && copies(home, deck) == [])
        reconnect(home, laptop, deck)
        #expect(copies(home, deck) == ["2023-11-21"])
        #expect(deck.files.stagedCopies.isEmpty)
        // Six whole parts and a rest; the one that the cut took may have come twice.
        let parts = home.household.trace[mark...].count { line in
            let words = line.split(separator: " ")
            return words.count > 4 && words[1] == "laptop:" && words[2] == "send" && (Int(words[4]) ?? 0) > 65_536
        }
        #expect((6...7).contains(parts), "\(parts)")
    }

    @Test func theKeepersFullDiskIsSaid_andTriedAgain() throws {
        let (home, laptop, deck) = try household()
        home.household.begin(day(20), on: laptop)
        home.household.run(milliseconds: 5_000)
        let tries = Mutex(0)
        deck.files.power.setHook { operation throws(StorageFault) in
            guard operation.description.contains("/copies/") else { return }
            tries.withLock { $0 += 1 }
            throw StorageFault(.noSpace, "the disk is full")
        }
        home.household.begin(day(21), on: laptop)
        home.household.run(milliseconds: 600_000)
        #expect(copies(home, deck) == ["2023-11-20"])
        #expect(deck.files.stagedCopies.isEmpty)
        #expect(lines("a copy of another device's backup cannot be kept", home) == 1)
        let trouble = "a copy of another device's backup cannot be kept; it is tried again: the disk is full"
        #expect(try troubles(home, deck) == [trouble])
        // After 30 s, 1, 2 and 4 minutes.
        #expect(tries.withLock { $0 } == 5)
        // Play is in step all the while.
        home.household.save(#"{"coins":9}"#, to: path, on: laptop)
        home.household.run(milliseconds: 5_000)
        deck.files.power.setHook(nil)
        home.household.run(milliseconds: 481_000)
        #expect(copies(home, deck) == ["2023-11-21", "2023-11-20"])
        #expect(try troubles(home, deck) == [])
    }

    /// What is free is for play first: a copy that would leave too little is not begun.
    @Test func theDiskKeepsItsReserve() throws {
        let (home, laptop, deck) = try household()
        deck.files.room = DiskRoom(free: 40 << 30, total: 1 << 40)
        let mark = home.household.trace.count
        home.household.begin(day(21), on: laptop)
        home.household.run(milliseconds: 600_000)
        #expect(copies(home, deck) == [])
        #expect(!deck.files.disk.names.keys.contains { $0.hasPrefix("/hearth/copies") })
        #expect(lines("a copy of another device's backup cannot be kept", home, since: mark) == 1)
        let trouble =
            "a copy of another device's backup cannot be kept; it is tried again: the disk is nearly full: "
            + "52428 MiB of it stay free for everything else"
        #expect(try troubles(home, deck) == [trouble])
        deck.files.room = DiskRoom(free: 52 << 30, total: 1 << 40)
        home.household.run(milliseconds: 481_000)
        #expect(copies(home, deck) == ["2023-11-21"])
        #expect(try troubles(home, deck) == [])
    }

    /// The room is gone when it is tried again.
    @Test func theReserveIsLookedAtBeforeEveryTry() throws {
        let (home, laptop, deck) = try household()
        deck.files.power.setHook { operation throws(StorageFault) in
            if operation.description.contains("/copies/") { throw StorageFault(.other, "the disk is odd") }
        }
        home.household.begin(day(21), on: laptop)
        home.household.run(milliseconds: 10_000)
        deck.files.power.setHook(nil)
        deck.files.room = DiskRoom(free: 1 << 20, total: 1 << 30)
        home.household.run(milliseconds: 3_600_000)
        #expect(copies(home, deck) == [] && deck.files.stagedCopies.isEmpty)
        #expect(try troubles(home, deck).count == 1)
        // What is not listed any more is not tried again, and is no trouble.
        home.household.part(laptop, deck)
        home.household.run(milliseconds: 120_000)
        #expect(try troubles(home, deck) == [])
    }

    @Test func oneDeviceTakesUpNoMoreThanItsShare() throws {
        let (home, laptop, deck) = try household()
        home.household.kill(deck)
        deck.copiesLimit = 250
        try home.household.start(deck)
        home.household.run(milliseconds: 60_000)
        for number in 1...9 {
            home.household.save("{\"coins\":\(number)}", to: path, on: laptop)
            home.household.run(milliseconds: 5_000)
            home.household.begin(day(number), on: laptop)
            home.household.run(milliseconds: 5_000)
        }
        let kept = copies(home, deck)
        let size = try deck.files.copiesSize(of: try #require(DeviceKey(laptop.signer.publicKey)).id)
        #expect((1...6).contains(kept.count) && size <= 250, "\(kept) \(size)")
        #expect(
            try troubles(home, deck).first?.hasSuffix(
                "0 MiB are kept of laptop at most; "
                    + "remove some of its copies from the folder copies") == true)
        // Where one takes another's place, it may come.
        home.household.kill(deck)
        deck.copiesLimit = 1_000
        try home.household.start(deck)
        home.household.run(milliseconds: 120_000)
        #expect(copies(home, deck).count == 7)
        home.household.kill(deck)
        deck.copiesLimit = try deck.files.copiesSize(of: try #require(DeviceKey(laptop.signer.publicKey)).id) + 2
        try home.household.start(deck)
        home.household.save(#"{"coins":10}"#, to: path, on: laptop)
        home.household.run(milliseconds: 120_000)
        home.household.begin(day(10), on: laptop)
        home.household.run(milliseconds: 5_000)
        #expect(copies(home, deck).first == "2023-11-10" && copies(home, deck).count == 7)
        #expect(try troubles(home, deck) == [])
    }

    /// What the day began with is also what comes before the next change: the same backup, noted anew, is another file.
    @Test func aBackupThatIsNotedAnewMeanwhileIsListedAnew() throws {
        let (home, laptop, deck) = try household()
        home.household.begin(day(21), on: laptop)
        // Listed, and asked for; the game saves before the answer.
        let mark = home.household.trace.count
        #expect(home.household.run(until: { lines("deck:   send", home, since: mark) > 0 }, within: 1_000))
        let id = home.household.ask(BackupsRequest(profile: "game"), on: laptop)
        guard let own = laptop.replies[id]?.last?.message(BackupList.self)?.backups else {
            throw Home.Failure("no backups: \(laptop.replies[id] ?? [])")
        }
        _ = home.household.ask(PinBackupRequest(profile: "game", backup: own[0].name, isPinned: true), on: laptop)
        home.household.run(milliseconds: 5_000)
        #expect(copies(home, deck) == ["2023-11-21"])
        #expect(lines("is not what it said", home) == 0)
        #expect(lines("a daily backup of another device was copied", home) == 1)
    }

    @Test(arguments: [true, false]) func whatIsPausedIsNotCopied(atTheSource: Bool) throws {
        let (home, laptop, deck) = try household()
        if !atTheSource { try home.restore(path, on: deck) }
        let paused = atTheSource ? laptop : deck
        _ = home.household.ask(PauseRequest(profile: "game"), on: paused)
        home.household.run(milliseconds: 5_000)
        home.household.begin(day(21), on: laptop)
        home.household.run(milliseconds: 60_000)
        #expect(copies(home, deck) == [])
        _ = home.household.ask(ResumeRequest(profile: "game"), on: paused)
        home.household.run(milliseconds: 5_000)
        #expect(copies(home, deck) == ["2023-11-21"])
    }

    // MARK: Using them

    @Test func whatWasBegunOfADeviceIsSweptWhenItIsUnpaired() throws {
        let text = "{\"text\":\"" + String(repeating: "x", count: 400_000) + "\"}"
        let (home, laptop, deck) = try household(text)
        home.household.begin(day(21), on: laptop)
        #expect(home.household.run(until: { deck.files.stagedCopies.values.contains { $0 >= 196_608 } }, within: 5_000))
        let id = try #require(try devices(home, deck).first { $0.name == "laptop" }).id
        _ = home.household.ask(UnpairRequest(device: id), on: deck)
        home.household.run(milliseconds: 60_000)
        #expect(deck.files.stagedCopies.isEmpty)
        #expect(deck.machine!.copyReceiver.isIdle)
    }

    /// The disk of the laptop is lost; a day of it comes back on every device that is left.
    @Test func aLostDiskComesBackFromTheCopy() throws {
        let (home, laptop, deck) = try household(#"{"coins":100,"name":"Ada"}"#)
        let phone = try home.device("phone")
        try home.pair(deck, phone)
        try home.restore(path, on: phone)
        home.household.begin(day(21), on: laptop)
        home.household.run(milliseconds: 5_000)
        home.household.kill(laptop)
        home.household.save(#"{"coins":3,"name":"Bob"}"#, to: path, on: phone)
        home.household.run(milliseconds: 60_000)
        // It is out of the household by now; its copies stay, under its name.
        let lost = try #require(try devices(home, deck).first { $0.name == "laptop" })
        _ = home.household.ask(UnpairRequest(device: lost.id), on: deck)
        home.household.run(milliseconds: 5_000)
        let copy = try #require(backups(home, deck).first { $0.device == "laptop" })

        let id = home.household.ask(RestoreBackupRequest(profile: "game", backup: copy.name), on: deck)
        guard case .response(is ProfileAnswer)? = deck.replies[id]?.last else {
            Issue.record("\(deck.replies[id] ?? [])")
            return
        }
        home.expect(#"{"coins":100,"name":"Ada"}"#, at: path, on: [phone])
        // On a new device as well, and what was there before is a backup.
        let desktop = try home.device("desktop")
        try home.pair(deck, desktop)
        try home.restore(path, on: desktop)
        home.expect(#"{"coins":100,"name":"Ada"}"# + "\n", at: path, on: [desktop])
        #expect(!backups(home, phone).isEmpty)
    }

    @Test func aDamagedCopyIsNamed_andTheNewestGoodOneFound() throws {
        let (home, laptop, deck) = try household()
        for number in 20...21 {
            home.household.save("{\"coins\":\(number)}", to: path, on: laptop)
            home.household.run(milliseconds: 5_000)
            home.household.begin(day(number), on: laptop)
            home.household.run(milliseconds: 5_000)
        }
        let all = backups(home, deck)
        let profile = try #require(deck.files.disk.names.keys.first { $0.hasPrefix("/hearth/copies/") })
        let id = try #require(ProfileID(hex: String(profile.split(separator: "/")[2])))
        try deck.files.damageCopy(all[0].name, of: id)
        #expect(backups(home, deck).map { $0.damage != nil } == [true, false])
        func failure(_ request: any AgentRequest) -> String {
            let id = home.household.ask(request, on: deck)
            guard case .failure(_, let why)? = deck.replies[id]?.last else {
                Issue.record("no failure: \(deck.replies[id] ?? [])")
                return ""
            }
            return why
        }
        let refused = failure(RestoreBackupRequest(profile: "game", backup: all[0].name))
        #expect(refused.hasSuffix("the next good one is \(all[1].name)"), "\(refused)")
        #expect(
            failure(RestoreBackupRequest(profile: "game", backup: "copy-2023-11-01-00")).contains("there is no backup"))
        #expect(
            failure(PinBackupRequest(profile: "game", backup: all[1].name, isPinned: true)).contains("cannot be pinned")
        )
        // This device has no backup of its own. Which one it is, is said before.
        let id2 = home.household.ask(PreviewRequest(RestoreBackupRequest(profile: "game", backup: "newest")), on: deck)
        guard let preview = deck.replies[id2]?.last?.message(PreviewReport.self) else {
            throw Home.Failure("no preview: \(deck.replies[id2] ?? [])")
        }
        #expect(preview.backup == all[1].name && preview.copy == CopyReport(device: "laptop", day: "2023-11-20"))
        _ = home.household.ask(RestoreBackupRequest(profile: "game", backup: "newest"), on: deck)
        home.expect(#"{"coins":20}"#, at: path, on: [laptop])
    }

    /// The laptop's clock was days ahead for a while.
    @Test func daysAfterTodayAreTheNewestLast() throws {
        let (home, laptop, deck) = try household()
        for number in [28, 20, 21] {
            home.household.save("{\"coins\":\(number)}", to: path, on: laptop)
            home.household.run(milliseconds: 5_000)
            home.household.begin(day(number), on: laptop)
            home.household.run(milliseconds: 5_000)
        }
        #expect(Set(copies(home, deck)) == ["2023-11-28", "2023-11-20", "2023-11-21"])
        home.household.save(#"{"coins":5}"#, to: path, on: laptop)
        home.household.run(milliseconds: 5_000)
        home.household.begin(day(21), on: deck)
        _ = home.household.ask(RestoreBackupRequest(profile: "game", backup: "newest"), on: deck)
        home.expect(#"{"coins":21}"#, at: path, on: [laptop])
    }

    @Test func devicesSayWhoKeepsCopies() throws {
        let (home, laptop, deck) = try household()
        for device in [laptop, deck] {
            let list = try devices(home, device)
            #expect(list.filter { $0.keepsBackups == true }.map(\.name) == ["deck"])
            #expect(list.filter { $0.sharesBackups == true }.map(\.name) == (device === laptop ? ["deck"] : []))
        }
    }

    // MARK: A member that lies

    private func liar() throws -> (home: Home, deck: SimulatedDevice, liar: Liar, profile: ProfileID) {
        let (home, laptop, deck) = try household()
        home.household.begin(day(1), on: laptop)
        home.household.run(milliseconds: 5_000)
        #expect(copies(home, deck) == ["2023-11-01"])
        let profile = try #require(laptop.record.profiles().first)
        home.household.kill(laptop)
        home.household.run(milliseconds: 60_000)
        return (home, deck, Liar(of: laptop, to: deck, now: home.household.moment(on: deck)), profile)
    }

    @Test func aCopyThatIsNotWhatWasListedIsDropped_andSaidOnce() throws {
        let (home, deck, liar, profile) = try liar()
        var asked = 0
        for number in 2...9 {
            let file = Liar.file(number)
            liar.list(profile, [file.facts(checksum: [UInt8](repeating: UInt8(number), count: 32))])
            while let question = liar.takeQuestion() {
                asked += 1
                liar.answer(Array(file.bytes.dropFirst(question.offset).prefix(65_536)))
            }
        }
        #expect(asked == 3)
        #expect(liar.logs.count { $0.message.contains("is not what it said") } == 1)
        #expect(!liar.isClosed)
        #expect(copies(home, deck) == ["2023-11-01"] && deck.files.stagedCopies.isEmpty)
    }

    /// A file that rotted at its source stays listed; all else of that device is copied on.
    @Test func oneRottenFileIsAskedForOnce_andTheOthersCome() throws {
        let (home, deck, liar, profile) = try liar()
        let rotten = Liar.file(2).facts(checksum: [UInt8](repeating: 7, count: 32))
        var asked: [[UInt8]] = []
        for number in 3...9 {
            let file = Liar.file(number)
            liar.list(profile, [rotten, file.facts()])
            while let question = liar.takeQuestion() {
                asked.append(question.checksum)
                liar.answer(question.checksum == rotten.checksum ? Liar.file(2).bytes : file.bytes)
            }
        }
        #expect(asked.count { $0 == rotten.checksum } == 1 && asked.count == 8)
        #expect(copies(home, deck) == (3...9).reversed().map { "2023-11-0\($0)" })
        let trouble =
            "a daily backup of laptop came otherwise than listed and cannot be copied; its disk may be damaged"
        #expect(try troubles(home, deck) == [trouble])
        // It is listed no more.
        liar.list(profile, [Liar.file(9).facts()])
        #expect(try troubles(home, deck) == [])
    }

    /// A good one in between: three in a row are too many, not three in a year.
    @Test func aGoodCopyForgivesTheWrongOnes() throws {
        let (home, deck, liar, profile) = try liar()
        for number in 2...6 {
            let (wrong, good) = (Liar.file(number + 10), Liar.file(number))
            for file in [wrong, good] {
                let checksum = file.day == wrong.day ? [UInt8](repeating: UInt8(number), count: 32) : nil
                liar.list(profile, [file.facts(checksum: checksum)])
                #expect(liar.takeQuestion() != nil, "\(number)")
                liar.answer(file.bytes)
            }
        }
        #expect(copies(home, deck).first == "2023-11-06" && copies(home, deck).count == 6)
    }

    @Test func aProfileThatNobodyKnowsIsNotAskedFor() throws {
        let (home, deck, liar, _) = try liar()
        for number in 2...5 {
            liar.list(ProfileID(high: 7, low: UInt64(number)), [Liar.file(number).facts()])
            #expect(liar.takeQuestion() == nil)
        }
        #expect(liar.logs.count { $0.message.contains("a profile that it does not have") } == 1)
        #expect(copies(home, deck) == ["2023-11-01"] && !liar.isClosed)
    }

    /// New days without end: each is sound, and they cannot all be days.
    @Test func endlessDaysEnd() throws {
        let (home, deck, liar, profile) = try liar()
        var asked = 0
        for number in 2...28 {
            let file = Liar.file(number)
            liar.list(profile, [file.facts()])
            while liar.takeQuestion() != nil {
                asked += 1
                liar.answer(file.bytes)
            }
        }
        // Fourteen in a day of the keeper's, of which one was the laptop's own.
        #expect(asked == 13)
        #expect(copies(home, deck).count == 7)
        // The next day goes on.
        liar.now = liar.now + .seconds(25 * 3_600)
        liar.list(profile, [Liar.file(29).facts()])
        #expect(liar.takeQuestion() != nil)
    }

    @Test func whatIsGoneIsNotWaitedFor() throws {
        let (home, deck, liar, profile) = try liar()
        liar.list(profile, [Liar.file(2).facts(), Liar.file(3).facts()])
        #expect(liar.takeQuestion()?.checksum == Liar.file(2).facts().checksum)
        liar.answer([])
        #expect(deck.files.stagedCopies.isEmpty)
        #expect(liar.takeQuestion()?.checksum == Liar.file(3).facts().checksum)
        liar.answer(Liar.file(3).bytes)
        #expect(liar.takeQuestion() == nil)
        #expect(copies(home, deck) == ["2023-11-03", "2023-11-01"])
    }

    /// Gone in the middle of it: what came before is not left on the disk.
    @Test func whatEndsInTheMiddleIsSwept() throws {
        let (_, deck, liar, profile) = try liar()
        let facts = CopyFacts(day: day(2).number, size: 100_000, checksum: [UInt8](repeating: 2, count: 32))
        liar.list(profile, [facts])
        #expect(liar.takeQuestion()?.offset == 0)
        liar.answer([UInt8](repeating: 2, count: 65_536))
        #expect(deck.files.stagedCopies.values.first == 65_536)
        #expect(liar.takeQuestion()?.offset == 65_536)
        liar.answer([])
        #expect(deck.files.stagedCopies.isEmpty && liar.takeQuestion() == nil)
    }

    // MARK: A keeper that lies

    @Test func aKeeperThatAsksForWhatNobodyKnowsGrowsNothing() throws {
        let (_, laptop, keeper, profile, facts) = try lyingKeeper()
        for number in UInt64(1)...50 {
            #expect(keeper.ask(ProfileID(high: 7, low: number), facts) == [])
            keeper.now = keeper.now + .milliseconds(number % 2 * 30)
        }
        let known = laptop.machine!.copySender.lookedAt
        #expect(known == [profile])
        #expect(laptop.machine!.copySender.deadline == nil)
        #expect(keeper.ask(profile, facts)?.count == facts.size)
    }

    /// It asks, and keeps copies no more before the answer is there.
    @Test func aQuestionThatIsTakenBackIsAnsweredWithNothing_andTheNextOneCounts() throws {
        let (_, _, keeper, profile, facts) = try lyingKeeper()
        try #require(keeper.askAndStop(profile, facts) == [])
        keeper.keep(true)
        #expect(keeper.ask(profile, facts)?.count == facts.size)
        #expect(!keeper.isClosed)
    }
}
