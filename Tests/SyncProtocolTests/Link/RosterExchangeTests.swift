import MergeCore
import SwiftProtobuf
import Testing

@testable import SyncProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What of a roster goes over a link: the statements that the other side may lack.
@Suite struct RosterExchangeTests {
    private let covered = VersionVector([ReplicaID(high: 1, low: 1): .init(sequence: 1, history: 1)])

    /// The other side's digest, as a liar says it who has heard or guessed it.
    private func digest(of side: RosterTalk.Side) -> [UInt8] { RosterDigest.of(side.roster.statements, side.secret) }

    private func hashes(_ hashes: [UInt8], salt: [UInt8] = [UInt8](repeating: 3, count: 8)) -> [UInt8] {
        var message = WireRosterHashes()
        (message.salt, message.hashes) = (Data(salt), Data(hashes))
        return Forge.frame(.rosterHashes(message))
    }

    // MARK: What differs

    @Test(arguments: [1, 20] as [UInt64]) func whoHoldTheSameSendNoneOfIt(_ devices: UInt64) throws {
        let talk = RosterTalk(devices: devices)
        #expect(talk.a.roster.statements == talk.b.roster.statements && talk.a.roster.statements.count > 2)
        try talk.run(covered)
        #expect(talk.a.said == ["hello", "vectors", "needsDelta"] && talk.b.said == ["hello", "vectors"])
        #expect(talk.a.bytes < 160, "however many devices there are")
    }

    @Test func oneStatementThatDiffersArrives_andNoOther() throws {
        let talk = RosterTalk(devices: 20)
        talk.a.roster = try talk.a.roster.adding(MemorySigner(seed: 50).key, name: "new", by: talk.a.signer).roster
        try talk.run()
        let arrived = talk.b.heard.flatMap(\.statements)
        #expect(arrived.count == 1 && arrived.first?.name == "new" && arrived.first?.purpose == .paired)
        // What the other one states because of it goes back once there is time for it, and nothing else does.
        #expect(talk.a.heard.isEmpty)
        try talk.quiet()
        let back = talk.a.heard.flatMap(\.statements)
        #expect(back.count == 1 && back.first?.issuer == talk.b.signer.key && back.first?.purpose == .vouched)
        #expect(talk.a.roster.statements == talk.b.roster.statements)
    }

