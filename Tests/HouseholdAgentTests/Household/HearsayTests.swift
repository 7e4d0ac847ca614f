import LosslessJSON
import MergeCore
import ProfileKeeping
import SyncProtocol
import Testing

@testable import HouseholdAgent
@testable import HouseholdSimulation

/// A bad member tells the laptop untruths about what the deck wrote while the deck is away. Once the deck is back, both
/// have what the deck wrote, and what was played on the laptop meanwhile.
@Suite struct HearsayTests {
    private let path = "/games/save.json"

    private func scene(with third: String? = nil) throws -> DeckAway { try DeckAway(at: path, with: third) }

    /// The bad device passes on the deck's writes to the laptop, as it likes.
    private func relay(_ scene: DeckAway, _ atoms: [KeyedAtom]) throws {
        let liar = scene.liar()
        liar.claim(scene.profile, atoms, upTo: scene.vector)
        #expect(!liar.isClosed, "\(liar.logs)")
        let covered = try #require(scene.laptop.machine?.engine.profiles[scene.profile]).state.vector
        #expect(covered.covers(scene.vector))
        // What the laptop said to others meanwhile went to the liar alone. What it heard is still hearsay after a start.
        scene.home.household.kill(scene.laptop)
        try scene.home.household.start(scene.laptop)
        scene.home.household.run(milliseconds: 2_000)
    }

    private func changed(_ scene: DeckAway) -> [KeyedAtom] {
        scene.atoms.map { atom in
            guard case .register(let stamp, _) = atom.atom.content, atom.key.kind == .latest else { return atom }
            return KeyedAtom(atom.key, Atom(.register(stamp, "lie"), atom.atom.dot, epoch: atom.atom.epoch))
        }
    }

    private func spans(_ scene: DeckAway) -> [ReplicaID: Hearsay.Told] {
        scene.laptop.machine?.hearsay.spans(of: scene.profile) ?? [:]
    }

