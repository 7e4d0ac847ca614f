import HouseholdSimulation
import LosslessJSON
import MergeCore
import ProfileKeeping
import SyncProtocol
import TestSupport
import Testing
@testable import HouseholdAgent

/// From elsewhere.
extension TransferTests {
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
}
