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
        #expect(try !checks.canAnswer(span(), of: deck, on: id))
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
        let (first, second) = (checks.asksForAll(of: save, on: id), checks.asksForAll(of: save, on: id))
        checks.closed(id)
        let onNewLink = checks.asksForAll(of: save, on: id)
        #expect(first && !second && onNewLink)
    }

    @Test func devicesThatContradictEachOtherAreNotAskedInTurnForEver() {
        var checks = HearsayChecks()
        var allowed = 0
        for _ in 0..<20 where checks.maySpread(in: save, now: time(0)) { allowed += 1 }
        let later = checks.maySpread(in: save, now: time(3_600_000))
        #expect(allowed == HearsayChecks.wholes && later)
    }

    /// A laptop that sleeps every ten minutes gets to the last of many profiles all the same.
    @Test func manyShortLinksReachEveryProfile() throws {
        let told = [try span()]
        var hearsay = try Hearsay([:], ReplicaOrigins([:]))
        for low in UInt64(1)...1_000 {
            hearsay.add(told, through: [tv], in: ProfileID(high: 0, low: low)) { _ in deck }
        }
        var checks = HearsayChecks()
        var asked: Set<ProfileID> = []
        for second in Int64(0)..<1_000 {
            if second % 600 == 0 { checks.closed(id) }
            let now = time(1_000 * second)
            for profile in hearsay.turn(of: deck, behind: checks.lastAsked(of: deck)) {
                let mayAsk = checks.mayAsk(deck, about: profile, isSettled: true, now: now)
                guard mayAsk else { continue }
                checks.ask(deck, about: profile, on: id, now: now)
                checks.answered(on: id)
                asked.insert(profile)
                break
            }
        }
        #expect(asked.count == 1_000)
    }

    /// What a device said it cannot answer it is not asked again, over whichever link, until there is more of it.
    @Test func whatADeviceCannotAnswerItIsNotAskedAgain() throws {
        var checks = HearsayChecks()
        let (run, longer) = (try span(0, 1), try span(0, 2))
        let next = ConnectionID(rawValue: 2)
        checks.disowns(run, deck, on: id)
        #expect(!checks.canAnswer(run, of: deck, on: id))
        checks.closed(id)
        #expect(!checks.canAnswer(run, of: deck, on: next))
        #expect(checks.canAnswer(longer, of: deck, on: next) && checks.canAnswer(run, of: tv, on: next))
        #expect(try checks.canAnswer(span(0, 1, history: 8), of: deck, on: next), "of another past")
        // A repair that came to nothing is tried again on the next link.
        checks.cannotAnswer([longer.replica], on: next)
        #expect(!checks.canAnswer(longer, of: deck, on: next) && checks.canAnswer(longer, of: deck, on: id))
    }

    /// The oldest go; on one link nobody is asked twice all the same.
    @Test func whatCannotBeAnsweredFillsNoMemory() throws {
        var disowned = DisownedWrites()
        let runs = try (1...UInt64(DisownedWrites.limit + 2)).map { try span(0, $0) }
        for run in runs { disowned.insert(run, of: deck, on: id) }
        let onLink = runs.filter { disowned.contains($0, of: deck, on: id) }
        #expect(onLink == runs)
        disowned.closed(id)
        let later = runs.filter { disowned.contains($0, of: deck, on: id) }
        #expect(later == Array(runs.dropFirst(2)))
        disowned.insert(runs[0], of: deck, on: id)
        disowned.closed(id)
        #expect(disowned.contains(runs[0], of: deck, on: id) && !disowned.contains(runs[2], of: deck, on: id))
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

    @Test func profilesTakeTurns() throws {
        let told = [try span()]
        var hearsay = try Hearsay([:], ReplicaOrigins([:]))
        for low in [5, 1, 3] as [UInt64] {
            hearsay.add(told, through: [tv], in: ProfileID(high: 0, low: low)) { _ in deck }
        }
        func turn(behind last: UInt64?) -> [UInt64] {
            hearsay.turn(of: deck, behind: last.map { ProfileID(high: 0, low: $0) }).map(\.low)
        }
        #expect(turn(behind: nil) == [1, 3, 5] && turn(behind: 1) == [3, 5, 1])
        #expect(turn(behind: 4) == [5, 1, 3] && turn(behind: 5) == [1, 3, 5])
        // What comes in stands in its place, and what was confirmed is gone.
        let (new, gone) = (ProfileID(high: 0, low: 2), ProfileID(high: 0, low: 3))
        hearsay.add(told, through: [tv], in: new) { _ in deck }
        hearsay.add(told, through: [tv], in: new) { _ in deck }
        hearsay.forget(told.map(\.replica), in: gone) { _ in deck }
        #expect(turn(behind: 1) == [2, 5, 1] && turn(behind: 3) == [5, 1, 2])
        #expect(hearsay.concerns(deck, in: new) && !hearsay.concerns(deck, in: gone))
        #expect(!hearsay.concerns(tv, in: new))
    }

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
