/// Two paired devices, over loopback.
final class Household: Sendable {
    let laptop: Device
    let deck: Device

    init() throws { (laptop, deck) = (try Device("laptop"), try Device("deck")) }

    /// Pairs them, and runs the body while both agents run.
    static func paired(_ body: (Household) async throws -> Void) async throws {
        let household = try Household()
        try await household.together(pairing: true) { try await body(household) }
    }

    /// Runs the body while both agents run. Before and after, the devices are apart.
    func together(pairing: Bool = false, _ body: () async throws -> Void) async throws {
        try await laptop.withAgent { port in
            try await deck.withAgent(peers: [port]) { _ in
                if pairing { try await laptop.pair(with: deck, port: port) }
                try await body()
            }
        }
    }
}

/// The same for a body that needs only the two devices.
func withHousehold(_ body: (Device, Device) async throws -> Void) async throws {
    try await Household.paired { try await body($0.laptop, $0.deck) }
}
