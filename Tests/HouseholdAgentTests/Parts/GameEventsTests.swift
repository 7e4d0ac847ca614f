import HouseholdSimulation
import MergeCore
import Testing

@testable import HouseholdAgent
@testable import struct HouseholdAgent.Subscription
@testable import ProfileKeeping

/// Plays and subscriptions as values: what follows from each of their events.
@Suite struct GameEventsTests {
    private typealias Effect = GameSessions.Effect

    private let save = ProfileID(high: 0, low: 1)
    private let mark = PlayMark(token: "ab", client: 7, clientStart: 1)!
    private let programs = SimulatedPrograms()
    private let id = RequestID(rawValue: 1)
    private let end = Call<EndPlayRequest>(RequestID(rawValue: 2))

    private func sessions(_ notes: [String: [UInt8]] = [:]) -> GameSessions {
        GameSessions(lines: [:], games: notes, reading: [:])
    }

    private func play(isMarked: Bool = true) -> Play {
        Play(save, "game", isMarked ? mark : nil, start: VersionVector(), now: 0)
    }

    private func moment(_ time: MonotonicTime) -> Moment { Moment(monotonic: time, wall: 1_000_000) }

    private func subscription(to profile: ProfileID? = nil) -> Subscription {
        Subscription(
            SubscribeRequest(path: "/0", name: "rpg", game: "subscribed", rules: .empty), to: profile ?? save, now: 1)
    }

    /// Effects in a few words, to be compared.
    private func words(_ effects: [Effect]?) -> [String]? {
        effects?.map { effect in
            switch effect {
            case .mayStart(let id, _): "may start \(id.rawValue)"
            case .finish(let game): "finish from \(game.readAfter.milliseconds) \(game.noteKey ?? "")"
            case .runsOn(let game): "\(game) runs on"
            case .played(let id, _, let end): "played \(id.rawValue) for \(end.id.rawValue)"
            case .isGone(let end): "\(end.id.rawValue) is gone"
            case .changed(let id): "changed \(id.rawValue)"
            case .status(let id): "status \(id.rawValue)"
            }
        }
    }

    private var key: String { GameNote.key(save, mark) }

    // MARK: Plays

    @Test(arguments: [false, true]) func aPlayGoesFromPhaseToPhase(isMarked: Bool) {
        var games = sessions()
        games.prepare(id, play(isMarked: isMarked))
        #expect(games.waitingPlays(now: 0).map(\.id) == [id] && games.requests == [id])
        #expect(games.ended(id, answer: end, now: 1) == nil, "it does not run yet")
        #expect(games.sentOut(id).isEmpty, "it does not run yet")
        let started = words(games.started(id, from: nil, now: moment(5)))
        let notes = games.takeUnstored()
        #expect(started == ["may start 1"] && Array(notes.changes.keys) == (isMarked ? [key] : []))
        #expect(games.waitingPlays(now: 6).isEmpty && games.deadline == nil)
        #expect(words(games.ended(id, answer: end, now: 7)) == ["finish from 5 \(isMarked ? key : "")"])
        #expect(games.ended(id, answer: end, now: 8) == nil, "it is over already")
        #expect(games.waitingPlays(now: 8).map(\.id) == [id])
        #expect(words(games.sentOut(id)) == ["played 1 for 2"])
        #expect(games.requests.isEmpty && games.sentOut(id).isEmpty)
        #expect(games.started(id, from: nil, now: moment(9)).isEmpty)
    }

    /// Nobody waits for ever: first no longer for devices that are away, then for none.
    @Test func aWaitEnds() {
        var games = sessions()
        games.prepare(id, play())
        let contact = MonotonicTime(milliseconds: 2_000)
        #expect(games.deadline == contact)
        #expect(games.waitingPlays(now: contact).first?.play.contactUntil == nil)
        #expect(games.deadline == MonotonicTime(milliseconds: 5_000))
        _ = games.started(id, from: nil, now: moment(3_000))
        _ = games.ended(id, answer: end, now: 4_000)
        #expect(games.deadline == MonotonicTime(milliseconds: 6_000))
    }

    /// A game that ran before its play is held at once. Its note tells more exactly what it has read than its start.
    @Test(arguments: [false, true]) func aRunningGameIsHeldAtOnce(isNoted: Bool) {
        let note = GameNote(profile: save, game: "game", readAfter: 5, mark: mark)
        var games = sessions(isNoted ? [note.key: note.bytes(now: moment(9))] : [:])
        let effects = games.foundRunning(id, play(), start: 10_000, now: moment(20_000))
        let notes = games.takeUnstored()
        #expect(words(effects) == ["may start 1"] && Array(notes.changes.keys) == [key])
        let readAfter = isNoted ? MonotonicTime.min : GameProcesses.readAfter(start: 10_000)
        #expect(words(games.ended(id, answer: end, now: 30_000)) == ["finish from \(readAfter.milliseconds) \(key)"])
    }

