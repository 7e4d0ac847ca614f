import HouseholdSimulation
import LosslessJSON
import MergeCore
import Testing

@testable import HouseholdAgent
@testable import struct HouseholdAgent.Subscription
@testable import ProfileKeeping

/// Who holds a file, and what has it read, of games that are known in different ways.
@Suite struct GameSessionsTests {
    private let save = ProfileID(high: 0, low: 1)
    private let other = ProfileID(high: 0, low: 2)
    private let mark = PlayMark(token: "ab", client: 7, clientStart: 1)!
    private let programs = SimulatedPrograms()

    private func profiles() -> ProfileTable {
        var table = ProfileTable()
        for (number, id) in [save, other].enumerated() {
            let stored = StoredProfile(replica: ReplicaID(high: 1, low: UInt64(number)), file: "/\(number)")
            var profile = KeptProfile(id, stored, baseHistory: BaseHistory())
            let context = WriteContext(replica: profile.replica, now: 1, fileTime: 1, base: VersionVector())
            _ = profile.state.note(.name, .string(JSONString(number == 0 ? "rpg" : "race")), context)
            table[id] = profile
        }
        return table
    }

    private func sessions(_ lines: [String: String] = [:], games: [String: [UInt8]] = [:]) -> GameSessions {
        GameSessions(lines: lines, games: games, reading: [:])
    }

    private func play(of profile: ProfileID? = nil, now: MonotonicTime = 0) -> Play {
        Play(profile ?? save, "game", mark, start: VersionVector(), now: now)
    }

    private func subscription(to profile: ProfileID?, readAfter time: MonotonicTime) -> Subscription {
        let request = SubscribeRequest(path: "/0", name: "rpg", game: "subscribed", rules: .empty)
        return Subscription(request, to: profile, now: time)
    }

    private func moment(_ time: MonotonicTime) -> Moment { Moment(monotonic: time, wall: 1_000_000) }

    private func id(_ number: UInt64) -> RequestID { RequestID(rawValue: number) }

    @Test func aPlayHoldsItsFileWhileItsGameRuns() {
        var games = sessions()
        let profiles = profiles()
        games.prepare(id(1), play())
        #expect(games.holder(of: save, in: profiles) == nil && games.readAfter(save, in: profiles) == nil)
        _ = games.started(id(1), from: nil, now: moment(5))
        #expect(games.holder(of: save, in: profiles) == "game" && games.readAfter(save, in: profiles) == 5)
        #expect(games.holder(of: other, in: profiles) == nil && games.readAfter(other, in: profiles) == nil)
        _ = games.ended(id(1), answer: Call(id(2)), now: 6)
        #expect(games.holder(of: save, in: profiles) == nil)
    }

    /// Of several games any may have written the save: the earliest time counts.
    @Test func theGameThatReadFirstTellsTheBase() {
        var games = sessions()
        let profiles = profiles()
        games.prepare(id(1), play())
        _ = games.started(id(1), from: nil, now: moment(9))
        games.subscribed(id(2), subscription(to: save, readAfter: 4))
        games.subscribed(id(3), subscription(to: nil, readAfter: 1))
        #expect(games.readAfter(save, in: profiles) == 4)
        games.awaitsLastSave(save, readAfter: 3)
        games.awaitsLastSave(save, readAfter: 6)
        #expect(games.readAfter(save, in: profiles) == 3)
        games.tookLastSave(save)
        #expect(games.readAfter(save, in: profiles) == 4)
    }

    /// Of several games that hold a file, those that did not write it have not read what is there now. One alone wrote
    /// it itself.
    @Test func gamesThatShareAFileFallBehind() {
        var games = sessions()
        let (profiles, one, two) = (profiles(), id(1), id(2))
        games.subscribed(one, subscription(to: save, readAfter: 1))
        games.fileMoved(save, in: profiles)
        #expect(games.subscriptions[one]?.isBehind == false)
        games.subscribed(two, subscription(to: save, readAfter: 1))
        games.fileMoved(other, in: profiles)
        #expect(games.subscriptions.values.allSatisfy { !$0.isBehind })
        games.fileMoved(save, in: profiles)
        #expect(games.subscriptions.values.allSatisfy { $0.isBehind })
    }

