import MergeCore
import SyncProtocol

/// Everything about pairing that is going on: a code shown here, codes typed here, and the connections of both.
struct PairingState {
    /// Milliseconds a typed code looks for the device that shows it.
    static let patience: Int64 = 30_000
    /// Milliseconds after which a typed code that was refused everywhere stops looking.
    static let grace: Int64 = 3_000
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
        var tried: Set<PeerAddress> = []
        var isAddressGiven: Bool
        var started: Int64
        var dial: ConnectionID?
        var lastReason: String?

        mutating func add(_ addresses: [PeerAddress]) {
            for address in addresses where tried.insert(address).inserted { queue.append(address) }
        }
    }

    var showing: Showing?
    var typing: [RequestID: Typing] = [:]
    var sessions: [ConnectionID: LivePairing] = [:]

    var isShowing: Bool { showing != nil }

    /// Requests that wait for an end.
    var waiting: [RequestID] { ([showing?.request].compactMap { $0 } + typing.keys).sorted() }

    var deadline: Int64? {
        let times = typing.values.map { typing in
            typing.started + (typing.lastReason == nil ? Self.patience : Self.grace)
        }
        return (times + [showing?.window.end].compactMap { $0 } + sessions.values.compactMap { $0.machine.deadline }).min()
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
