import HouseholdAgent
import HouseholdSimulation
import LosslessJSON
import MergeCore
import ProfileKeeping
import TestSupport
import Testing

/// Ordinary evenings: one after the other plays on a machine of their own, each game reads what came in, plays on from
/// that, and saves. A purse alone, where content says least. What is guessed is counted, beside a ledger.
@Suite struct OwnSavesTests {
    private let path = "/saves/player.json"

    /// Two devices that play in turn.
    private struct Evenings {
        let path = "/saves/player.json"
        let home: Home
        let devices: [SimulatedDevice]
        let program = Program(executable: "/opt/rpg/rpg")!
        var ledger = 100
        /// The sessions of which it was guessed what the game had read, by number.
        var guessed: [Int] = []
        /// Those after which a file was wrong.
        var wrong: [Int] = []
        var sessions = 0
        /// Whether something else reads what changes, at once.
        var isIndexed = false
        /// Whether the game reads its own save again at once, and in a process of its own.
        var verifies = false

        init(tellsOpens: Bool = true) throws {
            home = Home(seed: 31)
            devices = [try home.device("alf"), try home.device("bea")]
            for device in devices { device.programs.tellOpens(tellsOpens) }
            try home.pair(devices[0], devices[1])
            let rules = try home.rules([("/coins", MergeRule(.counter))])
            try home.add(path, #"{"coins":100}"#, rules: rules, on: devices[0])
            try home.restore(path, on: devices[1])
            home.household.run(milliseconds: 20_000)
        }

        /// - Parameters:
        ///   - time: How long the game is played, and how long nothing happens after, in milliseconds.
        ///   - hasRead: Whether the game reads the file; else it goes on from `memory`.
        mutating func session(
            on number: Int, time: Int64 = 5_200, pause: Int64 = 4_000, earning: Int = 10, from memory: Int? = nil
        ) {
            let device = devices[number]
            let game = home.household.launch(program, on: device)
            var coins = memory ?? 0
            if memory == nil {
                coins = amount(home.household.read(path, by: game, on: device))
            }
            home.household.run(milliseconds: time)
            ledger += earning
            if isIndexed { device.programs.noteOpen(of: path) }
            home.household.save(#"{"coins":\#(coins + earning)}"#, to: path, by: game, isCaught: false, on: device)
            if verifies { device.programs.noteOpen(of: path) }
            home.household.run(milliseconds: 500)
            device.programs.end(game)
            home.household.run(milliseconds: pause / 2)
            for other in devices where isIndexed { other.programs.noteOpen(of: path) }
            home.household.run(milliseconds: pause / 2)
            sessions += 1
            let id = home.household.ask(StatusRequest(), on: device)
            let report = device.replies[id]?.last?.message(StatusReport.self)?.profiles.first
            if report?.remark?.contains("guess") == true { guessed.append(sessions) }
            _ = home.household.ask(KeepRequest(profile: "game"), on: device)
            for device in devices where amount(home.household.text(of: path, on: device)) != ledger {
                if wrong.last != sessions { wrong.append(sessions) }
            }
        }

        func amount(_ text: String?) -> Int {
            Int((text ?? "").filter(\.isNumber)) ?? -1
        }

        /// Agents are started every day.
        func restartAgents(isClean: Bool = true) throws {
            for device in devices {
                if isClean { home.household.end(device) } else { home.household.kill(device) }
                try home.household.start(device)
            }
            home.household.run(milliseconds: 8_000)
        }
    }

    /// In turn, in short sessions and in long ones; what came in is never in doubt after the first ones.
    @Test(arguments: [5_200, 50_000, 600_000], [4_000, 120_000]) func onlyTheFirstEveningsAreGuessed(
        time: Int64, pause: Int64
    ) throws {
        var evenings = try Evenings()
        for turn in 0..<12 { evenings.session(on: 1 - turn % 2, time: time, pause: pause) }
        #expect(evenings.wrong.isEmpty)
        #expect(evenings.guessed.allSatisfy { $0 <= 6 } && evenings.guessed.count <= 5, "\(evenings.guessed)")
    }

    /// Both play two evenings each: the second game reads the save of the first.
    @Test(arguments: [5_200, 50_000]) func severalInARow(time: Int64) throws {
        var evenings = try Evenings()
        for turn in 0..<24 { evenings.session(on: turn / 2 % 2, time: time, pause: 90_000) }
        #expect(evenings.wrong.isEmpty)
        #expect(evenings.guessed.allSatisfy { $0 <= 10 }, "\(evenings.guessed)")
    }

    /// What was learnt is in the record, unless the power failed right after.
    @Test func agentsThatAreStartedEveryDayLearn() throws {
        var evenings = try Evenings()
        for turn in 0..<16 {
            evenings.session(on: 1 - turn % 2, time: 20_000, pause: 120_000)
            try evenings.restartAgents()
        }
        #expect(evenings.wrong.isEmpty)
        #expect(evenings.guessed.allSatisfy { $0 <= 8 }, "\(evenings.guessed)")
    }

    /// Where something reads each file that changes, or a program other than the game reads what the game saved, nothing
    /// is learnt, and all is guessed and said as before.
    @Test(arguments: [true, false]) func whereOwnSavesAreOpenedNothingIsLearnt(isIndexed: Bool) throws {
        var evenings = try Evenings()
        evenings.isIndexed = isIndexed
        evenings.verifies = !isIndexed
        for turn in 0..<12 { evenings.session(on: 1 - turn % 2, time: 20_000, pause: 20_000) }
        #expect(evenings.wrong.isEmpty)
        #expect(evenings.guessed == Array(2...12))
        guard isIndexed else { return }
        // A game that plays on from memory looks like one that has read, and the purse fits that. It is said.
        let memory = evenings.ledger
        evenings.session(on: 1, pause: 20_000, earning: 40)
        evenings.session(on: 0, pause: 20_000, earning: 60, from: memory)
        #expect(evenings.guessed.last == evenings.sessions)
    }

    /// An indexer that begins when opens are believed can mislead one save at most; from then on it is said again.
    @Test func anIndexerThatBeginsMisleadsOnce() throws {
        var evenings = try Evenings()
        for turn in 0..<12 { evenings.session(on: 1 - turn % 2, time: 20_000, pause: 70_000) }
        #expect(evenings.wrong.isEmpty && !evenings.guessed.contains(12))
        evenings.isIndexed = true
        var silent = 0
        for _ in 0..<10 {
            let memory = evenings.amount(evenings.home.household.text(of: path, on: evenings.devices[0]))
            evenings.session(on: 1, time: 20_000, pause: 70_000, earning: 40)
            evenings.session(on: 0, time: 20_000, pause: 70_000, earning: 60, from: memory)
            let shown = evenings.amount(evenings.home.household.text(of: path, on: evenings.devices[0]))
            if shown != evenings.ledger, evenings.guessed.last != evenings.sessions { silent += 1 }
            evenings.ledger = shown
        }
        #expect(silent <= 1)
    }

    /// Where the system tells of no opens, all is as before.
    @Test func withoutOpensNothingIsLearnt() throws {
        var evenings = try Evenings(tellsOpens: false)
        for turn in 0..<12 { evenings.session(on: 1 - turn % 2, pause: 20_000) }
        #expect(evenings.guessed == Array(2...12) && evenings.wrong.isEmpty)
    }

    /// A note that nobody can read tells nothing, and is written anew.
    @Test func aDamagedNoteTellsNothing() throws {
        var evenings = try Evenings()
        for turn in 0..<12 { evenings.session(on: 1 - turn % 2, time: 20_000, pause: 70_000) }
        #expect(!evenings.guessed.contains(12))
        for device in evenings.devices {
            evenings.home.household.end(device)
            var notes = NoteChange()
            let stored = try device.record.notes(prefix: "own-saves/")
            #expect(stored.count == 1)
            for key in stored.keys { notes.set(key, [1, 2, 3]) }
            notes.set("own-saves/x", [60, 60, 60])
            try device.record.commit(RecordChange(notes: notes))
            try evenings.home.household.start(device)
        }
        evenings.home.household.run(milliseconds: 8_000)
        for turn in 0..<12 { evenings.session(on: 1 - turn % 2, time: 20_000, pause: 70_000) }
        #expect(evenings.wrong.isEmpty && evenings.guessed.contains(14) && !evenings.guessed.contains(24))
    }
}
