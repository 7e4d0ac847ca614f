import HouseholdAgent
import HouseholdSimulation
import MergeCore
import ProfileKeeping
import Testing

/// Saves that hold exactly what had come in.
extension WriterTests {
    /// It comes by exactly what had come in: the same bytes. A copy from elsewhere looks the same, so nothing counts until
    /// it saves again, and status says so, once.
    @Test func theSameBytesAgainAreSaid() throws {
        let world = try household()
        world.earnElsewhere(500)
        world.save(500)
        world.home.expect(purse(500), at: path, on: [world.a, world.b])
        #expect(world.profile?.remark?.contains("exactly what had come in") == true, "\(world.profile as Any)")
        let short = world.profile?.remarks?.first ?? ""
        #expect(short.hasPrefix("its last save holds exactly what had come in, so it was taken for a copy"), "\(short)")
        _ = try world.home.reply(to: KeepRequest(profile: "game"), on: world.a)
        world.save(500)
        #expect(world.profile?.remark == nil, "it is said once")
        world.save(507, isCaught: true)
        world.home.expect(purse(907), at: path, on: [world.a, world.b])
    }

    /// A game that has read the file, and a file of which only names or permissions changed, say nothing.
    @Test func theSameBytesByWhoHadReadThemAreNothing() throws {
        let world = try household()
        world.earnElsewhere(500)
        _ = world.home.household.read(path, by: world.game, on: world.a)
        world.save(500)
        world.home.household.hear(.written, at: path, on: world.a)
        world.expectKnown(500)
    }

    /// The game had not read what came in, and earned nearly the same, beside which it beat the same boss. Where it was
    /// caught writing, its play is its own. Both ways it is a guess, which is said: the save is very like what came in.
    @Test(arguments: [true, false]) func whatAGameThatRunsOnEarnsIsItsOwn(isCaught: Bool) throws {
        let (home, a, b, game) = try bosses()
        home.household.save(text(1860, 5100, true), to: path, by: game, isCaught: isCaught, on: a)
        home.household.run(milliseconds: 8_000)
        let remark = try home.profile(on: a).remark
        if isCaught {
            home.expect(text(1960, 5200, true), at: path, on: [a, b])
            #expect(remark?.contains("which the program that wrote it has not opened here") == true, "\(remark ?? "")")
            return
        }
        #expect(remark?.contains("though no program here has opened it") == true)
    }

    /// The same, and it came by the very same bytes. That is taken for a copy, and every counter that is open is named.
    @Test(arguments: [true, false]) func theSameBytesNameEachCounter(isCaught: Bool) throws {
        let (home, a, b, game) = try bosses()
        home.household.save(text(1900, 5100, true), to: path, by: game, isCaught: isCaught, on: a)
        home.household.run(milliseconds: 8_000)
        home.expect(text(1900, 5100, true), at: path, on: [a, b])
        let remark = try home.profile(on: a).remark ?? ""
        #expect(remark.contains("what the game earned or spent at /coins, /earned counts only"), "\(remark)")
    }

    private func text(_ coins: Int, _ earned: Int, _ boss: Bool) -> String {
        #"{"coins":\#(coins),"earned":\#(earned),"boss":\#(boss)}"#
    }

    /// A game that runs on the first of two devices and has read its save, before the second device's first boss came in.
    private func bosses() throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice, game: SeenProcess) {
        let home = Home(seed: 22)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        a.programs.tellOpens()
        try home.pair(a, b)
        let rules = try home.rules([
            ("/coins", MergeRule(.counter)), ("/earned", MergeRule(.counter)), ("/boss", MergeRule(.flag)),
        ])
        try home.add(path, text(1800, 5000, false), rules: rules, on: a)
        try home.restore(path, on: b)
        home.household.run(milliseconds: 5_000)
        let game = home.household.launch(Program(executable: "/opt/rpg/rpg")!, on: a)
        _ = home.household.read(path, by: game, on: a)
        home.household.run(milliseconds: 10_000)
        home.household.save(text(1900, 5100, true), to: path, on: b)
        home.expect(text(1900, 5100, true), at: path, on: [a])
        home.household.run(milliseconds: 8_000)
        return (home, a, b, game)
    }
}
