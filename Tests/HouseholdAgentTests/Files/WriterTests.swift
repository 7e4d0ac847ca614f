import HouseholdSimulation
import MergeCore
import ProfileKeeping
import Testing

@testable import HouseholdAgent

/// What is known of the program that writes a save, without any setting: each told with a purse alone, where content
/// says least.
@Suite struct WriterTests {
    let path = "/saves/player.json"
    private let rpg = Program(executable: "/opt/rpg/rpg")!

    func purse(_ coins: Int) -> String { #"{"coins":\#(coins)}"# }

    /// Two devices with 100 coins, in step. On the first one a game is started, which reads its save.
    func household(opens: Bool = true, _ program: Program? = nil) throws -> World {
        let home = Home(seed: 21)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        if opens { a.programs.tellOpens() }
        try home.pair(a, b)
        try home.add(path, purse(100), rules: try home.rules([("/coins", MergeRule(.counter))]), on: a)
        try home.restore(path, on: b)
        home.household.configure(["game": "rpg"], on: b)
        home.household.run(milliseconds: 5_000)
        let game = home.household.launch(program ?? rpg, on: a)
        _ = home.household.read(path, by: game, on: a)
        home.household.run(milliseconds: 10_000)
        return World(home: home, a: a, b: b, game: game)
    }

    struct World {
        let home: Home
        let a: SimulatedDevice
        let b: SimulatedDevice
        var game: SeenProcess
        let path = "/saves/player.json"

        /// So much comes in from the other device, where it is known what the game had read, and is written here.
        func earnElsewhere(_ coins: Int) {
            home.household.run(milliseconds: 3_000)
            b.programs.set("rpg", since: home.household.now)
            home.household.run(milliseconds: 2_500)
            home.household.save(#"{"coins":\#(coins)}"#, to: path, on: b)
            home.household.run(milliseconds: 1_000)
            b.programs.set("rpg", since: nil)
            home.expect(#"{"coins":\#(coins)}"#, at: path, on: [a])
            home.household.run(milliseconds: 8_000)
        }

        func save(_ coins: Int, isCaught: Bool = false) {
            home.household.save(#"{"coins":\#(coins)}"#, to: path, by: game, isCaught: isCaught, on: a)
            home.household.run(milliseconds: 8_000)
        }

        mutating func restart(_ program: Program?) {
            a.programs.end(game)
            home.household.run(milliseconds: 5_000)
            game = home.household.launch(program, on: a)
            _ = home.household.read(path, by: game, on: a)
            home.household.run(milliseconds: 4_000)
        }

        var profile: ProfileReport? {
            let id = home.household.ask(StatusRequest(), on: a)
            guard let report = a.replies[id]?.last?.message(StatusReport.self) else { return nil }
            return report.profiles.first
        }

        /// Every file has this much, and nothing was guessed or asked.
        func expectKnown(_ coins: Int, sourceLocation: SourceLocation = #_sourceLocation) {
            home.expect(#"{"coins":\#(coins)}"#, at: path, on: [a, b], sourceLocation: sourceLocation)
            let profile = profile
            #expect(profile?.remark == nil, "\(profile as Any)", sourceLocation: sourceLocation)
            #expect(profile?.decisions == nil, "\(profile as Any)", sourceLocation: sourceLocation)
        }

        var isAsked: Bool { profile?.decisions?.isEmpty == false }
        var isGuessed: Bool { profile?.remark?.contains("guess") == true }
    }

    // MARK: Opens

    /// Also where the purse alone would have been forgotten, or asked about.
    @Test(arguments: [-50, 10, 150, 210, 300]) func aGameThatHasNotOpenedTheFileSinceHadNotReadIt(earned: Int) throws {
        let world = try household()
        world.earnElsewhere(500)
        world.save(100 + earned)
        world.expectKnown(500 + earned)
        // It goes on from what it has in memory.
        world.save(107 + earned)
        world.expectKnown(507 + earned)
    }

    /// Where the system tells of no opens, all is as before.
    @Test func withoutOpensItIsGuessed() throws {
        let world = try household(opens: false)
        world.earnElsewhere(500)
        world.save(110)
        #expect(world.isGuessed)
    }

    /// An indexer reads every file that changes: then an open says nothing.
    @Test func whereAllIsOpenedOpensSayNothing() throws {
        let world = try household()
        for coins in [500, 600, 700, 800, 900] {
            world.earnElsewhere(coins)
            world.a.programs.noteOpen(of: path)
            world.home.household.run(milliseconds: 8_000)
        }
        world.save(110)
        #expect(world.isGuessed)
        world.home.expect(purse(910), at: path, on: [world.a, world.b])
        world.earnElsewhere(1_310)
        world.a.programs.noteOpen(of: path)
        world.save(350)
        #expect(world.isAsked)
    }

    /// Where snapshots mostly stand unopened, who opens one and writes what fits it has read it.
    @Test func anOpenTellsWhereHardlyAnybodyElseOpens() throws {
        let world = try household()
        for coins in [1_000, 2_000, 3_000, 4_000] { world.earnElsewhere(coins) }
        _ = world.home.household.read(path, by: world.game, on: world.a)
        // 1,700 is spent: a purse alone would be asked about.
        world.save(2_300)
        world.expectKnown(2_300)
    }

    /// A restart of the agent makes it blind for what was before.
    @Test func aRestartedAgentKnowsNothingOfOpensBefore() throws {
        let world = try household()
        world.earnElsewhere(500)
        world.home.household.kill(world.a)
        _ = world.home.household.read(path, by: world.game, on: world.a)
        try world.home.household.start(world.a)
        world.home.household.run(milliseconds: 5_000)
        world.save(490)
        world.home.expect(purse(490), at: path, on: [world.a, world.b])
        #expect(world.isGuessed)
    }

    /// A save that nobody told of was written where nobody sees opens either.
    @Test func aSaveThatWasNotHeardOfTellsNothingOfOpens() throws {
        let world = try household()
        world.earnElsewhere(500)
        world.a.files.saveByRename(Array(purse(490).utf8), at: path)
        world.home.expect(purse(490), at: path, on: [world.b])
        #expect(world.isGuessed)
    }

    // MARK: Programs

    /// Once it was seen writing, its start is known at every save: here it spends exactly what came in.
    @Test(arguments: [true, false]) func aProgramThatWasSeenOnceIsKnown(opens: Bool) throws {
        var world = try household(opens: opens)
        world.save(110, isCaught: true)
        world.earnElsewhere(510)
        world.restart(rpg)
        world.save(110)
        world.expectKnown(110)
    }

    /// The same after the agent was started anew.
    @Test func theProgramIsInTheRecord() throws {
        var world = try household(opens: false)
        world.save(110, isCaught: true)
        world.home.household.kill(world.a)
        try world.home.household.start(world.a)
        world.earnElsewhere(510)
        world.restart(rpg)
        world.save(110)
        world.expectKnown(110)
    }

    /// It ends in the moment of its last save.
    @Test func theLastSaveIsTheGamesToo() throws {
        var world = try household(opens: false)
        world.save(110, isCaught: true)
        world.earnElsewhere(510)
        world.restart(rpg)
        world.save(120)
        world.earnElsewhere(520)
        world.restart(rpg)
        world.save(519)
        world.earnElsewhere(919)
        world.restart(rpg)
        world.save(920)
        world.a.programs.end(world.game)
        world.home.household.save(purse(519), to: path, on: world.a)
        world.expectKnown(519)
    }

    /// A script is known by its own name, and not by that of what runs it.
    @Test func anInterpreterIsNotTheGame() throws {
        let mine = Program(executable: "/usr/bin/python3.12", script: "/opt/rpg/main.py")!
        let another = Program(executable: "/usr/bin/python3.12", script: "/opt/tools/main.py")!
        #expect(Program(executable: "/usr/bin/python3.12") == nil && mine.name == "main.py")
        let world = try household(opens: false, mine)
        world.save(110, isCaught: true)
        world.earnElsewhere(510)
        // Another script was started later; the game is still the one that has read 110.
        _ = world.home.household.launch(another, on: world.a)
        world.home.household.run(milliseconds: 4_000)
        world.save(120)
        world.home.expect(purse(520), at: path, on: [world.a, world.b])
    }

    /// Tools copy what they were given, and helpers write what was in the memory of who started them.
    @Test(arguments: [true, false]) func toolsAndHelpersAreNoGame(isTool: Bool) throws {
        let world = try household(opens: false)
        world.earnElsewhere(500)
        let program = Program(executable: isTool ? "/usr/bin/rsync" : "/opt/rpg/save-helper")!
        let process = world.home.household.launch(program, on: world.a)
        world.home.household.run(milliseconds: isTool ? 10_000 : 1_000)
        world.home.household.save(purse(110), to: path, by: process, isCaught: true, on: world.a)
        // It started when 500 stood there; from that, 390 would have been spent.
        world.home.expect(purse(510), at: path, on: [world.a, world.b])
        #expect(world.isGuessed)
        world.earnElsewhere(910)
        world.save(111)
        world.home.expect(purse(911), at: path, on: [world.a, world.b])
    }

    /// Of two programs that write one file either may have.
    @Test func ofTwoProgramsTheOlderOneCounts() throws {
        let world = try household(opens: false)
        world.save(110, isCaught: true)
        let editor = Program(executable: "/opt/rpg/trainer")!
        world.earnElsewhere(510)
        let other = world.home.household.launch(editor, on: world.a)
        world.home.household.run(milliseconds: 10_000)
        world.home.household.save(purse(520), to: path, by: other, isCaught: true, on: world.a)
        world.home.expect(purse(520), at: path, on: [world.a, world.b])
        world.earnElsewhere(920)
        world.home.household.run(milliseconds: 5_000)
        // Both run since before that came in.
        world.save(525)
        world.home.expect(purse(925), at: path, on: [world.a, world.b])
    }

    /// What was noted and cannot be read is left out.
    @Test func notesAreReadWithCare() {
        let id = ProfileID(high: 1, low: 2)
        var writers = Writers()
        for number in 0..<6 {
            let program = Program(executable: "/usr/bin/python3", script: "/g/\(number).py")!
            let process = SeenProcess(id: 7, start: 0, program: program)
            let found = writers.saw(process, of: id, now: 0 + Writers.helperTime)
            let notes = writers.takeUnstored()
            #expect(found == program && notes.changes.count == Writers.limit)
            #expect(writers.saw(process, of: id, now: 0 + Writers.helperTime) == nil)
            var stored: [String: [UInt8]] = [:]
            for (key, bytes) in notes.changes { stored[key] = bytes }
            #expect(Writers(stored).known(of: id) == writers.known(of: id))
        }
        #expect(writers.known(of: id).map(\.name) == ["2.py", "3.py", "4.py", "5.py"])
        let odd: [String: [UInt8]] = [
            "writer/": [1], "writer/zz/0": [47], "writer/\(id.hex)/9": [47, 97], "writer/\(id.hex)/0": [],
        ]
        #expect(Writers(odd).known(of: id).isEmpty)
    }
}
