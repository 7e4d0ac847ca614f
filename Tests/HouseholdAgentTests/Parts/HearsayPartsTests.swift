import HouseholdSimulation
import MergeCore
import ProfileKeeping
import SyncProtocol
import Testing

@testable import HouseholdAgent

/// When writers are asked about what came through others, and answered; and what is kept of it.
@Suite struct HearsayPartsTests {
    private let deck = SeededSigner(seed: 1).key.id
    private let tv = SeededSigner(seed: 2).key.id
    private let id = ConnectionID(rawValue: 1)
    private let save = ProfileID(high: 0, low: 1)

    private func span(_ after: UInt64 = 0, _ last: UInt64 = 1, history: UInt64 = 7) throws -> WriteSpan {
        try #require(
            WriteSpan(ReplicaID(high: 0, low: 1), after: after, upTo: .init(sequence: last, history: history)))
    }

    private func time(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(0) + .milliseconds(milliseconds) }

    // MARK: Asking

    @Test func aWriterIsNotAskedWithoutEnd() throws {
        var checks = HearsayChecks()
        var wholes: [Int64] = []
        for half in Int64(0)..<7_000 {
            let now = time(half * 500)
            guard checks.mayAsk(deck, about: save, isSettled: true, now: now) else { continue }
            let verdict = checks.differs([try span()], of: deck, in: save, on: id, isEqual: true, now: now)
            if verdict == .askForAll { wholes.append(half / 2) }
            let repair = checks.takeRepair(of: save, on: id)
            #expect((repair != nil) == (verdict == .askForAll))
        }
        #expect(wholes == [0, 1, 5, 21, 85])
        #expect(checks.differences.map(\.cause) == [.lasting] && checks.differs(deck, in: save))
        #expect(!checks.differs(tv, in: save))
    }

    /// Lies that were mended do not use up what a later one needs.
    @Test func whatWasMendedDoesNotCount() throws {
        var checks = HearsayChecks()
        for second in Int64(0)..<20 {
            let now = time(second * 1_000)
            let mayAsk = checks.mayAsk(deck, about: save, isSettled: true, now: now)
            #expect(mayAsk)
            let verdict = checks.differs([try span()], of: deck, in: save, on: id, isEqual: true, now: now)
            #expect(verdict == .askForAll && checks.differs(deck, in: save))
            _ = checks.takeRepair(of: save, on: id)
            checks.agreed(deck, in: save)
            #expect(checks.differences.isEmpty)
        }
    }

    /// Devices that do not cover the same say nothing against each other: a difference is known once they do, or if it
    /// lasts.
    @Test func whoIsNotInStepIsNotSaidToDiffer() throws {
        var checks = HearsayChecks()
        for second in Int64(1)..<Int64(HearsayChecks.tries) {
            let verdict = checks.differs(
                [try span()], of: deck, in: save, on: id, isEqual: false, now: time(second * 1_000))
            #expect(verdict == .askAgain && !checks.differs(deck, in: save) && checks.differences.isEmpty)
        }
        let verdict = checks.differs([try span()], of: deck, in: save, on: id, isEqual: false, now: time(9_000))
        #expect(verdict == .askForAll && checks.differs(deck, in: save))
    }

    /// A whole state that does not come is waited for no more after a minute, and is taken if it comes later.
    @Test func aWholeThatDoesNotComeHoldsNothingUp() throws {
        var checks = HearsayChecks()
        _ = checks.differs([try span()], of: deck, in: save, on: id, isEqual: true, now: time(0))
        let early = checks.takeLate(now: time(59_999))
        #expect(early.isEmpty && checks.isRepairing(save, on: id) && checks.deadline == time(60_000))
        let late = checks.takeLate(now: time(60_000))
        #expect(late.map(\.profile) == [save] && !checks.isRepairing(save, on: id))
        #expect(try !checks.canAnswer(span().replica, on: id))
        #expect(checks.differences.map(\.cause) == [.notSent] && checks.deadline == nil)
        let repair = checks.takeRepair(of: save, on: id)
        #expect(repair == [try span()])
    }

    @Test func aQuestionWithoutAnAnswerIsKnown() {
        var checks = HearsayChecks()
        checks.ask(deck, about: save, on: id, now: time(0))
        #expect(checks.unanswered(now: time(59_999)).isEmpty)
        #expect(checks.unanswered(now: time(60_000)).map(\.device) == [deck])
        checks.answered(on: id)
        #expect(checks.unanswered(now: time(60_000)).isEmpty)
    }

    @Test func everythingIsAskedForOnceALink() {
        var checks = HearsayChecks()
        let (first, second) = (checks.asksWhoDeclared(in: save, on: id), checks.asksWhoDeclared(in: save, on: id))
        checks.closed(id)
        let onNewLink = checks.asksWhoDeclared(in: save, on: id)
        #expect(first && !second && onNewLink)
    }

    @Test func devicesThatContradictEachOtherAreNotAskedInTurnForEver() {
        var checks = HearsayChecks()
        var allowed = 0
        for _ in 0..<20 where checks.maySpread(in: save, now: time(0)) { allowed += 1 }
        let later = checks.maySpread(in: save, now: time(3_600_000))
        #expect(allowed == HearsayChecks.wholes && later)
    }

    // MARK: Answering

    @Test func aDeviceIsAnsweredOnceInAWhile() throws {
        var answers = DigestAnswers()
        let question = DigestQuestion(profile: save, spans: [try span()])
        let answer = DigestAnswer(hashes: [nil], vector: [1])
        answers.asked(question, by: deck, on: id)
        let (due, none) = (answers.take(now: time(0)), answers.take(now: time(0)))
        #expect(due.map(\.question) == [question] && none.isEmpty)
        answers.keep(answer, to: question, of: deck, atoms: 100_000, bytes: 0, now: time(0))
        #expect(answers.known(question, of: deck, vector: [1]) == answer)
        #expect(answers.known(question, of: deck, vector: [2]) == nil)
        #expect(answers.known(question, of: tv, vector: [1]) == nil)
        // Also over another link.
        answers.closed(id)
        answers.asked(question, by: deck, on: ConnectionID(rawValue: 2))
        answers.asked(question, by: tv, on: ConnectionID(rawValue: 3))
        let early = answers.take(now: time(4_999))
        #expect(early.map(\.device) == [tv] && answers.deadline == time(5_000))
        let late = answers.take(now: time(5_000))
        #expect(late.map(\.device) == [deck] && answers.deadline == nil)
        answers.changed(save)
        #expect(answers.known(question, of: deck, vector: [1]) == nil)
    }

    // MARK: Notes

    @Test func whatCameThroughOthersComesBackFromItsNotes() throws {
        let signer = SeededSigner(seed: 1)
        let origin = try #require(ReplicaOrigin(device: signer.key, profile: save, slot: 0))
        var origins = try ReplicaOrigins([:])
        origins.add(origin)
        let relays = (2..<8).map { SeededSigner(seed: $0).key.id }
        func run(_ after: UInt64, _ last: UInt64, _ history: UInt64) throws -> WriteSpan {
            try #require(WriteSpan(origin.replica, after: after, upTo: .init(sequence: last, history: history)))
        }
        var hearsay = try Hearsay([:], origins)
        hearsay.add([try run(4, 5, 1)], through: [relays[0]], in: save) { _ in deck }
        let notes = hearsay.notes(adding: [try run(7, 9, .max)], through: relays, in: save)
        let read = try Hearsay(notes.changes.compactMapValues { $0 }, origins)
        let told = try #require(read.spans(of: save)[origin.replica])
        let joined = try run(4, 9, .max)
        #expect(told.span == joined && told.relays == Array(relays.prefix(4)))
        #expect(read.profiles(of: deck) == [save])
        var rest = read
        rest.forget([origin.replica], in: save) { _ in deck }
        #expect(rest.spans(of: save).isEmpty && rest.profiles(of: deck).isEmpty)
        #expect(rest.takeUnstored().changes == [Hearsay.notes.key(save, origin.replica.hex): nil])
    }

    /// What cannot be read is no confirmation.
    @Test(arguments: [0, 24, 32, 41]) func anUnreadableNoteIsAFault(_ size: Int) throws {
        let key = Hearsay.notes.key(save, ReplicaID(high: 0, low: 1).hex)
        let origins = try ReplicaOrigins([:])
        #expect(throws: StorageFault.self) { _ = try Hearsay([key: Array(repeating: 0, count: size)], origins) }
    }
}
