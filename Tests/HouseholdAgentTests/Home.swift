import HouseholdAgent
import HouseholdSimulation
import MergeCore
import Testing

/// A simulated household with the moves that most tests make.
struct Home {
    let household: SimulatedHousehold

    init(seed: UInt64 = 1) { household = SimulatedHousehold(seed: seed) }

    func device(_ name: String) throws -> SimulatedDevice { try household.addDevice(name) }

    func rules(_ lines: [(String, MergeRule)]) throws -> RuleSet {
        try RuleSet(lines.map { RuleSet.Entry(try RulePattern(parsing: $0.0), $0.1) })
    }

    /// Pairs two devices by code, for real.
    func pair(_ a: SimulatedDevice, _ b: SimulatedDevice) throws {
        let shown = household.ask(PairRequest(), on: a)
        guard let code = a.replies[shown]?.first?.message(PairingCodeMessage.self)?.code else {
            throw Failure("no code was shown: \(a.replies[shown] ?? [])")
        }
        let typed = household.ask(JoinRequest(code: code, address: household.address(of: a)), on: b)
        let done = household.run(until: {
            if case .response(is PairedDevice)? = b.replies[typed]?.last,
                case .response(is PairedDevice)? = a.replies[shown]?.last
            {
                true
            } else {
                false
            }
        })
        guard done else { throw Failure("not paired: \(a.replies[shown] ?? []) \(b.replies[typed] ?? [])") }
    }

    func add(
        _ path: String, _ text: String, rules: RuleSet? = nil, name: String = "game", on device: SimulatedDevice
    ) throws {
        household.save(text, to: path, on: device)
        let id = household.ask(AddRequest(path: path, name: name, rules: rules), on: device)
        guard case .response(is ProfileAnswer)? = device.replies[id]?.last else {
            throw Failure("not added: \(device.replies[id] ?? [])")
        }
    }

    func restore(_ path: String, on device: SimulatedDevice) throws {
        let id = household.ask(RestoreRequest(profile: "game", path: path), on: device)
        _ = household.run(until: { device.replies[id] != nil })
        guard case .response(is ProfileAnswer)? = device.replies[id]?.last else {
            throw Failure("not restored: \(device.replies[id] ?? [])")
        }
    }

    /// Runs until both files read so, or fails.
    func expect(
        _ text: String, at path: String, on devices: [SimulatedDevice], within milliseconds: Int64 = 60_000,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let done = household.run(
            until: { devices.allSatisfy { household.text(of: path, on: $0) == text } }, within: milliseconds)
        if !done {
            for device in devices {
                #expect(
                    household.text(of: path, on: device) == text,
                    "on \(device.name)",
                    sourceLocation: sourceLocation
                )
            }
        }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }
}
