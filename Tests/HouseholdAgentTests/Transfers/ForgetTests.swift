import HouseholdAgent
import HouseholdSimulation
import MergeCore
import Testing

/// A save that was added by mistake leaves every device's list; files and backups stay.
@Suite struct ForgetTests {
    private let path = "/saves/player.json"
    private let save = #"{"coins":100}"#

    private func household() throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice, c: SimulatedDevice) {
        let home = Home(seed: 18)
        let (a, b, c) = (try home.device("laptop"), try home.device("deck"), try home.device("desktop"))
        try home.pair(a, b)
        try home.pair(a, c)
        try home.add(path, save, rules: home.rules([("/coins", MergeRule(.counter))]), on: a)
        try home.restore(path, on: b)
        home.expect(save, at: path, on: [b])
        _ = home.household.run(until: { (try? home.status(on: c).profiles.count) == 1 })
        return (home, a, b, c)
    }

    /// Here or elsewhere: what was asked about the save before asks nobody any more, and `sync` is in step.
    @Test(arguments: [true, false]) func itAsksNothing(isHere: Bool) throws {
        let (home, a, b, _) = try household()
        home.play(#"{"coins":100,"best":90,"map":"moss"}"#, at: path, on: a)
        home.play("{}", at: path, on: a)
        #expect(try home.profile(on: a).decisions != nil)
        _ = try home.reply(to: ForgetRequest(profile: "game"), on: isHere ? a : b)
        home.household.run(milliseconds: 10_000)
        try home.add("/saves/other.json", #"{"level":1}"#, name: "other", on: a)
        let reply = try home.reply(to: SyncRequest(profile: nil), on: a)
        let report = try #require(reply.message(SyncReport.self), "\(reply)")
        #expect(report.decisions == nil && report.troubles == nil && report.behind.isEmpty, "\(report)")
    }

    @Test func itLeavesEveryDevice() throws {
        let (home, a, b, c) = try household()
        let profile = try #require(ProfileID(hex: try home.status(on: a).profiles[0].id))
        guard case .response(is ForgottenProfile) = try home.reply(to: ForgetRequest(profile: "game"), on: a) else {
            Issue.record("it was not forgotten")
            return
        }
        home.household.run(milliseconds: 10_000)
        for device in [a, b, c] {
            #expect(try home.status(on: device).profiles.isEmpty, "on \(device.name)")
            guard case .failure(.failed, _) = try home.reply(to: ShowRequest(profile: "game", pointer: nil), on: device)
            else {
                Issue.record("\(device.name) knows it by its name")
                return
            }
        }
        #expect(home.household.text(of: path, on: a) == save)
        #expect(home.household.text(of: path, on: b) == save)
        for device in [a, b] {
            let reply = try home.reply(to: BackupsRequest(profile: profile.description), on: device)
            guard let kept = reply.message(BackupList.self)?.backups else { return }
            #expect(!kept.isEmpty, "on \(device.name)")
        }
        // Whoever forgot it knows; where another device did, the player is told until it is heard.
        #expect(try home.status(on: a).troubles.isEmpty)
        let told = try #require(try home.status(on: b).troubles.first)
        #expect(told.contains("was forgotten on every device, by laptop; \(path) stays as it is"), "\(told)")
        home.household.kill(b)
        try home.household.start(b)
        home.household.run(milliseconds: 1_000)
        #expect(try home.status(on: b).troubles == [told])
        let heard = try #require(told.firstRange(of: "hearth remove "))
        guard
            case .response(is ForgottenProfile) = try home.reply(
                to: RemoveRequest(profile: String(told[heard.upperBound...])), on: b)
        else {
            Issue.record("what the message names does not work")
            return
        }
        #expect(try home.status(on: b).troubles.isEmpty)
    }

    /// What was played on a device that was away stays in its file, and can begin anew as a save of its own.
    @Test func aDeviceThatWasAwayLosesNothing() throws {
        let (home, a, b, c) = try household()
        home.household.part(a, b)
        home.household.part(b, c)
        _ = try home.reply(to: ForgetRequest(profile: "game"), on: a)
        home.household.save(#"{"coins":170}"# + "\n", to: path, on: b)
        home.household.run(milliseconds: 10_000)
        home.household.part(a, b, false)
        home.household.part(b, c, false)
        home.household.run(milliseconds: 60_000)
        #expect(home.household.text(of: path, on: b) == #"{"coins":170}"# + "\n")
        #expect(home.household.text(of: path, on: a) == save)
        #expect(try home.status(on: b).profiles.isEmpty)
        // A game that plays on moves nothing any more.
        home.household.save(#"{"coins":180}"# + "\n", to: path, on: b)
        home.household.run(milliseconds: 60_000)
        #expect(home.household.text(of: path, on: a) == save)
        guard
            case .response(is ProfileAnswer) = try home.reply(
                to: AddRequest(path: path, name: "game", rules: nil), on: b)
        else {
            Issue.record("it cannot be added again")
            return
        }
        home.household.run(milliseconds: 10_000)
        #expect(try home.status(on: b).troubles.isEmpty)
        for device in [a, b, c] { #expect(try home.status(on: device).profiles.map(\.name) == ["game"]) }
        try home.restore("/saves/other.json", on: a)
        home.expect(#"{"coins":180}"# + "\n", at: "/saves/other.json", on: [a])
        #expect(home.household.text(of: path, on: a) == save)
    }

    /// No file shows it any more, so nothing on it can be put back; its backups become files again.
    @Test func aBackupOfAForgottenSaveIsShown_andNoActClaimsToChangeAnything() throws {
        let (home, a, b, _) = try household()
        home.play(#"{"coins":170}"#, at: path, on: a)
        let id = try home.status(on: a).profiles[0].id
        _ = try home.reply(to: ForgetRequest(profile: id), on: a)
        home.household.run(milliseconds: 10_000)
        let log = try home.reply(to: LogRequest(since: 0, limit: 10), on: a).message(LogReport.self)
        #expect(log?.entries.contains { $0.step.origin == "save" } == true, "what was played before is in the log")
        for device in [a, b] {
            let list = try home.reply(to: BackupsRequest(profile: id), on: device).message(BackupList.self)
            let backup = try #require(list?.backups.first?.name, "on \(device.name)")
            let show = ShowRequest(profile: id, backup: backup)
            let text = try home.reply(to: show, on: device).message(DocumentText.self)?.document
            #expect(text?.contains("\"coins\":") == true, "\(text ?? "nothing") on \(device.name)")
            guard case .failure(.failed, _) = try home.reply(to: ShowRequest(profile: id, backup: "no"), on: device)
            else {
                throw Home.Failure("there is a backup \"no\"")
            }
            let acts: [any AgentRequest] = [
                RestoreBackupRequest(profile: id, backup: backup), ResetRequest(profile: id, scope: nil),
                PreviewRequest(RestoreBackupRequest(profile: id, backup: backup)),
            ]
            for act in acts {
                guard case .failure(.failed, let why) = try home.reply(to: act, on: device) else {
                    throw Home.Failure("\(act) was done to a save that was forgotten")
                }
                #expect(why.contains("was forgotten, on every machine") && why.contains("hearth show \(id) --backup"))
            }
        }
    }

    /// A file of a forgotten save would show nowhere: it is refused, before and instead of the import.
    @Test(arguments: [false, true]) func aFileOfAForgottenSaveIsRefused(dryRun: Bool) throws {
        let (home, a, b, _) = try household()
        home.household.kill(a)
        home.play(#"{"coins":170}"#, at: path, on: b)
        let exported = try home.reply(to: ExportRequest(profile: "game"), on: b).message(ExportedTransfer.self)
        home.household.kill(b)
        try home.household.start(a)
        home.household.run(milliseconds: 5_000)
        _ = try home.reply(to: ForgetRequest(profile: "game"), on: a)
        a.files.saveByRename(try #require(exported).data.bytes, at: "/stick/game.hearth")
        let request = ImportTransferRequest(path: "/stick/game.hearth", to: nil, trusting: false, dryRun: dryRun)
        guard case .failure(.failed, let why) = try home.reply(to: request, on: a) else {
            throw Home.Failure("it was taken")
        }
        #expect(why.contains("was forgotten in this household, and nothing of it was taken"), "\(why)")
    }

    @Test func aForgottenSaveIsNotTakenUpAgain() throws {
        let (home, a, b, c) = try household()
        let id = try home.status(on: a).profiles[0].id
        _ = try home.reply(to: ForgetRequest(profile: id), on: b)
        home.household.run(milliseconds: 10_000)
        guard case .failure(.failed, let why) = try home.reply(to: RestoreRequest(profile: id, path: path), on: c)
        else {
            Issue.record("it was taken up")
            return
        }
        #expect(why.contains("forgotten in this household for good"))
        guard case .failure(.failed, _) = try home.reply(to: ForgetRequest(profile: id), on: c) else {
            Issue.record("it was forgotten twice")
            return
        }
        // A newcomer learns of it, and shows nothing.
        let d = try home.device("tablet")
        try home.pair(c, d)
        home.household.run(milliseconds: 10_000)
        #expect(try home.status(on: d).profiles.isEmpty)
    }
}
