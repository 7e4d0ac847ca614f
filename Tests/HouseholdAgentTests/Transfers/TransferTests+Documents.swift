import HouseholdSimulation
import LosslessJSON
import MergeCore
import ProfileKeeping
import SyncProtocol
import TestSupport
import Testing
@testable import HouseholdAgent

/// Plain documents.
extension TransferTests {
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
        // It is the newest thing that was done on this device.
        guard case .response = try answer(UndoRequest(profile: "game", step: nil, force: false), home, a) else {
            throw Home.Failure("it cannot be taken back")
        }
        home.expect(#"{"coins":480,"level":6}"#, at: path, on: [a])
    }

    /// What cannot be read under the rules is named, and is not called known.
    @Test func whatOfADocumentIsNotTakenIsSaid() throws {
        let (home, a, _) = try together()
        save(home, 480, 6, on: a)
        func take(_ text: String) throws -> AgentReply {
            try answer(ImportDocumentRequest(data: Array(text.utf8), profile: "game"), home, a)
        }
        let words = try #require(try take(#"{"coins":"lots","level":6}"#).message(ImportReport.self))
        #expect(words.changes == [] && words.note?.hasPrefix("not taken from the file, because its rule") == true)
        #expect(words.note?.contains("/coins: ") == true, "\(words.note ?? "")")
        #expect(try take(#"{"coins":470}"#).message(ImportReport.self)?.note == nil)
        for text in ["[]", "7"] {
            guard case .failure(.failed, let why) = try take(text) else { throw Home.Failure("\(text) was taken") }
            #expect(why.hasSuffix("and game is an object, so nothing of it can be merged"), "\(why)")
        }
        home.household.run(milliseconds: 3_000)
        home.expect(#"{"coins":480,"level":6}"#, at: path, on: [a])
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
