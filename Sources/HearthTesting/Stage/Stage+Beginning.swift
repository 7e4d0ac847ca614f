import HouseholdAgent
import HouseholdSimulation
import MergeCore

/// How a household comes together.
extension Stage {
    /// Pairs the devices, adds the save on the first one, and restores it on all others.
    func bringTogether() throws(StageFault) {
        // The others count only so many devices that one brings into the household.
        for other in devices.indices.dropFirst() { try pair(max(0, other - Self.broughtIn), other) }
        home.save(String(decoding: game.beginning, as: UTF8.self), to: Self.path, on: devices[0])
        let add = AddRequest(path: Self.path, name: Self.name, rules: game.rules)
        try expect("the save was not taken", ask(add, on: 0))
        home.run(milliseconds: 10_000)
        for other in devices.indices.dropFirst() {
            try expect(
                "\(names[other]) did not get the save",
                ask(RestoreRequest(profile: Self.name, path: Self.path), on: other))
        }
        home.run(milliseconds: 60_000)
        // A save that holds nothing yet is written nowhere else: its game begins it on each device.
        for device in devices.indices where text(device) == nil {
            home.save(String(decoding: game.beginning, as: UTF8.self), to: Self.path, on: devices[device])
            home.run(milliseconds: 10_000)
        }
        rest()
    }

    /// How many devices one brings in at most, before the next one does.
    private static let broughtIn = 32

    /// Notes how everything is while it is quiet, so that what follows is judged by that.
    func rest() {
        let unsettled = round.unjudged.isEmpty ? [] : devices.indices.flatMap { self.unsettled($0) }
        round = round.next(
            before: devices.indices.map { save($0) },
            wrongClocks: Set(devices.indices.filter { devices[$0].skew != .zero }))
        round.unjudged = Set(unsettled.map(\.rule))
        records = devices.map(\.record.copy)
        look()
        for device in devices.indices {
            guard let last = contents[device].lastIndex(where: \.isSave) else { continue }
            contents[device].removeFirst(last)
        }
    }

    func expect(_ what: String, _ reply: AgentReply?) throws(StageFault) {
        switch reply {
        case .response?: return
        case .failure(_, let why)?: throw StageFault("\(what): \(why)")
        case .event?, nil: throw StageFault("\(what): there was no answer")
        }
    }

    func pair(_ one: Int, _ other: Int) throws(StageFault) {
        let shown = home.ask(PairRequest(), on: devices[one])
        guard let code = devices[one].replies[shown]?.first?.message(PairingCodeMessage.self)?.code else {
            throw StageFault("\(names[one]) showed no code")
        }
        let address = home.address(of: devices[one])
        try expect("\(names[other]) was not paired", ask(JoinRequest(code: code, address: address), on: other))
        home.run(milliseconds: 1_000)
    }
}
