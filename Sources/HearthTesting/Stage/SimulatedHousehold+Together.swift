import HouseholdAgent
import HouseholdSimulation
import MergeCore

/// How a household comes together.
extension SimulatedHousehold {
    /// How many devices one brings in at most, before the next one does: the others count no more.
    private static let broughtIn = 32

    /// A household whose devices are paired, and that all have a game's save: it is added on the first one and restored
    /// on the others.
    ///
    /// - Throws: ``StageFault`` where the game's save cannot be kept at all.
    static func together(
        _ game: SimulatedGame, _ names: [String], seed: UInt64
    ) throws(StageFault) -> SimulatedHousehold {
        try StageFault.check(names)
        let home = SimulatedHousehold(seed: seed)
        home.keepsTrace = false
        let devices: [SimulatedDevice]
        do {
            devices = try names.map { try home.addDevice($0, sharesPower: true, findsOthers: true) }
        } catch {
            throw StageFault("the household cannot be made: \(error)")
        }
        for other in devices.indices.dropFirst() {
            try home.pair(devices[max(0, other - broughtIn)], with: devices[other])
        }
        let beginning = String(decoding: game.beginning, as: UTF8.self)
        home.save(beginning, to: Stage.path, on: devices[0])
        try home.expect(
            "the save was not taken", of: AddRequest(path: Stage.path, name: Stage.name, rules: game.rules),
            on: devices[0])
        home.run(milliseconds: 10_000)
        for other in devices.dropFirst() {
            try home.expect(
                "\(other.name) did not get the save", of: RestoreRequest(profile: Stage.name, path: Stage.path),
                on: other)
        }
        home.run(milliseconds: 60_000)
        // A save that holds nothing yet is written nowhere else: its game begins it on each device.
        for device in devices where device.files.bytes(at: Stage.path) == nil {
            home.save(beginning, to: Stage.path, on: device)
            home.run(milliseconds: 10_000)
        }
        return home
    }

    /// Asks a device's agent, and lets time pass until it has answered; `nil` where it is off, sleeps, or does not answer.
    func answer(to request: any AgentRequest, on device: SimulatedDevice) -> AgentReply? {
        guard device.isRunning, !device.isAsleep else { return nil }
        let id = ask(request, on: device)
        _ = run(until: { device.replies[id]?.last?.isFinal == true || !device.isRunning })
        return device.replies[id]?.last
    }

    /// Asks a device's agent something that it has to do.
    ///
    /// - Throws: What was not done, and why.
    func expect(_ what: String, of request: any AgentRequest, on device: SimulatedDevice) throws(StageFault) {
        switch answer(to: request, on: device) {
        case .response?: return
        case .failure(_, let why)?: throw StageFault("\(what): \(why)")
        case .event?, nil: throw StageFault("\(what): there was no answer")
        }
    }

    /// Pairs two devices by a code that one of them shows.
    func pair(_ one: SimulatedDevice, with other: SimulatedDevice) throws(StageFault) {
        let shown = ask(PairRequest(), on: one)
        guard let code = one.replies[shown]?.first?.message(PairingCodeMessage.self)?.code else {
            throw StageFault("\(one.name) showed no code")
        }
        try expect(
            "\(other.name) was not paired", of: JoinRequest(code: code, address: address(of: one)), on: other)
        run(milliseconds: 1_000)
    }
}
