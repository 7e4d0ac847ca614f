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
    let path = "/saves/player.json"
    let stick = "/stick/game.hearth"
    let start = #"{"coins":300,"level":4}"#

    func together(_ seed: UInt64 = 7) throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let home = Home(seed: seed)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        try home.add(path, start, rules: try Self.rules(home), on: a)
        try home.restore(path, on: b)
        home.expect(start, at: path, on: [b])
        return (home, a, b)
    }

    static func rules(_ home: Home) throws -> RuleSet {
        try home.rules([("/coins", MergeRule(.counter)), ("/level", MergeRule(.max))])
    }

    func answer(_ request: any AgentRequest, _ home: Home, _ device: SimulatedDevice) throws -> AgentReply {
        let id = home.household.ask(request, on: device)
        _ = home.household.run(until: { device.replies[id] != nil }, within: 10_000)
        return try #require(device.replies[id]?.last)
    }

    func export(_ home: Home, _ device: SimulatedDevice) throws -> [UInt8] {
        guard let exported = try answer(ExportRequest(profile: "game"), home, device).message(ExportedTransfer.self)
        else {
            throw Home.Failure("not exported: \(device.replies)")
        }
        #expect(exported.export.profile == "game" && exported.export.note == nil)
        return exported.data.bytes
    }

    func ask(
        _ bytes: [UInt8], _ home: Home, _ device: SimulatedDevice, to target: String? = nil, trusting: Bool = false,
        dryRun: Bool = false
    ) throws -> AgentReply {
        device.files.saveByRename(bytes, at: stick)
        return try answer(
            ImportTransferRequest(path: stick, to: target, trusting: trusting, dryRun: dryRun), home, device)
    }

    func take(
        _ bytes: [UInt8], _ home: Home, _ device: SimulatedDevice, to target: String? = nil, trusting: Bool = false,
        dryRun: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> ImportReport {
        let reply = try ask(bytes, home, device, to: target, trusting: trusting, dryRun: dryRun)
        guard let report = reply.message(ImportReport.self) else { throw Home.Failure("not imported: \(reply)") }
        home.household.run(milliseconds: 3_000)
        return report
    }

    func save(_ home: Home, _ coins: Int, _ level: Int, on device: SimulatedDevice) {
        let end = home.household.text(of: path, on: device)?.hasSuffix("\n") == true ? "\n" : ""
        home.household.save(#"{"coins":\#(coins),"level":\#(level)}"# + end, to: path, on: device)
        home.household.run(milliseconds: 3_000)
    }

    /// Signs what another device exported with a key of nobody's household.
    func resigned(_ bytes: [UInt8], seed: UInt64 = 999, playing earned: Int? = nil) throws -> [UInt8] {
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
    func parted(seed: UInt64) throws -> (Home, SimulatedDevice, SimulatedDevice) {
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
}

extension Transfer {
    /// What the file shows for the writes of a replica.
    func proof(_ replica: ReplicaID) -> WriteProof? {
        guard let origin = delta.origins.first(where: { $0.replica == replica }),
            let signature = delta.signatures[replica]
        else { return nil }
        return WriteProof(origin: origin, signature: signature)
    }
}
