import AgentClients
import HouseholdAgent

/// One device of the household.
public struct HouseholdDevice: Sendable, Hashable, Identifiable {
    /// The device's id.
    public let id: String
    /// The device's name for people.
    public let name: String
    /// Whether this is the device the game runs on.
    public let isThisDevice: Bool
    /// Whether it is connected now.
    public private(set) var isConnected: Bool
    /// Why it is not connected, where known.
    public private(set) var reason: String?

    init(_ report: DeviceReport) {
        (id, name, isThisDevice) = (report.id, report.name, report.isThisDevice)
        (isConnected, reason) = (report.connected, report.reason)
    }

    mutating func isAway(because reason: String) { (isConnected, self.reason) = (false, reason) }
}

/// The household, for games that show it. All games under one Hearth home share one household; the `hearth` command
/// shows the same.
extension ProfileStore {
    /// All devices: this one first, then the others by name.
    ///
    /// - Throws: ``StoreError``, with ``StoreError/Code/noAgent`` where no agent can be reached within 8 seconds.
    public func devices() async throws -> [HouseholdDevice] {
        try await core.askAtLeisure(DevicesRequest()).devices.map(HouseholdDevice.init)
    }

    /// Adds a device to the household: shows a code, and returns when it was typed on the other device and the two are
    /// in step, or ``PairingResult/waitsFor`` says what is waited for. The game plays on meanwhile; what the other
    /// device has comes into ``profile`` without a new start. The code is valid for five minutes and once; cancelling
    /// the task ends it.
    ///
    /// ```swift
    /// let pairing = try await saves.pair { code in await show("Type this on the other device: \(code)") }
    /// ```
    ///
    /// - Throws: ``StoreError``, with ``StoreError/Code/noAgent`` where no agent can be reached; `CancellationError`.
    public func pair(showing show: @escaping @Sendable (String) async -> Void) async throws -> PairingResult {
        let paired = try await core.askAtLeisure(PairRequest()) { await show($0.code) }
        return try await core.bringInStep(with: HouseholdDevice(paired.device))
    }

    /// Joins the household of the device that shows a code, and returns when the two are in step, or
    /// ``PairingResult/waitsFor`` says what is waited for.
    ///
    /// - Parameter address: That device's address as `host:port`, for networks in which devices cannot discover each
    ///   other.
    /// - Throws: ``StoreError``: ``StoreError/Code/value`` for an address that cannot be read,
    ///   ``StoreError/Code/agent`` for a wrong code or a device that cannot be reached.
    @discardableResult
    public func pair(with code: String, address: String? = nil) async throws -> PairingResult {
        let peer = try address.map(PeerAddress.init(named:))
        let paired = try await core.askAtLeisure(JoinRequest(code: code, address: peer))
        return try await core.bringInStep(with: HouseholdDevice(paired.device))
    }

    /// The addresses of this device that ``pair(with:address:)`` takes on the other one, the likeliest first: to be shown
    /// beside the code, for networks in which devices cannot discover each other. Empty where the agent has no network.
    ///
    /// ```swift
    /// let here = try await saves.pairingAddresses().first  // 192.168.1.20:40321
    /// show("Where the other device does not find this one, type \(here ?? "nothing") as well")
    /// ```
    ///
    /// - Throws: ``StoreError``, with ``StoreError/Code/noAgent`` where no agent can be reached.
    public func pairingAddresses() async throws -> [String] {
        let status = try await core.askAtLeisure(StatusRequest())
        guard let port = status.port.flatMap(UInt16.init(exactly:)) else { return [] }
        return core.connection.addresses(port: port)
    }

    /// Removes a device from the household for good.
    ///
    /// - Throws: ``StoreError``, with ``StoreError/Code/noAgent`` where no agent can be reached.
    public func unpair(_ device: HouseholdDevice) async throws {
        try await core.askAtLeisure(UnpairRequest(device: device.id))
    }
}

extension PeerAddress {
    /// The address in a text of the game's.
    ///
    /// - Throws: ``StoreError`` with ``StoreError/Code/value`` where it cannot be read.
    init(named text: String) throws(StoreError) {
        guard let address = PeerAddress(parsing: text) else {
            throw StoreError(.value, "\"\(text)\" is no address; write host:port")
        }
        self = address
    }
}

extension StoreCore {
    /// Makes a request that does not hold up any save, so there is no time limit: a person may be typing.
    @discardableResult
    fileprivate func askAtLeisure<Request: AgentRequest>(
        _ request: Request, onEvent: @escaping @Sendable (Request.Event) async throws -> Void = { _ in }
    ) async throws -> Request.Response {
        do {
            return try await anyLink().client.send(request, onEvent: onEvent)
        } catch let failure as AgentFailure {
            throw StoreError(failure)
        }
    }
}