    @Test func bothSidesSendWhatTheOtherLacks() throws {
        let talk = RosterTalk(devices: 3)
        talk.a.roster = try talk.a.roster.adding(MemorySigner(seed: 50).key, name: "one", by: talk.a.signer).roster
        talk.b.roster = try talk.b.roster.adding(MemorySigner(seed: 51).key, name: "other", by: talk.b.signer).roster
        try talk.run()
        for side in [talk.a, talk.b] { #expect(side.heard.map(\.statements.count) == [1]) }
        try talk.quiet()
        for side in [talk.a, talk.b] { #expect(side.heard.map(\.statements.count) == [1, 1]) }
        #expect(talk.a.roster.statements == talk.b.roster.statements && talk.a.roster.members.count == 6)
    }

    @Test func aRemovalArrivesBeforeAnyAtomIsSent() throws {
        let talk = RosterTalk(devices: 3)
        talk.a.roster = try talk.a.roster.removing(MemorySigner(seed: 4).key, by: talk.a.signer).roster
        try talk.run(covered)
        #expect(talk.a.said.prefix(4) == ["hello", "vectors", "rosterHashes", "roster"])
        #expect(talk.a.said.dropFirst(4).first == "needsDelta")
        #expect(talk.b.roster.isRemoved(MemorySigner(seed: 4).key))
        #expect(talk.a.roster.statements == talk.b.roster.statements)
    }

    // MARK: What changes during a link

    @Test func whatIsNewIsSentAlone_andNotBack() throws {
        let talk = RosterTalk(devices: 20)
        try talk.run()
        let removed = MemorySigner(seed: 9).key
        try talk.change(talk.a, try talk.a.roster.removing(removed, by: talk.a.signer).roster)
        let (arrived, back) = (talk.b.heard.flatMap(\.statements), talk.a.heard.flatMap(\.statements))
        #expect(arrived.count == 1 && arrived.allSatisfy { $0.purpose == .removed && $0.issuer == talk.a.signer.key })
        #expect(back.count == 1 && back.allSatisfy { $0.purpose == .removed && $0.issuer == talk.b.signer.key })
        #expect(talk.a.roster.statements == talk.b.roster.statements)
    }

    /// What only confirms what the other one knows waits for a Ping, for the next change that does not wait, or until there
    /// is much of it; and is not sent to where it came from.
    @Test func confirmationsAreSentTogether() throws {
        let talk = RosterTalk(devices: 20)
        try talk.run()
        func vouch(_ count: UInt64, _ first: UInt64) -> [RosterStatement] {
            (first..<first + count).map { number in
                RosterStatement(
                    household: RosterTalk.household, subject: MemorySigner(seed: number).key, name: "x",
                    purpose: .vouched,
                    serial: 1, by: MemorySigner(seed: 3))
            }
        }
        try talk.change(talk.a, talk.a.roster.merging(vouch(2, 4)).roster)
        #expect(talk.b.heard.isEmpty)
        try talk.change(talk.a, talk.a.roster.merging(vouch(2, 6)).roster)
        try talk.quiet()
        #expect(talk.b.heard.map(\.statements.count) == [4])
        try talk.change(talk.a, talk.a.roster.merging(vouch(2, 8)).roster)
        #expect(talk.b.heard.count == 1)
        try talk.change(
            talk.a, try talk.a.roster.adding(MemorySigner(seed: 50).key, name: "new", by: talk.a.signer).roster)
        #expect(talk.b.heard.map(\.statements.count) == [4, 3])
        try talk.quiet()
        #expect(
            talk.b.heard.count == 2 && talk.a.heard.flatMap(\.statements).allSatisfy { $0.issuer == talk.b.signer.key })
        try talk.change(talk.a, talk.a.roster.merging(vouch(70, 100)).roster)
        #expect(talk.b.heard.count == 3, "so much does not wait")
        #expect(talk.a.roster.statements == talk.b.roster.statements)
    }

    /// A change that falls between a device's Hello and that of the other one, which says what the former held then.
    @Test(arguments: [false, true]) func whatChangesBeforeTheHelloIsReadArrives(_ differ: Bool) throws {
        let talk = RosterTalk(devices: 3)
        if differ {
            talk.b.roster = try talk.b.roster.adding(MemorySigner(seed: 51).key, name: "other", by: talk.b.signer)
                .roster
        }
        try talk.start()
        let new = try talk.a.roster.adding(MemorySigner(seed: 50).key, name: "new", by: talk.a.signer).roster
        try talk.change(talk.a, new, arrives: false)
        #expect(talk.a.said == ["hello", "vectors"], "what the other one lacks is not known yet")
        try talk.deliver()
        #expect(
            talk.b.heard.flatMap(\.statements).filter { $0.issuer == talk.a.signer.key }.map(\.name).contains("new"))
        try talk.quiet()
        #expect(talk.a.roster.statements == talk.b.roster.statements)
    }

    @Test func aRemovedDeviceHearsOfItAtTheEnd_andNotTheSecret() throws {
        for isStarted in [false, true] {
            let talk = RosterTalk(
                devices: 3, secrets: (HouseholdSecret([UInt8](repeating: 7, count: 32), serial: 1), nil))
            if isStarted { try talk.run() } else { try talk.start() }
            let former = talk.a.roster.statements
            talk.a.roster = try talk.a.roster.removing(talk.b.signer.key, by: talk.a.signer).roster
            let (statements, known) = (talk.a.roster.statements, talk.b.heard.count)
            let news = RosterNews(of: talk.a.roster, since: former)
            try talk.perform(talk.a.link.dismiss(statements, news: news, reason: "It was removed."), talk.a)
            try talk.deliver()
            let last = talk.b.heard.dropFirst(known)
            #expect(last.count == 1 && last.allSatisfy { $0.secret == nil })
            #expect(talk.b.roster.isRemoved(talk.b.signer.key))
            #expect(talk.b.closure?.reason.contains("It was removed.") == true)
        }
    }

    // MARK: Lies

    /// A device that says to hold what it does not hold keeps that from itself, until the next link: nothing of the other
    /// side's changes, and later statements arrive.
    @Test func aLyingDigestDoesNoMoreThanWithhold() throws {
        let talk = RosterTalk(devices: 3)
        try talk.start(covered)
        let before = talk.a.roster
        try talk.forge(Forge.hello(digest: digest(of: talk.a)) + Forge.vectors(), to: talk.a)
        #expect(talk.a.said == ["hello", "vectors", "needsDelta"])
        #expect(talk.a.heard.isEmpty && talk.a.roster == before)
        let removal = try talk.a.roster.removing(MemorySigner(seed: 3).key, by: talk.a.signer).roster
        try talk.change(talk.a, removal, arrives: false)
        #expect(talk.a.said.last == "roster")
    }

