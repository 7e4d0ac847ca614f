import HearthTesting
import Testing

/// A game saves from its memory what it had read before another machine found something and took another step back. Its
/// save lacks what was found, and that was no removal.
@Suite struct OldMemoryTests {
    private let save = #"{"coins":120,"level":4,"themes":["night","day"],"friends":["Ada"],"inventory":[]}"#
    private let rules = """
        rules:
          /coins: counter
          /level: max
          /themes: union
          /friends: set
          /inventory[id]/count: counter
        """

    @Test func whatIsNewStaysThoughAStepWasTakenBack() throws {
        let home = try PlainHousehold(["laptop", "deck", "desktop"], rules: rules, save: save, seed: 2_130_489)
        home.deck.plays(.add("/coins", 1))
        home.desktop.plays(.set("/level", "13"))
        home.desktop.undoes()
        home.laptop.plays(.set(#"/inventory/[id="key"]/count"#, "1"))
        home.settle()
        home.deck.overwritesFromMemory()
        home.settle()
        #expect(home.findings.isEmpty, "\(home)")
        for device in home.devices { #expect(device.text?.contains("key") == true, "\(home)") }
    }

    @Test func aNewFriendStaysThoughAThemeWasTakenBack() throws {
        let home = try PlainHousehold(["laptop", "deck", "desktop"], rules: rules, save: save, seed: 2_014_611)
        home.deck.plays(.add("/coins", 1))
        home.laptop.plays(.insert("/friends", #""Zoe""#))
        home.laptop.plays(.insert("/themes", #""sea""#))
        home.laptop.undoes()
        home.settle()
        home.deck.overwritesFromMemory()
        home.settle()
        #expect(home.findings.isEmpty, "\(home)")
        for device in home.devices { #expect(device.text?.contains("Zoe") == true, "\(home)") }
    }

    /// Hearth guesses wrong here, and says so: the save lacks what the restore brought back, and by all that is seen its game
    /// may have removed that.
    @Test func aSaveFromBeforeARestoreMayLackWhatCameBack() throws {
        let save = """
            {"coins":120,"level":4,"themes":["day","night"],
            "inventory":[{"id":"rope","count":2,"rank":1},{"id":"lamp","count":1,"rank":3}]}
            """
        let rules = rules + "\n  /inventory[id]/rank: max\n"
        let home = try PlainHousehold(["deck", "desktop"], rules: rules, save: save, seed: 631_305)
        home.desktop.plays(.insert("/themes", #""sea""#))
        home.deck.plays(.remove(#"/inventory/[id="lamp"]"#))
        home.wait(.milliseconds(41))
        home.deck.restores(backup: 1)
        home.settle()
        home.deck.overwritesFromMemory(.add("/coins", 1))
        home.settle()
        #expect(home.findings.isEmpty, "\(home)")
    }

    /// The save is just what its game had read before the restore: nothing that came with the restore goes.
    @Test func aSaveThatIsWhatItsGameHadReadTakesOutNothing() throws {
        let home = try beforeARestore()
        home.desktop.overwritesFromMemory()
        home.settle()
        #expect(home.findings.isEmpty, "\(home)")
        for device in home.devices { #expect(device.text?.contains("Zoe") == true, "\(home)") }
    }

    /// Hearth guesses wrong here as well, and says so: measured against what its game had read, what it wrote would be put
    /// aside.
    @Test func aSaveFromBeforeARestoreWithARecordOfItsOwn() throws {
        let home = try beforeARestore()
        home.desktop.overwritesFromMemory(.set("/best", "8"))
        home.settle()
        #expect(home.findings.isEmpty, "\(home)")
    }

    /// A friend came in on all devices, and one of them restored a backup since.
    private func beforeARestore() throws -> PlainHousehold {
        let home = try PlainHousehold(
            ["laptop", "deck", "desktop"], rules: PlantedFaultTests.rules, save: PlantedFaultTests.save, seed: 1_370)
        home.deck.plays(.insert("/friends", #""Zoe""#))
        home.desktop.plays(.add(#"/crew/[id="oak"]/xp"#, 1))
        home.settle()
        home.laptop.plays(.insert("/friends", #""Max""#))
        home.laptop.restores(backup: 0)
        home.laptop.plays(.set("/level", "10"))
        home.settle()
        return home
    }
}
