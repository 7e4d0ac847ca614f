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
}
