import HouseholdSimulation
import LosslessJSON
import MergeCore
import ProfileKeeping
import SyncProtocol
import TestSupport
import Testing

@testable import HouseholdAgent

/// Saves that travel by file between whole devices.
@Suite struct TransferTests {
    private let path = "/saves/player.json"
    private let stick = "/stick/game.hearth"
    private let start = #"{"coins":300,"level":4}"#

    private func together(_ seed: UInt64 = 7) throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let home = Home(seed: seed)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        try home.add(path, start, rules: try Self.rules(home), on: a)
        try home.restore(path, on: b)
        home.expect(start, at: path, on: [b])
        return (home, a, b)
    }

    private static func rules(_ home: Home) throws -> RuleSet {
        try home.rules([("/coins", MergeRule(.counter)), ("/level", MergeRule(.max))])
    }

    private func answer(_ request: any AgentRequest, _ home: Home, _ device: SimulatedDevice) throws -> AgentReply {
        let id = home.household.ask(request, on: device)
        _ = home.household.run(until: { device.replies[id] != nil }, within: 10_000)
        return try #require(device.replies[id]?.last)
    }

    private func export(_ home: Home, _ device: SimulatedDevice) throws -> [UInt8] {
        guard let exported = try answer(ExportRequest(profile: "game"), home, device).message(ExportedTransfer.self)
        else {
            throw Home.Failure("not exported: \(device.replies)")
        }
        #expect(exported.export.profile == "game" && exported.export.note == nil)
        return exported.data.bytes
    }

    private func ask(
        _ bytes: [UInt8], _ home: Home, _ device: SimulatedDevice, to target: String? = nil, trusting: Bool = false,
        dryRun: Bool = false
    ) throws -> AgentReply {
        device.files.saveByRename(bytes, at: stick)
        return try answer(
            ImportTransferRequest(path: stick, to: target, trusting: trusting, dryRun: dryRun), home, device)
    }

    private func take(
        _ bytes: [UInt8], _ home: Home, _ device: SimulatedDevice, to target: String? = nil, trusting: Bool = false,
        dryRun: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> ImportReport {
        let reply = try ask(bytes, home, device, to: target, trusting: trusting, dryRun: dryRun)
        guard let report = reply.message(ImportReport.self) else { throw Home.Failure("not imported: \(reply)") }
        home.household.run(milliseconds: 3_000)
        return report
    }

    private func save(_ home: Home, _ coins: Int, _ level: Int, on device: SimulatedDevice) {
        let end = home.household.text(of: path, on: device)?.hasSuffix("\n") == true ? "\n" : ""
        home.household.save(#"{"coins":\#(coins),"level":\#(level)}"# + end, to: path, on: device)
        home.household.run(milliseconds: 3_000)
    }

    /// Signs what another device exported with a key of nobody's household.
    private func resigned(_ bytes: [UInt8], seed: UInt64 = 999, playing earned: Int? = nil) throws -> [UInt8] {
        let transfer = try TransferFile.read(bytes)
        let signer = SeededSigner(seed: seed)
        let own = try #require(ReplicaOrigin(device: signer.key, profile: transfer.delta.profile, slot: 0))
        var state = transfer.state
        if let earned {
            let base = try JSONDocument(parsing: transfer.document)
            let coins =
                Int(
                    (Projection.newDocument(of: state)?["coins"]).map { String(decoding: $0.jsonBytes, as: UTF8.self) }
                        ?? ""
                ) ?? 0
            let text = #"{"coins":\#(coins + earned),"level":4}"#
            let diff = DocumentDiff(from: base, to: try JSONDocument(parsing: Array(text.utf8)), rules: state.rules)
            _ = state.write(
                diff.writes,
                WriteContext(
                    replica: own.replica, now: transfer.time, fileTime: transfer.time, base: state.vector)
            )
        }
        let roster = Roster(me: signer.key, name: "stranger", household: HouseholdID(high: seed, low: 1))
        return try TransferFile.bytes(
            transfer.delta.profile, state, document: Projection.newDocument(of: state)!.jsonBytes, roster: roster,
            time: transfer.time, by: signer
        ) { replica, entry in
            guard replica == own.replica else { return transfer.proof(replica) }
            return WriteProof(origin: own, signature: ReplicaHead.signature(of: replica, at: entry, by: signer))
        }
    }

    // MARK: Within the household

    @Test func whatASticksCarriesCountsOnceWhenTheTwoMeet() throws {
        let (home, a, b) = try together()
        home.household.part(a, b)
        home.household.run(milliseconds: 1_000)
        save(home, 500, 4, on: a)
        save(home, 280, 6, on: b)
        let older = try export(home, a)
        save(home, 510, 5, on: a)
        let newer = try export(home, a)
        let report = try take(newer, home, b)
        #expect(report.source == .member && !report.isNew && report.device == "laptop" && report.file == path)
        #expect(report.changes == [.init(place: "/coins", old: "280", new: "490")])
        #expect(home.household.text(of: path, on: b) == #"{"coins":490,"level":6}"#)
        // Again, and the older one after the newer: nothing.
        for file in [newer, older, newer] {
            #expect(try take(file, home, b).changes == [])
            #expect(home.household.text(of: path, on: b) == #"{"coins":490,"level":6}"#)
        }
        // The way back by stick, then both meet.
        save(home, 495, 6, on: b)
        #expect(
            try take(try export(home, b), home, a).changes == [
                .init(place: "/coins", old: "510", new: "495"), .init(place: "/level", old: "5", new: "6"),
            ])
        home.household.part(a, b, false)
        home.household.run(milliseconds: 60_000)
        save(home, 500, 6, on: a)
        home.expect(#"{"coins":500,"level":6}"#, at: path, on: [a])
        home.expect(#"{"coins":500,"level":6}"#, at: path, on: [b])
        guard let sync = try answer(SyncRequest(profile: nil), home, a).message(SyncReport.self) else {
            Issue.record("no sync")
            return
        }
        #expect(sync.behind == [])
    }

    @Test func anOwnExportChangesNothing() throws {
        let (home, a, b) = try together()
        let old = try export(home, a)
        save(home, 400, 9, on: a)
        for file in [old, try export(home, a)] { #expect(try take(file, home, a).changes == []) }
        home.expect(#"{"coins":400,"level":9}"#, at: path, on: [a])
        home.expect(#"{"coins":400,"level":9}"#, at: path, on: [b])
    }

    /// Made while the other was away, from a device that it has never heard of, in a household that both are in.
    @Test func aMemberThatIsNotKnownYetIsKnownByTheRosterInTheFile() throws {
        let (home, a, b) = try together()
        home.household.part(a, b)
        home.household.run(milliseconds: 1_000)
        let c = try home.device("desktop")
        home.household.part(b, c)
        try home.pair(a, c)
        try home.restore(path, on: c)
        home.expect(start, at: path, on: [c])
        save(home, 350, 4, on: c)
        home.expect(#"{"coins":350,"level":4}"#, at: path, on: [a])
        // Signed by the one that is new, and by the other that holds its writes.
        let report = try take(try export(home, c), home, b)
        #expect(report.source == .member && report.device == "desktop")
        #expect(home.household.text(of: path, on: b) == #"{"coins":350,"level":4}"#)
        #expect(try take(try export(home, a), home, b).changes == [])
        guard let devices = try answer(DevicesRequest(), home, b).message(DeviceList.self)?.devices else { return }
        #expect(Set(devices.map(\.name)) == ["laptop", "deck", "desktop"])
    }

    /// Two devices that were paired and see each other no more; the first one has a save.
    private func parted(seed: UInt64) throws -> (Home, SimulatedDevice, SimulatedDevice) {
        let home = Home(seed: seed)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        home.household.run(milliseconds: 5_000)  // their link is up
        home.household.part(a, b)
        home.household.run(milliseconds: 1_000)
        try home.add(path, start, rules: try Self.rules(home), on: a)
        return (home, a, b)
    }

    @Test func aNewProfileComesWithItsRulesAndIsPlayedWhereItIsTold() throws {
        let (home, a, b) = try parted(seed: 3)
        let file = try export(home, a)
        let preview = try take(file, home, b, to: "/games/b.json", dryRun: true)
        #expect(preview.isNew && preview.isDryRun && preview.profile == "game" && preview.changes.count == 2)
        #expect(home.household.text(of: "/games/b.json", on: b) == nil)
        guard let empty = try answer(StatusRequest(), home, b).message(StatusReport.self) else { return }
        #expect(empty.profiles == [])
        let report = try take(file, home, b, to: "/games/b.json")
        #expect(report.isNew && report.file == "/games/b.json" && report.changes == preview.changes)
        #expect(home.household.text(of: "/games/b.json", on: b) == start + "\n")
        // Its rules are in force: what both earn adds up.
        home.household.save(#"{"coins":310,"level":4}"# + "\n", to: "/games/b.json", on: b)
        home.household.run(milliseconds: 3_000)
        save(home, 305, 4, on: a)
        home.household.part(a, b, false)
        home.expect(#"{"coins":315,"level":4}"#, at: path, on: [a])
        home.expect(#"{"coins":315,"level":4}"# + "\n", at: "/games/b.json", on: [b])
    }

    /// A file at the path is kept as a backup and merged in.
    @Test func aFileThatStandsThereIsMergedIn() throws {
        let (home, a, b) = try parted(seed: 5)
        b.files.saveByRename(Array(#"{"coins":10,"level":8}"#.utf8), at: path)
        #expect(try take(try export(home, a), home, b, to: path).file == path)
        #expect(home.household.text(of: path, on: b) == #"{"coins":300,"level":8}"#)
        guard let backups = try answer(BackupsRequest(profile: "game"), home, b).message(BackupList.self)?.backups
        else { return }
        #expect(!backups.isEmpty)
    }

    @Test func theGamesLastSaveIsInTheFileAlsoWhenItIsBeingWritten() throws {
        let (home, a, b) = try together()
        home.household.part(a, b)
        home.household.run(milliseconds: 1_000)
        a.files.saveInPlace(Array(#"{"coins":333,"level":4}"#.utf8), at: path)  // no event has come yet
        let transfer = try TransferFile.read(try export(home, a))
        #expect(String(decoding: transfer.document, as: UTF8.self).contains("333"))
        guard
            let bare = try answer(ExportDocumentRequest(profile: "game"), home, a).message(DocumentText.self)?.document
        else {
            Issue.record("no document")
            return
        }
        #expect(bare == #"{"coins":333,"level":4}"#)
        // A save that cannot be read holds nothing up, and is told.
        a.files.saveInPlace(Array(#"{"coins":3"#.utf8), at: path)
        guard let report = try answer(ExportRequest(profile: "game"), home, a).message(ExportedTransfer.self)?.export
        else {
            Issue.record("not exported")
            return
        }
        #expect(report.note?.contains("status") == true)
    }

    // MARK: From elsewhere

    @Test func anUnknownSignersFileIsTakenAfterAQuestionAsAProfileOfItsOwn() throws {
        let home = Home(seed: 9)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.add(path, start, rules: try Self.rules(home), on: a)
        save(home, 480, 6, on: a)
        let file = try export(home, a)
        guard case .failure(.needsDecision, let question) = try ask(file, home, b) else {
            Issue.record("nobody was asked")
            return
        }
        #expect(question.contains("laptop"))
        let report = try take(file, home, b, to: path, trusting: true)
        #expect(report.source == .unknownSigner && report.isNew)
        #expect(home.household.text(of: path, on: b) == #"{"coins":480,"level":6}"# + "\n")
        // Twice is once; what is played here counts on top; a newer file adds what was earned there.
        #expect(try take(file, home, b, trusting: true).changes == [])
        save(home, 490, 6, on: b)
        save(home, 500, 7, on: a)
        let newer = try export(home, a)
        #expect(try take(newer, home, b, trusting: true).changes.count == 2)
        #expect(home.household.text(of: path, on: b) == #"{"coins":510,"level":7}"# + "\n")
        #expect(try take(newer, home, b, trusting: true).changes == [])
        #expect(try take(file, home, b, trusting: true).changes == [])
        guard let status = try answer(StatusRequest(), home, b).message(StatusReport.self) else { return }
        #expect(status.profiles.count == 1 && status.troubles == [])
        // The two become one household: the profiles stay two, pointed out, and nothing adds up by itself.
        try home.pair(a, b)
        home.household.run(milliseconds: 60_000)
        #expect(home.household.text(of: path, on: a) == #"{"coins":500,"level":7}"#)
        #expect(home.household.text(of: path, on: b) == #"{"coins":510,"level":7}"# + "\n")
        guard let after = try answer(StatusRequest(), home, b).message(StatusReport.self) else { return }
        #expect(after.profiles.count == 2 && after.troubles.contains { $0.contains("are called game") })
        // From now on a file of the other one is a member's, and its profile the real one.
        #expect(try take(newer, home, b).source == .member)
    }

    /// An unknown signer's file of a profile that is kept here: what was counted here does not come again.
    @Test func whatWasCountedHereDoesNotComeAgainFromAnUnknownSigner() throws {
        let (home, a, b) = try together()
        save(home, 480, 6, on: a)
        home.expect(#"{"coins":480,"level":6}"#, at: path, on: [b])
        let own = try export(home, a)
        for device in [a, b] {
            let report = try take(try resigned(own), home, device, trusting: true)
            #expect(report.source == .unknownSigner && !report.isNew && report.changes == [])
        }
        // What only the unknown signer earned comes once, on whichever device, however often.
        let further = try resigned(own, playing: 7)
        for device in [a, b, a] { _ = try take(further, home, device, trusting: true) }
        home.expect(#"{"coins":487,"level":6}"#, at: path, on: [a])
        home.expect(#"{"coins":487,"level":6}"#, at: path, on: [b])
        home.household.run(milliseconds: 30_000)
        home.expect(#"{"coins":487,"level":6}"#, at: path, on: [a])
    }

    @Test func aMembersFileWithWritesOfAnUnknownSignerIsRefusedWhole() throws {
        let (home, a, b) = try together()
        home.household.part(a, b)
        home.household.run(milliseconds: 1_000)
        let transfer = try TransferFile.read(try resigned(try export(home, a), playing: 100))
        // Signed by a device of the household, over what an unknown signer wrote.
        let signer = SeededSigner(seed: 7)
        let roster = Roster(me: signer.key, name: "laptop", household: transfer.household)
        let forged = try TransferFile.bytes(
            transfer.delta.profile, transfer.state, document: [], roster: roster, time: 0, by: signer
        ) { replica, _ in transfer.proof(replica) }
        #expect(try TransferFile.read(forged).signer == signer.key)
        guard case .failure(.failed, let why) = try ask(forged, home, b, trusting: true) else {
            Issue.record("it was taken")
            return
        }
        #expect(why.contains("never in this household"))
        #expect(home.household.text(of: path, on: b) == start)
    }

    /// A stolen device may go on to export what it wrote: that comes in only if the player says so, as its own writes.
    @Test func aRemovedDevicesFileIsAskedAbout() throws {
        let (home, a, b) = try together()
        home.household.part(a, b)
        guard case .response(is RemovedDevice) = try answer(UnpairRequest(device: "deck"), home, a) else {
            throw Home.Failure("not removed")
        }
        save(home, 350, 5, on: b)
        let file = try export(home, b)
        guard case .failure(.needsDecision, let why) = try ask(file, home, a) else {
            throw Home.Failure("not asked")
        }
        #expect(why.contains("“deck”, which exported the file, is not in this household: take"))
        #expect(home.household.text(of: path, on: a) == start)
        let preview = try take(file, home, a, dryRun: true)
        #expect(preview.source == .removedMember && !preview.changes.isEmpty)
        #expect(home.household.text(of: path, on: a) == start)
        #expect(try take(file, home, a, trusting: true).source == .removedMember)
        #expect(home.household.text(of: path, on: a) == #"{"coins":350,"level":5}"#)
        // It is no member by that.
        #expect(try answer(StatusRequest(), home, a).message(StatusReport.self)?.household.isEmpty == true)
    }

    /// Who holds a stolen device can make a key of his own and let the stolen device vouch for it, in the file itself.
    @Test func aRemovedDeviceCannotBringAnotherKeyAlong() throws {
        let (home, a, b) = try together()
        home.household.part(a, b)
        _ = try answer(UnpairRequest(device: "deck"), home, a)
        save(home, 350, 5, on: b)
        let transfer = try TransferFile.read(try export(home, b))
        let (deck, thief) = (SeededSigner(seed: 8), SeededSigner(seed: 999))
        #expect(transfer.signer == deck.key)
        let roster = try Roster(me: deck.key, name: "deck", household: transfer.household)
            .merging(transfer.roster).roster.adding(thief.key, name: "laptop", by: deck).roster
        let file = try TransferFile.bytes(
            transfer.delta.profile, transfer.state, document: transfer.document, roster: roster, time: 0, by: thief
        ) { replica, _ in transfer.proof(replica) }
        guard case .failure(.needsDecision, let why) = try ask(file, home, a) else {
            throw Home.Failure("not asked")
        }
        #expect(why.contains("was never in this household"))
        #expect(try take(file, home, a, dryRun: true).source == .unknownSigner)
        #expect(home.household.text(of: path, on: a) == start)
    }

    @Test func damageAndNewerVersionsAreSaid() throws {
        let (home, a, b) = try together()
        let file = try export(home, a)
        var damaged = file
        damaged[file.count / 2] ^= 4
        guard case .failure(.failed, let damage) = try ask(damaged, home, b) else {
            throw Home.Failure("damage was taken")
        }
        #expect(damage.contains("damaged"))
        var newer = file
        newer[8] = 2
        guard case .failure(.tooOld, let version) = try ask(newer, home, b) else {
            throw Home.Failure("version 2 was taken")
        }
        #expect(version.contains("update Hearth"))
        guard
            case .failure(.failed, _) = try answer(
                ImportTransferRequest(path: "/nothing", to: nil, trusting: true, dryRun: false), home, b)
        else { throw Home.Failure("nothing was taken") }
    }

    // MARK: Plain documents

    @Test func aPlainDocumentIsMergedIn() throws {
        let (home, a, b) = try together()
        save(home, 480, 6, on: a)
        func take(_ text: String, dryRun: Bool = false) throws -> ImportReport {
            a.files.saveByRename(Array(text.utf8), at: "/stick/save.json")
            guard
                let report = try answer(
                    ImportDocumentRequest(path: "/stick/save.json", profile: "game", dryRun: dryRun), home, a
                ).message(ImportReport.self)
            else { throw Home.Failure("not imported: \(a.replies)") }
            home.household.run(milliseconds: 3_000)
            return report
        }
        // A copy from before, and today's: nothing; they hold what is counted already.
        #expect(try take(start).changes == [] && take(#"{"coins":480,"level":6}"#).changes == [])
        #expect(try take(#"{"coins":500,"level":2,"gems":1}"#, dryRun: true).changes.count == 2)
        home.expect(#"{"coins":480,"level":6}"#, at: path, on: [a])
        let report = try take(#"{"coins":500,"level":2,"gems":1}"#)
        #expect(
            report.source == .document
                && report.changes == [
                    .init(place: "/coins", old: "480", new: "500"), .init(place: "/gems", old: nil, new: "1"),
                ])
        home.expect(#"{"coins":500,"level":6,"gems":1}"#, at: path, on: [a])
        _ = home.household.run(until: { home.household.text(of: path, on: b)?.contains("500") == true })
        #expect(home.household.text(of: path, on: b)?.contains("500") == true)
        a.files.saveByRename(Array("{".utf8), at: "/stick/save.json")
        guard
            case .failure(.failed, _) = try answer(
                ImportDocumentRequest(path: "/stick/save.json", profile: "game", dryRun: false), home, a)
        else { throw Home.Failure("half a document was taken") }
    }

    /// A program that the agent cannot share a path with, such as the page in a browser, sends the bytes themselves.
    @Test func filesAreTakenFromTheRequestItself() throws {
        let (home, a, b) = try together()
        let exported = try export(home, b)
        save(home, 480, 6, on: a)
        func take(_ request: any AgentRequest) throws -> ImportReport {
            guard let report = try answer(request, home, a).message(ImportReport.self) else {
                throw Home.Failure("not imported: \(a.replies)")
            }
            home.household.run(milliseconds: 3_000)
            return report
        }
        let other = Array(#"{"coins":500,"level":2}"#.utf8)
        let change = ImportReport.Change(place: "/coins", old: "480", new: "500")
        #expect(try take(ImportDocumentRequest(data: other, profile: "game", dryRun: true)).changes == [change])
        home.expect(#"{"coins":480,"level":6}"#, at: path, on: [a])
        #expect(try take(ImportDocumentRequest(data: other, profile: "game")).changes == [change])
        home.expect(#"{"coins":500,"level":6}"#, at: path, on: [a, b])
        // An older file of a member changes nothing.
        let report = try take(ImportTransferRequest(data: exported))
        #expect(report.source == .member && report.changes == [])
        home.expect(#"{"coins":500,"level":6}"#, at: path, on: [a, b])
        guard case .failure(.failed, _) = try answer(ImportTransferRequest(data: other), home, a),
            case .failure(.failed, _) = try answer(ImportDocumentRequest(data: [0x7B], profile: "game"), home, a)
        else { throw Home.Failure("rubbish was taken") }
        #expect(ImportDocumentRequest(data: other, profile: "game").fault == nil)
        var both = ImportDocumentRequest(data: other, profile: "game")
        both.path = "/stick/save.json"
        #expect(both.fault?.member == "data")
        both.data = nil
        #expect(both.fault == nil)
        both.path = nil
        #expect(both.fault?.member == "path")
    }

    // MARK: Backups

    @Test func aBackupIsPinnedByRequest() throws {
        let (home, a, _) = try together()
        save(home, 310, 4, on: a)
        guard let before = try answer(BackupsRequest(profile: "game"), home, a).message(BackupList.self)?.backups,
            let name = before.last?.name,
            let pinned = try answer(PinBackupRequest(profile: "game", backup: name, isPinned: true), home, a).message(
                BackupList.self)?.backups,
            let free = try answer(PinBackupRequest(profile: "game", backup: name, isPinned: false), home, a).message(
                BackupList.self)?.backups
        else { throw Home.Failure("no list") }
        #expect(pinned.filter(\.isPinned).map(\.name) == [name] && !free.contains(where: \.isPinned))
        guard
            case .failure(.failed, _) = try answer(
                PinBackupRequest(profile: "game", backup: "x", isPinned: true), home, a)
        else { throw Home.Failure("nothing was pinned") }
    }

    /// A profile without a file here is nothing to wait for: time goes on after a restart.
    @Test func aProfileThatIsOnlyKeptHoldsNoTimerUp() throws {
        let now: Moment = 0
        let (files, record) = (MemoryFiles(), MemoryRecord())
        func machine() throws -> SimulatedDevice.Machine {
            try SimulatedDevice.Machine(
                settings: .init(deviceName: "laptop"), signer: SeededSigner(seed: 1), random: SeededRandom(seed: 1),
                files: files, store: record)
        }
        files.saveByRename(Array(start.utf8), at: path)
        var first = try machine()
        _ = first.handle(.started(port: 7_000), now: now)
        _ = first.handle(.request(RequestID(rawValue: 1), AddRequest(path: path, name: "game", rules: nil)), now: now)
        _ = first.handle(.request(RequestID(rawValue: 2), RemoveRequest(profile: "game")), now: now + .seconds(1))
        var second = try machine()
        _ = second.handle(.started(port: 7_000), now: now + .seconds(2))
        _ = second.handle(.timer, now: now + .seconds(5))
        let deadline = second.deadline
        #expect(try #require(deadline) > 5_000)
    }
}

extension Transfer {
    /// What the file shows for the writes of a replica.
    fileprivate func proof(_ replica: ReplicaID) -> WriteProof? {
        guard let origin = delta.origins.first(where: { $0.replica == replica }),
            let signature = delta.signatures[replica]
        else { return nil }
        return WriteProof(origin: origin, signature: signature)
    }
}
