import HearthTesting
import Testing

/// A device starts with an old record, or with none.
@Suite struct OldRecordTests {
    /// Its disk is full, so that it cannot store that it writes as another replica. What its file holds is no play of its
    /// own, and does not count twice once the disk has room.
    @Test func whatItHadTakenInCountsOnce() throws {
        let rules = "rules:\n  /done: flag\n  /crew[id]/xp: counter\n"
        let save = #"{"a":1,"b":2,"c":3,"done":false,"crew":[{"id":"oak","xp":4},{"id":"elm","xp":9}]}"#
        let home = try PlainHousehold(["laptop", "deck", "desktop"], rules: rules, save: save, seed: 4142)
        home.deck.plays(.add(#"/crew/[id="elm"]/xp"#, -1))
        home.desktop.plays(.set("/done", "true"))
        home.wait(.milliseconds(159))
        home.partition("laptop", "desktop")
        home.desktop.fillsDisk()
        home.desktop.startsWithOldRecord()
        home.desktop.freesDisk()
        home.heal()
        home.settle()
        #expect(home.findings.isEmpty, "\(home)")
        for device in home.devices { #expect(device.text?.contains(#"{"id":"elm","xp":8}"#) == true, "\(home)") }
    }

    /// A device whose record is gone brings its file in again, while another one removes something: the two agree.
    @Test func whatIsBroughtAgainMeetsARemoval() throws {
        let home = try PlainHousehold(
            ["laptop", "desktop"], rules: PlantedFaultTests.rules, save: PlantedFaultTests.save, seed: 14_561)
        home.desktop.losesRecord()
        home.desktop.joinsAgain()
        home.laptop.plays(.remove(#"/crew/[id="oak"]"#))
        home.settle()
        #expect(home.findings.isEmpty, "\(home)")
    }

    /// A device loses its record just after it has started with an old one: what that agent had begun to dial ends with it,
    /// and the device is paired again.
    @Test func aRecordIsLostWhileItsAgentDials() throws {
        let home = try PlainHousehold(
            ["laptop", "deck", "desktop"], rules: PlantedFaultTests.rules, save: PlantedFaultTests.save, seed: 141_806)
        home.deck.plays(.set("/done", "true"))
        home.laptop.plays(.set("/level", "8"))
        home.settle()
        home.laptop.plays(.insert("/friends", #""Zoe""#))
        home.deck.startsWithOldRecord()
        home.deck.losesRecord()
        home.partition("desktop", "deck")
        home.settle()
        #expect(home.findings.isEmpty, "\(home)")
    }
}
