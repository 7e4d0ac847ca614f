import HearthTesting
import Testing

/// A device starts with an old record while its disk is full, so that it cannot store that it writes as another replica.
@Suite struct OldRecordTests {
    /// What its file holds is no play of its own, and does not count twice once the disk has room.
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
}
