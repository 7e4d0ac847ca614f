import HouseholdSimulation
import MergeCore
import ProfileKeeping
import Testing

@testable import HouseholdAgent

/// When another machine was seen last, and how it was found.
@Suite struct LastSeenTests {
    @Test func aMachineThatIsGoneWasSeenWhenItWasHeardLast() throws {
        let home = Home()
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        home.household.run(milliseconds: 60_000)
        let linked = try #require(try home.status(on: a).household.first)
        #expect(linked.connected && linked.lastSeen == nil && linked.found != nil)

        home.household.kill(b)
        let gone = home.household.date(on: a).milliseconds
        home.household.run(milliseconds: 600_000)
        let away = try #require(try home.status(on: a).household.first)
        let seen = try #require(away.lastSeen)
        #expect(!away.connected && away.found == nil)
        // An agent that has nothing to say says at least that it is there, every half a minute.
        #expect((gone - 31_000...gone + 1_000).contains(seen), "\(gone - seen) ms before")

        // The record knows it.
        home.household.kill(a)
        try home.household.start(a)
        #expect(try home.status(on: a).household.first?.lastSeen == seen)
    }

    @Test func timesAreStoredAtAnEndAndOnceAnHour() throws {
        let deck = try #require(DeviceID(hex: "0123456789abcdef0123456789abcdef"))
        var seen = LastSeen([:], members: [])
        func stores(_ seen: inout LastSeen) -> Bool { !seen.takeUnstored().isEmpty }
        seen.heard(deck, at: 1_000)
        #expect(stores(&seen), "nothing is stored yet")
        seen.heard(deck, at: 60_000)
        #expect(!stores(&seen))
        seen.ended(deck)
        #expect(stores(&seen))
        seen.ended(deck)
        #expect(!stores(&seen), "nothing has changed")
        seen.heard(deck, at: 3_660_000)
        #expect(stores(&seen))
        seen.heard(deck, at: 5)
        let notes = seen.takeUnstored()
        #expect(!notes.isEmpty, "the clock was set back")
        let read = LastSeen(notes.changes.compactMapValues(\.self), members: [deck])
        #expect(read[deck] == 5)
        let odd = ["last-seen/\(deck.hex)": Array("soon".utf8), "last-seen/odd": [0x35]]
        #expect(LastSeen(odd, members: [deck])[deck] == nil)
    }

    /// The record keeps no time of a device that left, and none that cannot be read.
    @Test func aDeviceThatLeftIsForgotten() throws {
        let deck = try #require(DeviceID(hex: "0123456789abcdef0123456789abcdef"))
        let key = "last-seen/\(deck.hex)"
        var seen = LastSeen([key: Array("7".utf8), "last-seen/odd": [0x35]], members: [])
        #expect(seen[deck] == nil)
        #expect(seen.takeUnstored() == NoteChange([key: nil, "last-seen/odd": nil]))
        #expect(seen.takeUnstored().isEmpty)
        var kept = LastSeen([key: Array("7".utf8)], members: [deck])
        #expect(kept[deck] == 7 && kept.takeUnstored().isEmpty)
    }
}
