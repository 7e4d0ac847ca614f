import MergeCore
import SyncProtocol

/// Everything about pairing that is going on: a code shown here, codes typed here, and the connections of both.
struct PairingState {
    /// Milliseconds a typed code looks for the device that shows it.
    static let patience: Int64 = 30_000
    /// Milliseconds after which a typed code that was refused everywhere stops looking.
    static let grace: Int64 = 3_000
    /// Milliseconds before an address is tried again that closed without a word: it may slow guesses down, its code may
    /// be about to be shown.
    static let retryInterval: Int64 = 1_500
    /// Milliseconds a typed code is tried at an address that was given.
    static let givenPatience: Int64 = 8_000
    /// Pairing connections at once.
    static let sessionLimit = 8

    /// A code shown here.
    struct Showing {
        var window: PairingWindow
        var request: RequestID
    }

    /// A code typed here.
    struct Typing {
        var code: PairingCode
        /// Where to try it, in order; what was tried stays out.
        var queue: [PeerAddress] = []
        var seen: Set<PeerAddress> = []
        var retries: [(address: PeerAddress, at: Int64)] = []
        var isAddressGiven: Bool
        var started: Int64
        var dial: (connection: ConnectionID, address: PeerAddress)?
        var lastReason: String?
        /// Why a device that was asked said no.
        var verdict: String?

        mutating func add(_ addresses: [PeerAddress]) {
            for address in addresses where seen.insert(address).inserted { queue.append(address) }
        }

        /// When to stop looking.
        var end: Int64 {
            if isAddressGiven { return started + (retries.isEmpty ? 0 : PairingState.givenPatience) }
            return started + (lastReason == nil || !retries.isEmpty ? PairingState.patience : PairingState.grace)
        }

        mutating func takeDue(now: Int64) {
            queue += retries.filter { $0.at <= now }.map(\.address)
            retries.removeAll { $0.at <= now }
        }
    }

    var showing: Showing?
    var typing: [RequestID: Typing] = [:]
    var sessions: [ConnectionID: LivePairing] = [:]

    var isShowing: Bool { showing != nil }

    /// Requests that wait for an end.
    var waiting: [RequestID] { ([showing?.request].compactMap { $0 } + typing.keys).sorted() }

    var deadline: Int64? {
        let times = typing.values.filter { $0.dial == nil }.map { typing in
            min(typing.end, typing.retries.map(\.at).min() ?? .max)
        }
        return (times + [showing?.window.end].compactMap { $0 } + sessions.values.compactMap { $0.machine.deadline })
            .min()
    }

    mutating func abandon(_ id: RequestID) {
        if showing?.request == id { showing = nil }
        typing[id] = nil
    }
}

/// One pairing connection. A class, so that the noncopyable machine can stand in a dictionary; it never leaves the
/// agent's machine.
final class LivePairing {
    let remote: PeerAddress
    /// The request that typed the code; `nil` at the device that shows it.
    let typedBy: RequestID?
    /// The request that shows the code.
    let shownBy: RequestID?
    var machine: PairingMachine
    /// Whether the other side has made its guess.
    var hasGuessed = false
    /// Set once the result is stored here.
    var peer: DeviceKey?

    init(remote: PeerAddress, typedBy: RequestID?, shownBy: RequestID?, machine: consuming PairingMachine) {
        self.remote = remote
        self.typedBy = typedBy
        self.shownBy = shownBy
        self.machine = machine
    }
}
