import HouseholdAgent
import HouseholdSimulation
import MergeCore
import ProfileKeeping
import Testing

/// What `hearth doctor` says where a link is no proof that all is well with the other machine, and its end none that the
/// two are strangers.
extension DoctorTests {
    /// The deck has no room for what the laptop sends, and hangs up; both say so, and neither that they are to be paired
    /// again.
    @Test func aDiskThatIsFullIsNotBlamedOnThePairing() throws {
        let (home, a, b) = try household()
        b.record.power.setHook { operation throws(StorageFault) in
            if operation == .commit { throw StorageFault(.noSpace, "the disk is full; free some space") }
        }
        home.play(#"{"coins":150}"#, at: path, on: a)
        for (device, other, words) in [
            (a, "deck", "it cannot store what comes in"), (b, "laptop", "cannot be stored here"),
        ] {
            let links = faults(try doctor(home, on: device)).filter { $0.about == other }
            #expect(
                links.count == 1 && links.allSatisfy { $0.kind == "link" && $0.sentence.contains(words) }, "\(links)")
        }
        b.record.power.setHook(nil)
        home.expect(#"{"coins":150}"#, at: path, on: [a, b])
        #expect(try doctor(home, on: a).ok && doctor(home, on: b).ok)
    }

    /// The player named an address at which nobody is. Where another machine cannot be reached, that may be why.
    @Test func anAddressThatWasNamedAndLeadsNowhereIsNamed() throws {
        let (home, a, b) = try household()
        home.household.kill(b)
        let mistyped = PeerAddress(host: "10.0.0.99", port: 4_999)
        b.peers = [mistyped]
        try home.household.start(b)
        home.household.run(milliseconds: 5_000)
        #expect(try faults(doctor(home, on: b)).allSatisfy { $0.kind != "peer" }, "all machines are there")
        home.household.kill(a)
        home.household.run(milliseconds: 60_000)
        let found = faults(try doctor(home, on: b))
        let named = found.filter { $0.kind == "peer" }
        #expect(named.count == 1 && named.first?.about == nil, "\(found)")
        #expect(named.first?.sentence.hasPrefix("at \(mistyped), which was named when") == true, "\(found)")
        #expect(found.contains { $0.about == "laptop" }, "\(found)")
    }

    /// A machine is unplugged. Until a third one notices, it passes on what that machine said last.
    @Test func aMachineThatDoesNotAnswerHereIsNotCalledConnected() throws {
        let home = Home(seed: 16)
        let devices = try ["laptop", "deck", "desk"].map { try home.household.addDevice($0, findsOthers: true) }
        let (a, b, c) = (devices[0], devices[1], devices[2])
        try home.pair(a, b)
        try home.pair(a, c)
        try home.add(path, #"{"coins":100}"#, rules: home.rules([("/coins", MergeRule(.counter))]), on: a)
        for device in [b, c] { try home.restore(path, on: device) }
        home.household.run(milliseconds: 5_000)
        #expect(try doctor(home, on: a).ok)
        for device in [a, b] { home.household.mute(device, c) }
        home.household.save(#"{"coins":150}"#, to: path, on: a)
        home.household.run(milliseconds: 1_000)
        for _ in 0..<3 {
            let found = faults(try doctor(home, on: a))
            #expect(found.map(\.kind) == ["silent"] && found.first?.about == "desk", "\(found)")
            home.household.run(milliseconds: 2_000)
        }
    }
}
