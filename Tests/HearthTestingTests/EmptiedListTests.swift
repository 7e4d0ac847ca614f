import Testing

@testable import HearthTesting

/// A game removes the last element of a keyed list, so that an empty list is left, while another device changes that element.
@Suite struct EmptiedListTests {
    private let rules = "rules:\n  /coins: counter\n  /crew[id]/xp: counter\n"
    private let save = #"{"coins":1,"a":1,"b":2,"c":3,"d":4,"crew":[{"id":"oak","xp":4},{"id":"elm","xp":9}]}"#

    @Test func anElementThatAnotherDeviceChangedIsBack_andThatIsRight() throws {
        let home = try PlainHousehold(["deck", "desktop"], rules: rules, save: save, seed: 5_090)
        home.deck.overwritesFromMemory(.add(#"/crew/[id="oak"]/xp"#, 1))
        home.desktop.plays(.remove(#"/crew/[id="oak"]"#))
        home.desktop.plays(.remove(#"/crew/[id="elm"]"#))
        home.settle()
        #expect(home.findings.isEmpty, "\(home)")
        for device in home.devices { #expect(device.text?.hasSuffix(#""crew":[{"id":"oak","xp":5}]}"#) == true) }
    }

    @Test func removedBySeveralDevices() throws {
        let home = try PlainHousehold(["laptop", "desktop"], rules: rules, save: save, seed: 808)
        home.desktop.plays(.remove(#"/crew/[id="elm"]"#))
        home.wait(.seconds(1))
        home.laptop.plays(.remove(#"/crew/[id="oak"]"#))
        home.desktop.plays(.add(#"/crew/[id="oak"]/xp"#, 1))
        home.settle()
        #expect(home.findings.isEmpty, "\(home)")
    }

    /// A game puts something without a key where a keyed list was. Its file keeps that, and its device says so, also after the
    /// player answered: no other file can hold it.
    @Test func filledWithSomethingElse() throws {
        let home = try PlainHousehold(["laptop", "desktop"], rules: rules, save: save, seed: 13_894)
        home.laptop.plays(.remove(#"/crew/[id="oak"]"#))
        home.desktop.plays(.remove(#"/crew/[id="elm"]"#))
        home.desktop.plays(.set("/crew", "[5]"))
        home.settle()
        #expect(home.findings.isEmpty, "\(home)")
        #expect(home.desktop.text?.hasSuffix(#""crew":[5]}"#) == true)
        let isSaid = home.timeline.entries.contains { $0.text.hasPrefix("cannot be read: /crew") }
        #expect(isSaid, "\(home)")
    }
}
