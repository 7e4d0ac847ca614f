import HouseholdAgent
import HouseholdSimulation
import MergeCore
import Testing

@Suite struct PairingTests {
    @Test func aWrongCodePairsNobody() throws {
        let home = Home()
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        let shown = home.household.ask(PairRequest(), on: a)
        guard let code = a.replies[shown]?.first?.message(PairingCodeMessage.self)?.code else {
            throw Home.Failure("no code")
        }
        let other = home.household.ask(PairRequest(), on: b)
        guard let wrong = b.replies[other]?.first?.message(PairingCodeMessage.self)?.code else {
            throw Home.Failure("no code")
        }
        #expect(code != wrong)
        let typed = home.household.ask(JoinRequest(code: wrong, address: home.household.address(of: a)), on: b)
        _ = home.household.run(until: { b.replies[typed]?.last?.isFinal == true })
        guard case .failure? = b.replies[typed]?.last else { throw Home.Failure("\(b.replies[typed] ?? [])") }
        #expect(a.replies[shown]?.count == 1, "the right code still stands")
        // It was not voided by the wrong guess.
        home.household.run(milliseconds: 5_000)
        let again = home.household.ask(JoinRequest(code: code, address: home.household.address(of: a)), on: b)
        _ = home.household.run(until: { b.replies[again]?.last?.isFinal == true })
        guard case .response(is PairedDevice)? = b.replies[again]?.last else {
            throw Home.Failure("\(b.replies[again] ?? [])")
        }
    }

    /// Whoever shows a code sees where the other machine reaches this one, where it does not find it by itself.
    @Test func aCodeComesWithAddresses() throws {
        let home = Home()
        let a = try home.device("laptop")
        a.trials.addresses = ["192.168.1.20", "10.0.0.2", "2001:db8::1", "2001:db8::2"]
        home.household.kill(a)
        try home.household.start(a)
        let shown = home.household.ask(PairRequest(), on: a)
        let message = try #require(a.replies[shown]?.first?.message(PairingCodeMessage.self))
        let port = home.household.address(of: a).port
        #expect(message.addresses == ["192.168.1.20:\(port)", "10.0.0.2:\(port)", "[2001:db8::1]:\(port)"])
    }

    @Test func aUsedCodeIsWorthNothing() throws {
        let home = Home()
        let (a, b, c) = (try home.device("laptop"), try home.device("deck"), try home.device("stranger"))
        let shown = home.household.ask(PairRequest(), on: a)
        guard let code = a.replies[shown]?.first?.message(PairingCodeMessage.self)?.code else {
            throw Home.Failure("no code")
        }
        for (device, expected) in [(b, true), (c, false)] {
            let typed = home.household.ask(JoinRequest(code: code, address: home.household.address(of: a)), on: device)
            _ = home.household.run(until: { device.replies[typed]?.last?.isFinal == true })
            if case .response(is PairedDevice)? = device.replies[typed]?.last {
                #expect(expected)
            } else {
                #expect(!expected)
            }
        }
    }

    @Test func aCodeExpires() throws {
        let home = Home()
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        let shown = home.household.ask(PairRequest(), on: a)
        guard let code = a.replies[shown]?.first?.message(PairingCodeMessage.self)?.code else {
            throw Home.Failure("no code")
        }
        home.household.run(milliseconds: 5 * 60_000 + 1_000)
        guard case .failure? = a.replies[shown]?.last else { throw Home.Failure("the window stayed open") }
        let typed = home.household.ask(JoinRequest(code: code, address: home.household.address(of: a)), on: b)
        _ = home.household.run(until: { b.replies[typed]?.last?.isFinal == true })
        guard case .failure? = b.replies[typed]?.last else { throw Home.Failure("an expired code paired") }
    }

    @Test func anUnpairedDeviceGetsNothing() throws {
        let home = Home()
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        let path = "/saves/player.json"
        try home.pair(a, b)
        try home.add(path, #"{"coins": 1}"#, on: a)
        try home.restore(path, on: b)
        let id = home.household.ask(UnpairRequest(device: "deck"), on: a)
        guard case .response(is RemovedDevice)? = a.replies[id]?.last else {
            throw Home.Failure("\(a.replies[id] ?? [])")
        }
        home.household.run(milliseconds: 2_000)
        home.household.save(#"{"coins": 2}"#, to: path, on: a)
        home.household.run(milliseconds: 120_000)
        #expect(home.household.text(of: path, on: b)?.contains("2") == false)
        // And a fresh code takes it back in.
        try home.pair(a, b)
        home.expect(#"{"coins": 2}"#, at: path, on: [b], within: 120_000)
    }

    /// A save holds what a device of the former household wrote. It comes along into another household, which never had
    /// that device.
    @Test func aSaveComesAlongIntoAnotherHousehold() throws {
        let home = Home(seed: 77)
        let (laptop, deck) = (try home.device("laptop"), try home.device("deck"))
        let (tv, phone) = (try home.device("tv"), try home.device("phone"))
        let path = "/saves/player.json"
        try home.pair(laptop, deck)
        try home.add(path, #"{"best":1}"#, rules: try home.rules([("/best", MergeRule(.max))]), on: laptop)
        try home.restore(path, on: deck)
        home.household.run(milliseconds: 2_000)
        home.household.save(#"{"best":5}"#, to: path, on: deck)
        home.expect(#"{"best":5}"#, at: path, on: [laptop])
        try home.pair(tv, phone)
        let id = home.household.ask(UnpairRequest(device: "deck"), on: laptop)
        guard case .response(is RemovedDevice)? = laptop.replies[id]?.last else { throw Home.Failure("not removed") }
        try home.pair(tv, laptop)
        home.household.run(milliseconds: 5_000)
        try home.restore(path, on: tv)
        home.expect(#"{"best":5}"#, at: path, on: [tv])
        home.household.save(#"{"best":6}"#, to: path, on: tv)
        home.expect(#"{"best":6}"#, at: path, on: [laptop])
        // The former device is no member of the new household, and may become one.
        let status = home.household.ask(StatusRequest(), on: tv)
        let names = tv.replies[status]?.last?.message(StatusReport.self)?.household.map(\.name)
        #expect(names?.sorted() == ["laptop", "phone"])
        let alone = home.household.ask(UnpairRequest(device: "laptop"), on: deck)
        _ = home.household.run(until: { deck.replies[alone] != nil })
        try home.pair(phone, deck)
        home.expect(#"{"best":6}"#, at: path, on: [deck], within: 120_000)
        // And nobody goes for that.
        let all = [laptop, tv, phone, deck]
        for device in all {
            let status = home.household.ask(StatusRequest(), on: device)
            let others = device.replies[status]?.last?.message(StatusReport.self)?.household.map(\.name)
            let expected = all.map(\.name).filter { $0 != device.name }
            #expect(others?.sorted() == expected.sorted(), "on \(device.name)")
        }
    }
}