    @Test func whoeverPlayedIsGone() {
        var games = sessions()
        games.prepare(id, play())
        #expect(games.abandoned(id, programs, now: 1).isEmpty && games.requests.isEmpty, "no game was started")
        games.prepare(id, play())
        _ = games.started(id, from: nil, now: moment(5))
        #expect(words(games.abandoned(id, programs, now: 6)) == ["finish from 5 \(key)"], "its game has ended, too")
        programs.set(mark, isRunning: true)
        games.prepare(id, play())
        _ = games.started(id, from: nil, now: moment(7))
        #expect(words(games.abandoned(id, programs, now: 8)) == ["game runs on"])
        #expect(games.lookAtOrphaned(programs, now: 9).isEmpty && games.requests.isEmpty)
        games.prepare(id, play(isMarked: false))
        _ = games.started(id, from: nil, now: moment(10))
        #expect(words(games.abandoned(id, programs, now: 11)) == ["finish from 10 "], "nobody could find it again")
        games.prepare(id, play())
        _ = games.started(id, from: nil, now: moment(12))
        _ = games.ended(id, answer: end, now: 13)
        #expect(words(games.abandoned(id, programs, now: 14)) == ["2 is gone"])
        #expect(games.abandoned(id, programs, now: 15).isEmpty)
    }

    // MARK: Subscriptions

    /// What was written for a game counts as read once it says so, or asks again.
    @Test(arguments: [false, true]) func aGameHasReadWhatItSaysItHas(asksAgain: Bool) {
        var games = sessions()
        games.subscribed(id, subscription())
        games.asked(id, as: save)
        games.written(for: id, at: 9)
        #expect(games.subscriptions[id]?.readAfter == 1)
        var isKnown = true
        if asksAgain { games.asked(id, as: save) } else { isKnown = games.read(id) }
        #expect(isKnown)
        #expect(games.subscriptions[id]?.readAfter == 9)
        #expect(words(games.abandoned(id, programs, now: 20)) == ["finish from 9 "])
        #expect(!games.read(id) && games.subscriptions.isEmpty)
    }

    @Test func aGameWithoutAProfileLeavesNothing() {
        var games = sessions()
        let request = SubscribeRequest(path: "/0", name: "rpg", game: "subscribed", rules: .empty)
        games.subscribed(id, Subscription(request, to: nil, now: 1))
        #expect(games.abandoned(id, programs, now: 2).isEmpty && games.requests.isEmpty)
    }

    /// Of something to pull a game is told once, until it asks.
    @Test func aGameIsToldOnceOfAChange() {
        var games = sessions()
        games.subscribed(id, subscription())
        var update = Subscription.Update(vector: VersionVector())
        func updated(_ time: MonotonicTime, choices: Int = 0) -> [String]? {
            words(games.updated(id, update, now: time) { choices })
        }
        #expect(updated(1) == [], "nothing is new")
        update.isToBeWritten = true
        #expect(updated(2) == ["changed 1"] && updated(3) == [])
        games.asked(id, as: save)
        games.notWritten(for: id, retryAt: 10)
        games.caughtUp(id, offered: nil, choices: 0)
        #expect(updated(9) == [] && games.deadline == 10, "it could not be written just now")
        #expect(updated(10) == ["changed 1"] && games.deadline == nil)
        games.asked(id, as: save)
        update.isToBeWritten = false
        update.offered = ProfileID(high: 0, low: 2)
        #expect(updated(11) == ["changed 1"])
        games.asked(id, as: save)
        games.caughtUp(id, offered: update.offered, choices: 0)
        #expect(updated(12) == [])
    }

    /// Choices are counted only where the profile has changed since.
    @Test func choicesAreCountedOnceAVector() {
        var games = sessions()
        games.subscribed(id, subscription())
        games.caughtUp(id, offered: nil, choices: 1)
        let update = Subscription.Update(vector: VersionVector())
        var counts = 0
        func count() -> Int {
            counts += 1
            return 1
        }
        for time: MonotonicTime in [1, 2, 3] { #expect(games.updated(id, update, now: time, choices: count).isEmpty) }
        #expect(counts == 1)
    }

    /// What a game only shows is told each time that it is other than in the last report.
    @Test func aGameIsToldOfAnotherReport() {
        var games = sessions()
        games.subscribed(id, subscription())
        var update = Subscription.Update()
        update.report.isPaused = true
        #expect(words(games.updated(id, update, now: 1) { 0 }) == ["status 1"])
        games.reported(update.report, to: id)
        #expect(games.updated(id, update, now: 2) { 0 }.isEmpty && games.subscriptions[id]?.reports == 1)
        #expect(games.updated(end.id, update, now: 3) { 0 }.isEmpty, "such a game is not known")
    }

    @Test func stepsAreToldOnce() {
        var games = sessions()
        games.subscribed(id, subscription())
        games.caughtUp(id, offered: nil, choices: 2, historyNumber: 7)
        #expect(games.subscriptions[id]?.announced == 7 && games.subscriptions[id]?.choices == 2)
        games.caughtUp(id, offered: nil, choices: 0)
        #expect(games.subscriptions[id]?.announced == 7)
    }
}
