import HearthTesting
import Testing

/// A device that was asleep gets all at once what the others sent meanwhile. What passed through its file then was read by
/// no game.
@Suite struct WakeTests {
    /// - Parameter isMorePlayed: Whether more comes in that all these states have.
    @Test(arguments: [false, true]) func whatPassedThroughTheFileWasNotRead(isMorePlayed: Bool) throws {
        let home = try PlainHousehold(
            ["laptop", "deck", "desktop"], rules: PlantedFaultTests.rules, save: PlantedFaultTests.save, seed: 51_381)
        if isMorePlayed {
            home.desktop.plays(.set("/level", "8"), .set("/best", "11"), .add("/score", 1))
        } else {
            home.desktop.plays(.set("/level", "8"))
        }
        home.desktop.plays(.take("/friends", #""Bo""#))
        home.laptop.sleeps()
        home.deck.plays(.add("/coins", 1))
        home.desktop.undoes()
        home.wait(.milliseconds(44_555))
        home.settle()
        home.laptop.plays(.take("/friends", #""Bo""#))
        home.deck.plays(.add("/coins", 1))
        home.settle()
        #expect(home.findings.isEmpty, "\(home)")
        for device in home.devices { #expect(device.text?.contains(#""coins":102"#) == true, "\(home)") }
    }

    /// A save is set aside, and its game goes on at once from the file that Hearth put back. That was there for a moment only,
    /// as what others sent follows, and what it still saves from memory later is measured against it.
    @Test func whatAGameReadAtOnceStaysItsBase() throws {
        let home = try PlainHousehold(
            ["laptop", "deck", "desktop"], rules: PlantedFaultTests.rules, save: PlantedFaultTests.save, seed: 143_353)
        home.desktop.plays(.insert("/friends", #""Zoe""#))
        home.deck.plays(.set("/best", "16"))
        home.laptop.plays(.add("/coins", -1))
        home.deck.plays(.set("/best", "9"), .add(#"/crew/[id="elm"]/xp"#, -1), .set("/done", "true"))
        home.deck.plays(.set("/done", "true"))
        home.settle()
        home.deck.overwritesFromMemory()
        home.settle()
        #expect(home.findings.isEmpty, "\(home)")
    }
}
