import SyncProtocol

/// A code that was typed on this device, and where the device is looked for that shows it.
struct TypedCode {
    /// Milliseconds the device that shows the code is looked for.
    static let patience: Int64 = 30_000
    /// Milliseconds after which a code that was refused everywhere is looked for no more.
    static let grace: Int64 = 3_000
    /// Milliseconds before an address is tried again that closed without a word: it may slow guesses down, or its code
    /// may be about to be shown.
    static let retryInterval: Int64 = 1_500
    /// Milliseconds a code is tried at an address that was given.
    static let givenPatience: Int64 = 8_000

    let code: PairingCode
    /// Whether the player said where to look.
    let isAddressGiven: Bool
    /// Why a device that was asked said no.
    private(set) var verdict: String?
    /// Why the last try came to nothing.
    private(set) var lastReason: String?
    /// What is being tried.
    private(set) var dial: (connection: ConnectionID, address: PeerAddress)?
    private var queue: [PeerAddress] = []
    private var seen: Set<PeerAddress> = []
    private var retries: [(address: PeerAddress, at: Int64)] = []
    private let started: Int64

    init(_ code: PairingCode, at addresses: [PeerAddress], isAddressGiven: Bool, now: Int64) {
        (self.code, self.isAddressGiven, started) = (code, isAddressGiven, now)
        add(addresses)
    }

    /// Addresses to try as well; each is taken once.
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

    /// The try came to nothing.
    ///
    /// - Parameter isVerdict: The other side said why; it is no use asking it again.
    mutating func failed(_ reason: String, isVerdict: Bool, now: Int64) {
        guard let tried = dial else { return }
        (dial, lastReason) = (nil, reason)
        if isVerdict {
            verdict = reason
        } else {
            retries.append((tried.address, now + Self.retryInterval))
        }
    }

    /// When to stop looking.
    private var end: Int64 {
        if isAddressGiven { return started + (retries.isEmpty ? 0 : Self.givenPatience) }
        return started + (lastReason == nil || !retries.isEmpty ? Self.patience : Self.grace)
    }

    func isOver(now: Int64) -> Bool { dial == nil && queue.isEmpty && now >= end }

    /// When to look again; `nil` while an address is being dialled.
    var deadline: Int64? { dial == nil ? min(end, retries.map(\.at).min() ?? .max) : nil }
}
