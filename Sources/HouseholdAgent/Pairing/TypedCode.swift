import MergeCore
import SyncProtocol

/// A code that was typed on this device, and the search for the device that shows it.
struct TypedCode {
    /// The time for which the device that shows the code is looked for.
    static let patience = Duration.seconds(30)
    /// The time after which the search ends if every device that was tried has refused the code.
    static let grace = Duration.seconds(3)
    /// The time before an address that closed without a reason is tried again: its device may slow guesses down, or may
    /// be about to show its code.
    static let retryInterval = Duration.milliseconds(1_500)
    /// The time for which a code is tried at an address that the player gave.
    static let givenPatience = Duration.seconds(8)

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
    private var retries: [(address: PeerAddress, at: MonotonicTime)] = []
    private let started: MonotonicTime

    init(_ code: PairingCode, at addresses: [PeerAddress], isAddressGiven: Bool, now: MonotonicTime) {
        (self.code, self.isAddressGiven, started) = (code, isAddressGiven, now)
        add(addresses)
    }

    /// Adds addresses to try; each address is added once.
    mutating func add(_ addresses: [PeerAddress]) {
        for address in addresses where seen.insert(address).inserted { queue.append(address) }
    }

    /// The next address to dial; `nil` while one is being dialled or none is due. It must be followed by ``dialling``.
    mutating func takeNext(now: MonotonicTime) -> PeerAddress? {
        guard dial == nil else { return nil }
        queue += retries.filter { $0.at <= now }.map(\.address)
        retries.removeAll { $0.at <= now }
        return queue.isEmpty ? nil : queue.removeFirst()
    }

    mutating func dialling(_ address: PeerAddress, as connection: ConnectionID) { dial = (connection, address) }

    /// Notes that the current try failed.
    ///
    /// - Parameter isVerdict: Whether the other device gave a reason, so that it makes no sense to ask it again.
    mutating func failed(_ reason: String, isVerdict: Bool, now: MonotonicTime) {
        guard let tried = dial else { return }
        (dial, lastReason) = (nil, reason)
        if isVerdict {
            verdict = reason
        } else {
            retries.append((tried.address, now + Self.retryInterval))
        }
    }

    /// The time at which the search ends.
    private var end: MonotonicTime {
        if isAddressGiven { return started + (retries.isEmpty ? .zero : Self.givenPatience) }
        return started + (lastReason == nil || !retries.isEmpty ? Self.patience : Self.grace)
    }

    func isOver(now: MonotonicTime) -> Bool { dial == nil && queue.isEmpty && now >= end }

    /// The time of the next step; `nil` while an address is being dialled.
    var deadline: MonotonicTime? { dial == nil ? min(end, retries.map(\.at).min() ?? .max) : nil }
}
