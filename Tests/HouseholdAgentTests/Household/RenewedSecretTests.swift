import HouseholdAgent
import HouseholdSimulation
import Testing

/// Who recognises whom in announcements after a device was removed.
@Suite struct RenewedSecretTests {
    private let home = Home(seed: 14)

    /// Whether a device recognises another one's announcement as one of its household.
    private func knows(_ reader: SimulatedDevice, _ other: SimulatedDevice) throws -> Bool {
        let (mine, theirs) = (try #require(reader.announced), try #require(other.announced))
        return mine.household.knows(theirs.instance, ports: [theirs.port], txt: theirs.txt)
    }

    private func remove(_ name: String, on device: SimulatedDevice) throws {
        let id = home.household.ask(UnpairRequest(device: name), on: device)
        guard case .response(is RemovedDevice)? = device.replies[id]?.last else {
            throw Home.Failure("not removed: \(device.replies[id] ?? [])")
        }
    }

    @Test func aRemovedDeviceRecognisesNobody_andNobodyRecognisesIt() throws {
        let (laptop, deck, lost) = (try home.device("laptop"), try home.device("deck"), try home.device("lost"))
        try home.pair(laptop, deck)
        try home.pair(laptop, lost)
        home.household.run(milliseconds: 10_000)
        let knewBefore = try knows(lost, laptop) && knows(laptop, lost) && knows(deck, lost)
        #expect(knewBefore)
        try remove("lost", on: laptop)
        home.household.run(milliseconds: 10_000)
        for device in [laptop, deck] {
            let isKnown = try knows(lost, device)
            let isKnowing = try knows(device, lost)
            #expect(!isKnown && !isKnowing, "\(device.name)")
        }
        let areTogether = try knows(laptop, deck) && knows(deck, laptop)
        #expect(areTogether)
    }

    /// The deck is away at the removal, for however long: no clock is asked. It is recognised when it comes back, and the
    /// removed device no more after that.
    @Test func aMemberThatWasAwayIsNotCutOff() throws {
        let (laptop, deck, lost) = (try home.device("laptop"), try home.device("deck"), try home.device("lost"))
        try home.pair(laptop, deck)
        try home.pair(laptop, lost)
        home.household.run(milliseconds: 10_000)
        for other in [laptop, lost] { home.household.part(deck, other) }
        home.household.run(milliseconds: 60_000)
        try remove("lost", on: laptop)
        home.household.run(milliseconds: 3 * 3_600_000)
        let isKnown = try knows(laptop, deck)
        let isLostKept = try knows(lost, laptop)
        #expect(isKnown && !isLostKept)
        home.household.part(deck, laptop, false)
        home.household.run(milliseconds: 120_000)
        let areTogether = try knows(laptop, deck) && knows(deck, laptop)
        let knowLost = try knows(laptop, lost) || knows(deck, lost)
        #expect(areTogether && !knowLost)
    }

    /// Two members that do not hear each other remove a device each; each removed one was told the other one's secret.
    @Test func removalsApartLeaveNoRemovedDeviceTheSecret() throws {
        let (laptop, deck) = (try home.device("laptop"), try home.device("deck"))
        let (one, two) = (try home.device("one"), try home.device("two"))
        for device in [deck, one, two] { try home.pair(laptop, device) }
        home.household.run(milliseconds: 30_000)
        home.household.part(laptop, deck)
        home.household.part(one, two)
        home.household.part(laptop, one)
        home.household.part(deck, two)
        home.household.run(milliseconds: 60_000)
        try remove("one", on: laptop)
        try remove("two", on: deck)
        home.household.run(milliseconds: 10_000)
        home.household.part(laptop, deck, false)
        home.household.run(milliseconds: 120_000)
        let areTogether = try knows(laptop, deck) && knows(deck, laptop)
        #expect(areTogether)
        for removed in [one, two] {
            let isKnowing = try knows(removed, laptop) || knows(removed, deck)
            let isKnown = try knows(laptop, removed) || knows(deck, removed)
            #expect(!isKnowing && !isKnown, "\(removed.name)")
        }
    }
}
