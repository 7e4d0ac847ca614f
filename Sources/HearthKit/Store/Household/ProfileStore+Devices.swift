import HouseholdAgent

/// One device of the player's household.
public struct HouseholdDevice: Sendable, Hashable, Identifiable {
    /// The device's id.
    public let id: String
    /// What people call it.
    public let name: String
    /// Whether it is the one this game runs on.
    public let isThisDevice: Bool
    /// Whether it is connected at the moment.
    public let isConnected: Bool
    /// Why it is not connected, where that is known.
    public let reason: String?

    init(_ report: DeviceReport) {
        (id, name, isThisDevice) = (report.id, report.name, report.isThisDevice)
        (isConnected, reason) = (report.connected, report.reason)
    }
}

/// The household, for games that have a page for it. All games of a home share one; the `hearth` command does the same.
extension ProfileStore {
    /// This device first, then the others by name.
    public func devices() async throws -> [HouseholdDevice] {
        try await core.askAtLeisure(DevicesRequest()).devices.map(HouseholdDevice.init)
    }

    /// Takes a device in: shows a code, and returns once it was typed on the other device. Cancelling takes the code
    /// back; after five minutes it is worth nothing.
    ///
    /// ```swift
    /// let device = try await saves.pair { code in await show("Type this on the other device: \(code)") }
    /// ```
    public func pair(showing show: @escaping @Sendable (String) async -> Void) async throws -> HouseholdDevice {
        HouseholdDevice(try await core.askAtLeisure(PairRequest()) { await show($0.code) }.device)
    }

    /// Joins the household of the device that shows a code.
    ///
    /// - Parameter address: Where that device is, as `host:port`, in networks where devices do not see one another.
    @discardableResult
    public func pair(with code: String, address: String? = nil) async throws -> HouseholdDevice {
        var peer: PeerAddress?
        if let address {
            peer = PeerAddress(parsing: address)
            guard peer != nil else { throw StoreError(.value, "\"\(address)\" is no address; write host:port") }
        }
        return HouseholdDevice(try await core.askAtLeisure(JoinRequest(code: code, address: peer)).device)
    }

    /// Puts a device out of the household, for good.
    public func unpair(_ device: HouseholdDevice) async throws {
        try await core.askAtLeisure(UnpairRequest(device: device.id))
    }
}

extension StoreCore {
    /// Asks for something that no save has to wait for, so that people may take their time.
    @discardableResult
    fileprivate func askAtLeisure<Request: AgentRequest>(
        _ request: Request, onEvent: @Sendable (Request.Event) async throws -> Void = { _ in }
    ) async throws -> Request.Response {
        do {
            return try await anyLink().client.send(request, onEvent: onEvent)
        } catch let failure as AgentFailure {
            throw StoreError(failure)
        }
    }
}
