import SyncProtocol

/// A code that was typed on this device, and the search for the device that shows it.
struct TypedCode {
    /// Milliseconds for which the device that shows the code is looked for.
    static let patience: Int64 = 30_000
    /// Milliseconds after which the search ends where every device that was tried has refused the code.
    static let grace: Int64 = 3_000
    /// Milliseconds before an address is tried again that closed without a reason: it may slow guesses down, or may be
    /// about to show its code.
    static let retryInterval: Int64 = 1_500
    /// Milliseconds for which a code is tried at an address that the player gave.
    static let givenPatience: Int64 = 8_000

    let code: PairingCode
    /// Whether the player gave the address.
    let isAddressGiven: Bool
    /// The reason that a device gave for its refusal.
    private(set) var verdict: String?
    /// The reason why the last try failed.
    private(set) var lastReason: String?
    /// The dial that is under way.
    private(set) var dial: (connection: ConnectionID, address: PeerAddress)?
    private var queue: [PeerAddress] = []
    private var seen: Set<PeerAddress> = []
    private var retries: [(address: PeerAddress, at: Int64)] = []
    private let started: Int64

    init(_ code: PairingCode, at addresses: [PeerAddress], isAddressGiven: Bool, now: Int64) {
        (self.code, self.isAddressGiven, started) = (code, isAddressGiven, now)
        add(addresses)
    }

    /// Adds addresses to try; each address is added once.
    mutating func add(_ addresses: [PeerAddress]) {
        for address in addresses where seen.insert(address).inserted { queue.append(address) }
    }

    /// The next address to dial; `nil` while one is being dialled or none is due. It must be followed by ``dialling``.
    mutating func takeNext(now: Int64) -> PeerAddress? {
        guard dial == nil else { return nil }
        queue += retries.filter { $0.at <= now }.map(\.address)
        retries.removeAll { $0.at <= now }
        return queue.isEmpty ? nil : queue.removeFirst()
    }

    mutating func dialling(_ address: PeerAddress, as connection: ConnectionID) { dial = (connection, address) }

    /// Notes that the current try failed.
    ///
    /// - Parameter isVerdict: Whether the other device gave a reason, so that asking it again is no use.
    mutating func failed(_ reason: String, isVerdict: Bool, now: Int64) {
        guard let tried = dial else { return }
        (dial, lastReason) = (nil, reason)
        if isVerdict {
            verdict = reason
        } else {
            retries.append((tried.address, now + Self.retryInterval))
        }
    }

    /// The time at which the search ends.
    private var end: Int64 {
        if isAddressGiven { return started + (retries.isEmpty ? 0 : Self.givenPatience) }
        return started + (lastReason == nil || !retries.isEmpty ? Self.patience : Self.grace)
    }

    func isOver(now: Int64) -> Bool { dial == nil && queue.isEmpty && now >= end }

    /// The time of the next step; `nil` while an address is being dialled.
    var deadline: Int64? { dial == nil ? min(end, retries.map(\.at).min() ?? .max) : nil }
}