    @Test func whatWasChangedOnTheWayIsMended() throws {
        let scene = try scene()
        try relay(scene, changed(scene))
        #expect(scene.home.household.text(of: path, on: scene.laptop)?.contains("lie") == true)
        #expect(spans(scene)[scene.replica]?.relays == [scene.bad.signer.key.id])
        try scene.home.household.start(scene.deck)
        scene.home.expect(#"{"coins":8,"title":"b"}"#, at: path, on: [scene.laptop, scene.deck], within: 20_000)
        #expect(spans(scene).isEmpty)
        let id = scene.home.household.ask(StatusRequest(), on: scene.laptop)
        let remark = scene.laptop.replies[id]?.last?.message(StatusReport.self)?.profiles.first?.remark
        #expect(
            remark?.contains("some of what deck wrote had come through bad and is not what deck says") == true,
            "\(remark ?? "-")")
        // It stays so after a start, and both go on.
        scene.home.household.kill(scene.laptop)
        try scene.home.household.start(scene.laptop)
        scene.home.household.save(#"{"coins":9,"title":"c"}"#, to: path, on: scene.deck)
        scene.home.expect(#"{"coins":9,"title":"c"}"#, at: path, on: [scene.laptop, scene.deck], within: 20_000)
    }

    @Test func whatWasLeftOutOnTheWayComes() throws {
        let scene = try scene()
        try relay(scene, [])
        #expect(scene.home.household.text(of: path, on: scene.laptop) == #"{"coins":5,"title":"a"}"#)
        try scene.home.household.start(scene.deck)
        scene.home.expect(#"{"coins":8,"title":"b"}"#, at: path, on: [scene.laptop, scene.deck], within: 20_000)
        #expect(spans(scene).isEmpty)
    }

    @Test func whatWasMadeUpGoes() throws {
        let scene = try scene()
        let dot = try #require(scene.atoms.last).atom.dot
        let key = AtomKey(DocumentPath([.member("lie")]), .latest)
        try relay(scene, scene.atoms + [KeyedAtom(key, Atom(.register(.live(1), 1), dot))])
        try scene.home.household.start(scene.deck)
        scene.home.expect(#"{"coins":8,"title":"b"}"#, at: path, on: [scene.laptop, scene.deck], within: 20_000)
    }

    /// What is played on top of a lie is the player's own, and is kept.
    @Test func whatWasPlayedOnTopStays() throws {
        let scene = try scene()
        try relay(scene, [])
        scene.home.household.save(#"{"coins":7,"title":"a","own":1}"#, to: path, on: scene.laptop)
        scene.home.household.run(milliseconds: 5_000)
        try scene.home.household.start(scene.deck)
        scene.home.expect(
            #"{"coins":10,"title":"b","own":1}"#, at: path, on: [scene.laptop, scene.deck], within: 30_000)
        #expect(spans(scene).isEmpty)
    }

    @Test func trueWordsAreConfirmed() throws {
        let scene = try scene()
        try relay(scene, scene.atoms)
        #expect(!spans(scene).isEmpty)
        let before = scene.laptop.machine?.engine.profiles[scene.profile]?.state.sortedAtoms
        try scene.home.household.start(scene.deck)
        scene.home.household.run(milliseconds: 20_000)
        #expect(spans(scene).isEmpty)
        #expect(scene.laptop.machine?.engine.profiles[scene.profile]?.state.sortedAtoms == before)
    }

    /// What came of a deck that was removed stays hearsay: once it is paired again, it is asked.
    @Test func theWordsOfARemovedDeviceStayHearsay() throws {
        let scene = try scene()
        try relay(scene, scene.atoms)
        _ = scene.home.household.ask(UnpairRequest(device: "deck"), on: scene.laptop)
        scene.home.household.kill(scene.laptop)
        try scene.home.household.start(scene.laptop)
        scene.home.household.run(milliseconds: 2_000)
        #expect(!spans(scene).isEmpty)
        let id = scene.home.household.ask(StatusRequest(), on: scene.laptop)
        let troubles = scene.laptop.replies[id]?.last?.message(StatusReport.self)?.troubles ?? []
        #expect(!troubles.contains { $0.contains("through bad") }, "\(troubles)")
    }

    /// A write that was made up can take the place of what a third device wrote. It goes, and that one is asked for its
    /// own.
    @Test func whatAMadeUpWriteHadReplacedComesBack() throws {
        let scene = try scene(with: "tv")
        let tv = try #require(scene.other)
        // The laptop has it from the TV itself, and the deck does not.
        try scene.home.household.start(tv)
        scene.home.household.save(#"{"coins":5,"title":"a","tv":1}"#, to: path, on: tv)
        scene.home.expect(#"{"coins":5,"title":"a","tv":1}"#, at: path, on: [scene.laptop], within: 20_000)
        scene.home.household.kill(tv)
        let dot = try #require(scene.atoms.last).atom.dot
        let key = AtomKey(DocumentPath([.member("tv")]), .latest)
        let lie = Atom(.register(.live(WallTime(milliseconds: 1 << 41)), 9), dot)
        try relay(scene, scene.atoms + [KeyedAtom(key, lie)])
        #expect(scene.home.household.text(of: path, on: scene.laptop)?.contains(#""tv":9"#) == true)
        try scene.home.household.start(scene.deck)
        scene.home.expect(#"{"coins":8,"title":"b"}"#, at: path, on: [scene.laptop, scene.deck], within: 20_000)
        #expect(!spans(scene).isEmpty && spans(scene)[scene.replica] == nil)
        // The deck heard of the TV's write through the laptop, which had lost it, and asks the TV as well.
        try scene.home.household.start(tv)
        try scene.home.pair(scene.deck, tv)
        scene.home.expect(
            #"{"coins":8,"title":"b","tv":1}"#, at: path, on: [scene.laptop, scene.deck, tv], within: 60_000)
    }

    /// A deck whose record was set back does not know what others say it wrote: it takes nothing away from them.
    @Test func aWriterThatForgotWhatItWroteTakesNothingAway() throws {
        let scene = try scene()
        try relay(scene, scene.atoms)
        let before = try #require(scene.laptop.machine?.engine.profiles[scene.profile]).state
        let last = try #require(before.vector.entries[scene.replica])
        try scene.home.household.start(scene.deck)
        #expect(scene.deck.machine?.engine.hasWritten(last, as: scene.replica, in: scene.profile) == true)
        let other = VersionVector.Entry(sequence: last.sequence, history: last.history ^ 1)
        #expect(scene.deck.machine?.engine.hasWritten(other, as: scene.replica, in: scene.profile) == false)
        // Its own word for a former write is there after more of them, and after a start.
        scene.home.household.save(#"{"coins":9,"title":"c"}"#, to: path, on: scene.deck)
        scene.home.household.run(milliseconds: 10_000)
        scene.home.household.kill(scene.deck)
        try scene.home.household.start(scene.deck)
        #expect(scene.deck.machine?.engine.hasWritten(last, as: scene.replica, in: scene.profile) == true)
    }

    /// A relay can be faster than the writer, which is linked all the time. As soon as the writer says that it wrote, it is
    /// asked.
    @Test func aLieThatIsFasterThanItsWriterIsAskedAbout() throws {
        let scene = try scene()
        let now = scene.home.household.moment(on: scene.laptop)
        let deck = Liar(of: scene.deck, to: scene.laptop, now: now)
        let bad = Liar(of: scene.bad, to: scene.laptop, now: now, connection: 1 << 61)
        (deck.other, bad.other) = (bad, deck)
        deck.digests = { question in
            DigestAnswer(hashes: question.spans.map { _ in nil }, vector: Array(repeating: 0, count: 32))
        }
        for hand in [deck, bad] { hand.relay(scene.replica, of: scene.deck, in: scene.profile) }
        bad.claim(scene.profile, changed(scene), upTo: scene.vector)
        #expect(!spans(scene).isEmpty && deck.digestQuestions.isEmpty)
        let covered = try #require(scene.laptop.machine?.engine.profiles[scene.profile]).state.vector
        deck.claim(scene.profile, scene.atoms, upTo: covered)
        #expect(!deck.isClosed && !bad.isClosed, "\(deck.logs) \(bad.logs)")
        #expect(deck.digestQuestions.map(\.profile) == [scene.profile])
    }

    /// What a writer said it cannot answer it is not asked again on its next link.
    @Test func aWriterThatCannotAnswerIsAskedOnce() throws {
        let scene = try scene()
        try relay(scene, scene.atoms)
        let covered = try #require(scene.laptop.machine?.engine.profiles[scene.profile]).state.vector
        let first = scene.home.household.moment(on: scene.laptop)
        var questions: [Int] = []
        for link in 0..<2 {
            let pause = Duration.seconds(10 * link)
            let now = Moment(monotonic: first.monotonic + pause, wall: first.wall + pause)
            let deck = Liar(of: scene.deck, to: scene.laptop, now: now, connection: 1 << (60 + UInt64(link)))
            deck.digests = { question in
                DigestAnswer(hashes: question.spans.map { _ in nil }, vector: Array(repeating: 0, count: 32))
            }
            deck.relay(scene.replica, of: scene.deck, in: scene.profile)
            deck.claim(scene.profile, scene.atoms, upTo: covered)
            #expect(!deck.isClosed, "\(deck.logs)")
            questions.append(deck.digestQuestions.count)
        }
        #expect(questions == [1, 0] && !spans(scene).isEmpty)
    }

    /// A writer that denies everything changes what bears its own name, and nothing else; it is not asked again.
    @Test func aWriterThatDeniesEverythingChangesItsOwnWritesAlone() throws {
        let scene = try scene()
        try relay(scene, scene.atoms)
        let before = try #require(scene.laptop.machine?.engine.profiles[scene.profile]).state
        let liar = Liar(of: scene.deck, to: scene.laptop, now: scene.home.household.moment(on: scene.laptop))
        liar.relay(scene.replica, of: scene.deck, in: scene.profile)
        let vector = SpanDigest.hash(before.vector)
        liar.digests = { question in
            DigestAnswer(hashes: question.spans.map { _ in Array(repeating: 0, count: 32) }, vector: vector)
        }
        liar.claim(scene.profile, [], upTo: before.vector)
        let after = try #require(scene.laptop.machine?.engine.profiles[scene.profile]).state
        let span = try #require(
            WriteSpan(scene.replica, after: 0, upTo: .init(sequence: .max, history: 0)))
        #expect(
            before.sortedAtoms.filter { !span.contains($0.atom.dot) }
                == after.sortedAtoms.filter { !span.contains($0.atom.dot) })
        #expect(after.vector == before.vector)
        #expect(liar.digestQuestions.count <= 2 * HearsayChecks.wholes)
    }
}