    /// A joined profile stands for the one it was joined into, also for a game that was started before.
    @Test func aGameOfAJoinedProfileHoldsTheOneThatStays() {
        var (games, profiles) = (sessions(), profiles())
        games.prepare(id(1), play(of: other))
        _ = games.started(id(1), from: nil, now: moment(5))
        let context = WriteContext(replica: ReplicaID(high: 1, low: 1), now: 2, fileTime: 2, base: VersionVector())
        _ = profiles[other]?.state.note(.joined, .string(JSONString(save.description)), context)
        #expect(games.holder(of: save, in: profiles) == nil, "its file is still here")
        profiles[other]?.file.unbind()
        #expect(games.holder(of: save, in: profiles) == "game" && games.readAfter(save, in: profiles) == 5)
    }

    /// A program that the configuration names for a save, by its name or id.
    @Test(arguments: [false, true]) func aProgramHoldsTheSaveItIsNamedFor(isByID: Bool) {
        let line = isByID ? save.description : "rpg"
        var games = sessions([line: "rpg.x86"])
        let profiles = profiles()
        #expect(games.hasProcess(save, in: profiles) && !games.hasProcess(other, in: profiles))
        #expect(games.lookAtProcesses(programs, now: 10).isEmpty && games.holder(of: save, in: profiles) == nil)
        programs.set("rpg.x86", since: 12)
        #expect(games.lookIfDue(programs, now: 11).isEmpty, "it is not time yet")
        let due = games.deadline ?? .max
        #expect(games.lookIfDue(programs, now: due).count == 1)
        #expect(games.holder(of: save, in: profiles) == "rpg.x86" && games.holder(of: other, in: profiles) == nil)
        #expect(games.readAfter(save, in: profiles) == GameProcesses.readAfter(start: 12))
        #expect(games.configure([:]).count == 1 && games.holder(of: save, in: profiles) == nil)
    }

    /// The command is gone and its game runs on: the file is held until the game has ended, and the record's note goes
    /// once its last save is taken up.
    @Test(arguments: [false, true]) func aGameWithoutItsCommandHoldsTheFile(isFromTheRecord: Bool) throws {
        let note = GameNote(profile: save, game: "orphan", readAfter: 5, mark: mark)
        let profiles = profiles()
        programs.set(mark, isRunning: true)
        var games = sessions(games: isFromTheRecord ? [note.key: note.bytes(now: 0)] : [:])
        if !isFromTheRecord {
            games.prepare(id(1), Play(save, "orphan", mark, start: VersionVector(), now: 0))
            _ = games.started(id(1), from: nil, now: moment(5))
            _ = games.abandoned(id(1), programs, now: 10)
        }
        #expect(games.holder(of: save, in: profiles) == "orphan")
        // Of what stood in the file before the agent started, nobody knows since when it stood there.
        #expect(games.readAfter(save, in: profiles) == (isFromTheRecord ? .min : 5))
        #expect(games.lookAtOrphaned(programs, now: 20).isEmpty)
        programs.set(mark, isRunning: false)
        #expect(games.lookAtOrphaned(programs, isDueOnly: true, now: 21).isEmpty, "it is not time yet")
        let ended = games.lookAtOrphaned(programs, now: 30)
        #expect(ended.map(\.key) == [note.key] && games.holder(of: save, in: profiles) == nil)
        games.awaitsLastSave(save, readAfter: 5)
        _ = games.takeUnstored()
        games.ended(note.key, of: save)
        var notes = games.takeUnstored()
        #expect(notes.isEmpty, "its last save is still to come")
        games.tookLastSave(save)
        notes = games.takeUnstored()
        #expect(notes == NoteChange(note.key, nil))
        games.ended(note.key, of: save)
        notes = games.takeUnstored()
        #expect(notes == NoteChange(note.key, nil))
    }

    /// A game that always writes onto what its file holds: known over restarts.
    @Test func aGameThatReadsItsFileIsRemembered() {
        var games = sessions()
        let profiles = profiles()
        games.readsItsFile(save)
        let notes = games.takeUnstored()
        games.readsItsFile(save)
        let more = games.takeUnstored()
        #expect(notes.changes.count == 1 && more.isEmpty)
        #expect(games.readAfter(save, in: profiles) == .max)
        let stored = notes.changes.compactMapValues { $0 }
        let again = GameSessions(lines: [:], games: [:], reading: stored)
        #expect(again.readAfter(save, in: profiles) == .max && again.readAfter(other, in: profiles) == nil)
    }
}
