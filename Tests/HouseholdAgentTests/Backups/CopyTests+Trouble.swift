import MergeCore
import ProfileKeeping
import SyncProtocol
import Synchronization
import Testing
@testable import HouseholdAgent
@testable import HouseholdSimulation

/// What goes wrong on the way.
extension CopyTests {
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
}