    /// The same by hashes: of statements that it is said to hold none is sent, and no atom before that was said.
    @Test(arguments: [true, false]) func lyingHashesDoNoMoreThanWithhold(_ hasAll: Bool) throws {
        let talk = RosterTalk(devices: 3)
        try talk.start(covered)
        try talk.forge(Forge.hello(digest: [UInt8](repeating: 1, count: 32)) + Forge.vectors(), to: talk.a)
        #expect(talk.a.said == ["hello", "vectors", "rosterHashes"], "who does not say what it holds gets no atoms")
        let salt = [UInt8](repeating: 3, count: 8)
        let held = talk.a.roster.statements.flatMap { $0.hash.fingerprint(salt: salt) }
        try talk.forge(hashes(hasAll ? held : [UInt8](repeating: 0xAB, count: 800), salt: salt), to: talk.a)
        #expect(talk.a.said.dropFirst(3) == (hasAll ? ["needsDelta"] : ["roster", "needsDelta"]))
    }

    /// A digest of another length is another digest.
    @Test(arguments: [0, 31, 33, 900]) func aDigestThatIsNoneIsAnotherOne(_ count: Int) throws {
        let talk = RosterTalk(devices: 3)
        try talk.start()
        try talk.forge(
            Forge.hello(digest: Array((digest(of: talk.a) + [UInt8](repeating: 0, count: 900)).prefix(count))),
            to: talk.a)
        #expect(talk.a.said.last == "rosterHashes" && talk.a.closure == nil)
    }

    @Test func hashesOutOfTurnEndTheLink() throws {
        let equal = RosterTalk(devices: 3)
        try equal.run()
        try equal.forge(hashes([]), to: equal.a)
        #expect(equal.a.closure?.blame == .peer && equal.a.closure?.reason.contains("out of turn") == true)
        let twice = RosterTalk(devices: 3)
        try twice.start()
        try twice.forge(Forge.hello(digest: []) + hashes([]), to: twice.a)
        #expect(twice.a.closure == nil && twice.a.said.last == "roster")
        let sent = twice.a.bytes
        try twice.forge(hashes([]), to: twice.a)
        #expect(twice.a.closure?.blame == .peer)
        #expect(twice.a.bytes - sent < 256, "the roster is not sent a second time")
    }

    @Test(arguments: [
        (7, 8), (8 * (Limits.statements + 1), 8), (8 * 100_000, 8), (8, 0), (8, 7), (8, 9),
    ]) func hashesBeyondEveryLimitEndTheLink(_ count: Int, _ salt: Int) throws {
        let talk = RosterTalk(devices: 3)
        try talk.start()
        let bytes = hashes([UInt8](repeating: 1, count: count), salt: [UInt8](repeating: 2, count: salt))
        try talk.forge(Forge.hello(digest: []) + bytes, to: talk.a)
        #expect(talk.a.closure?.blame == .peer && talk.a.closure?.reason.contains("too many") == true)
        #expect(!talk.a.said.contains("roster"))
    }

    /// Statements without number, none of which is signed: none counts, and what is remembered of them is bounded. Those
    /// of this device still arrive.
    @Test func aFloodOfStatementsChangesNothing() throws {
        let talk = RosterTalk(devices: 3)
        try talk.run()
        let before = talk.a.roster
        for round in 0..<4 as Range<UInt64> {
            let many = (0..<UInt64(Limits.statements)).map { number in
                RosterStatement(
                    household: RosterTalk.household, subject: talk.b.signer.key, name: "x", purpose: .removed,
                    serial: 2 + round, issuer: MemorySigner(seed: 2).key,
                    signature: (0..<64).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 % 8))) })
            }
            try talk.forge(WireFrame.bytes(.roster(RosterCoding.write(many, nil))), to: talk.a)
        }
        #expect(talk.a.roster == before && talk.a.closure == nil)
        let removal = try talk.a.roster.removing(MemorySigner(seed: 3).key, by: talk.a.signer).roster
        try talk.change(talk.a, removal)
        #expect(talk.b.roster.isRemoved(MemorySigner(seed: 3).key))
    }

    /// What a device holds is listed under a salt of that link, so that no statement can be made for which another one
    /// is taken.
    @Test func hashesDependOnTheSalt() {
        let hash = RosterTalk().a.roster.statements[0].hash
        #expect(hash.fingerprint(salt: [1]) != hash.fingerprint(salt: [2]))
        #expect(hash.fingerprint(salt: [1]).count == StatementHash.fingerprintSize)
    }
}
