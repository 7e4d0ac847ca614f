import HouseholdAgent
import HouseholdSimulation
import MergeCore
import Testing

/// A simulated household with the moves that most tests make.
struct Home {
    let household: SimulatedHousehold

    /// - Parameter loadedProfiles: How many profiles a device keeps in memory whole. None, so that every test also shows
    ///   that what was let go comes back as it was.
    init(seed: UInt64 = 1, loadedProfiles: Int = 0) {
        household = SimulatedHousehold(seed: seed)
        household.loadedProfiles = loadedProfiles
    }

    /// A household of two, the laptop and the deck: paired, and both have a save at the same path.
    ///
    /// - Parameter rules: `nil` for none.
    static func sharing(
        _ text: String, at path: String, rules: [(String, MergeRule)]? = nil, seed: UInt64
    ) throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let home = Home(seed: seed)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        try home.add(path, text, rules: try rules.map { try home.rules($0) }, on: a)
        try home.restore(path, on: b)
        home.household.run(milliseconds: 5_000)
        return (home, a, b)
    }

    func device(_ name: String) throws -> SimulatedDevice { try household.addDevice(name) }

    func rules(_ lines: [(String, MergeRule)]) throws -> RuleSet {
        try RuleSet(lines.map { RuleSet.Entry(try RulePattern(parsing: $0.0), $0.1) })
    }

    func pair(_ a: SimulatedDevice, _ b: SimulatedDevice) throws { try household.pair(a, b) }

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

    /// Asks a device, and waits for its answer.
    func reply(to request: any AgentRequest, on device: SimulatedDevice) throws -> AgentReply {
        let id = household.ask(request, on: device)
        _ = household.run(until: { device.replies[id] != nil })
        return try #require(device.replies[id]?.last)
    }

    func status(on device: SimulatedDevice) throws -> StatusReport {
        try #require(try reply(to: StatusRequest(), on: device).message(StatusReport.self))
    }

    /// What status says of the first save, which is the only one in most tests.
    func profile(on device: SimulatedDevice) throws -> ProfileReport {
        try #require(try status(on: device).profiles.first)
    }

    /// A game saves, and everybody has the time to take that in.
    func play(_ text: String, at path: String, on device: SimulatedDevice) {
        household.save(text, to: path, on: device)
        household.run(milliseconds: 5_000)
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
