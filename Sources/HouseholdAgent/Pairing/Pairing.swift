import SyncProtocol

/// Everything about pairing that is going on: a code shown here, codes typed here, and the connections of both.
/// Requests, connections and the time in, effects out. Whom this device trusts is decided by whoever stores what comes
/// out.
struct Pairing {
    /// Pairing connections at once.
    static let sessionLimit = 8

    /// What the rest of the agent is to do.
    enum Effect {
        case transport(TransportAction)
        /// Connect to look for the device whose code was typed; answered with ``Pairing/dialling(_:for:as:)``.
        case dial(RequestID, PeerAddress)
        /// Store the pin and the household in one transaction; answered with ``Pairing/stored(_:as:now:)`` or
        /// ``Pairing/notStored(_:now:)``.
        case store(ConnectionID, PairingResult, typedAt: PeerAddress?)
        /// The other device has stored its result as well, and says this of the household.
        case merge([RosterStatement])
        case reply(RequestID, AgentReply)
        case log(LogLine)
    }

    /// A code shown here.
    private struct ShownCode {
        var window: PairingWindow
        let request: RequestID
    }

    private var shown: ShownCode?
    private var typed: [RequestID: TypedCode] = [:]
    private var sessions: [ConnectionID: PairingSession] = [:]

    /// Whether a code is shown here.
    var isShowing: Bool { shown != nil }

    /// Requests that wait for an end.
    var waiting: [RequestID] { ([shown?.request].compactMap { $0 } + typed.keys).sorted() }

    /// When ``tick(now:trouble:)`` has something to do at the earliest.
    var deadline: Int64? {
        let times = typed.values.compactMap(\.deadline) + sessions.values.compactMap { $0.machine.deadline }
        return (times + [isAwaited ? nil : shown?.window.end].compactMap { $0 }).min()
    }

    /// Whether the code that is shown was used, and the other device is still to say that it has stored its result. It
    /// does so, or its connection ends, before the time of a pairing is over.
    private var isAwaited: Bool {
        sessions.values.contains { $0.unconfirmed != nil && $0.shownBy != nil && $0.shownBy == shown?.request }
    }

    // MARK: Requests

    /// Shows a code. A newer code replaces the one before.
    mutating func show(_ code: PairingCode, for request: RequestID, now: Int64) -> [Effect] {
        let former = shown?.request
        let window = PairingWindow(code: code, now: now)
        shown = ShownCode(window: window, request: request)
        let replaced = former.map {
            Effect.reply($0, .failure(.failed, "a newer code was asked for; this one does not count any more"))
        }
        return [replaced].compactMap { $0 } + [.reply(request, .code(code.description, expires: window.end))]
    }

    /// Looks for the device that shows a code.
    mutating func type(_ code: TypedCode, for request: RequestID) { typed[request] = code }

    /// Devices that show a code are seen at these addresses.
    mutating func found(_ addresses: [PeerAddress]) {
        for (request, code) in typed where !code.isAddressGiven { typed[request]?.add(addresses) }
    }

    mutating func dialling(_ address: PeerAddress, for request: RequestID, as connection: ConnectionID) {
        typed[request]?.dialling(address, as: connection)
    }

    mutating func abandon(_ request: RequestID) {
        if shown?.request == request { shown = nil }
        typed[request] = nil
    }

    // MARK: Connections

    /// A connection is up.
    ///
    /// - Parameter machine: Makes the machine for it, of a role and a code.
    mutating func opened(
        _ id: ConnectionID, remote: PeerAddress, dialled: Bool, now: Int64,
        machine: (PairingMachine.Role, PairingCode) -> PairingMachine
    ) -> [Effect] {
        guard sessions.count < Self.sessionLimit else { return [.transport(.close(id))] }
        let session: PairingSession
        if dialled {
            guard let (request, typed) = typed.first(where: { $0.value.dial?.connection == id }) else {
                return [.transport(.close(id))]
            }
            session = PairingSession(remote: remote, .typedBy(request), machine: machine(.typer, typed.code))
        } else {
            guard let request = shown?.request, shown?.window.mayTry(remote.host, now: now) == .allowed,
                let code = shown?.window.code
            else {
                return [
                    .transport(.close(id)), .log(LogLine(.notice, "a pairing was refused", ["from": remote.host])),
                ]
            }
            session = PairingSession(remote: remote, .shownBy(request), machine: machine(.shower, code))
        }
        sessions[id] = session
        return [.transport(.admit(id))] + take(session.machine.start(), on: id, session, now: now)
    }

    mutating func received(_ bytes: [UInt8], on id: ConnectionID, now: Int64) -> [Effect] {
        guard let session = sessions[id] else { return [] }
        return take(session.machine.received(bytes), on: id, session, now: now)
    }

    /// A connection is gone, or never came up.
    ///
    /// - Parameter isVerdict: The other side said why; it is no use asking it again.
    mutating func ended(_ id: ConnectionID, _ reason: String, isVerdict: Bool = false, now: Int64) -> [Effect] {
        let session = sessions.removeValue(forKey: id)
        var effects: [Effect] = []
        // What belongs to a former code is nothing to the one that is shown now.
        if let session, let request = session.shownBy, shown?.request == request {
            if !session.hasGuessed { shown?.window.takeBack(session.remote.host, now: now) }
            if session.unconfirmed != nil {
                shown = nil
                let why = "the other device did not confirm; have a new code shown and pair again"
                effects.append(.reply(request, .failure(.failed, why)))
            }
        }
        if let request = typed.first(where: { $0.value.dial?.connection == id })?.key {
            typed[request]?.failed(reason, isVerdict: isVerdict, now: now)
        }
        return effects
    }

    private mutating func take(
        _ actions: [PairingAction], on id: ConnectionID, _ session: PairingSession, now: Int64
    ) -> [Effect] {
        var effects: [Effect] = []
        for action in actions {
            switch action {
            case .send(let bytes): effects.append(.transport(.send(id, bytes)))
            case .wrongProof:
                session.hasGuessed = true
                effects.append(.log(LogLine(.notice, "a wrong pairing code was typed", ["at": session.remote.host])))
            case .paired(let result):
                session.hasGuessed = true
                // The other side is gone in the same breath, and could not be told: the close that follows is all.
                if session.machine.isClosed { continue }
                guard isCodeOpen(of: session, now: now) else {
                    effects += take(session.machine.cancel("the code was used already"), on: id, session, now: now)
                    continue
                }
                let isTyped = if case .typedBy = session.side { true } else { false }
                effects.append(.store(id, result, typedAt: isTyped ? session.remote : nil))
            case .finished(let statements):
                effects.append(.merge(statements))
                guard let device = session.unconfirmed, let request = session.shownBy, request == shown?.request else {
                    continue
                }
                session.unconfirmed = nil
                shown = nil
                effects.append(.reply(request, .paired(device)))
            case .close(let closure):
                effects.append(.transport(.close(id)))
                effects += ended(id, closure.reason, isVerdict: true, now: now)
            }
        }
        return effects
    }

    /// Two devices may have typed one code at once: the first whose result is stored has used it.
    private func isCodeOpen(of session: PairingSession, now: Int64) -> Bool {
        guard let request = session.shownBy else { return true }
        return shown?.request == request && shown?.window.isOpen(at: now) == true
    }

    // MARK: Results

    /// Pin and household are stored: the other side is told.
    mutating func stored(_ id: ConnectionID, as device: DeviceReport, now: Int64) -> [Effect] {
        guard let session = sessions[id] else { return [] }
        session.unconfirmed = device
        if session.shownBy != nil { shown?.window.consume() }
        var effects: [Effect] = []
        if case .typedBy(let request) = session.side {
            typed[request] = nil
            effects.append(.reply(request, .paired(device)))
        }
        return effects + take(session.machine.confirm(), on: id, session, now: now)
    }

    /// They could not be stored.
    mutating func notStored(_ id: ConnectionID, now: Int64) -> [Effect] {
        guard let session = sessions[id] else { return [] }
        return take(session.machine.cancel("the pairing could not be stored"), on: id, session, now: now)
    }

    // MARK: Time

    /// - Parameter trouble: Why nothing can be discovered, where that is so.
    mutating func tick(now: Int64, trouble: String?) -> [Effect] {
        var effects: [Effect] = []
        for (id, session) in sessions.sorted(by: { $0.key < $1.key }) {
            effects += take(session.machine.tick(now: now), on: id, session, now: now)
        }
        if let code = shown, code.window.end <= now, !isAwaited {
            shown = nil
            let why = "nobody typed the code in time; have a new one shown"
            effects.append(.reply(code.request, .failure(.failed, why)))
        }
        for request in typed.keys.sorted() {
            if let address = typed[request]?.takeNext(now: now) {
                effects.append(.dial(request, address))
            } else if let code = typed[request], code.isOver(now: now) {
                typed[request] = nil
                effects.append(.reply(request, .failure(.failed, code.verdict ?? Self.missing(code, trouble))))
            }
        }
        return effects
    }

    private static func missing(_ code: TypedCode, _ trouble: String?) -> String {
        if code.isAddressGiven {
            return
                "the device at that address shows no code at the moment (\(code.lastReason ?? "no answer")); run "
                    + "'hearth pair' there"
        }
        let why = trouble.map { " (\($0))" } ?? ""
        return
            "no device in this network shows a pairing code\(why); run 'hearth pair' on the other one, or name it "
                + "with --address HOST:PORT"
    }
}

/// One pairing connection. A class, so that the noncopyable machine can stand in a dictionary; it never leaves
/// ``Pairing``.
private final class PairingSession {
    /// Which request the connection belongs to.
    enum Side {
        case shownBy(RequestID)
        case typedBy(RequestID)
    }

    let remote: PeerAddress
    let side: Side
    var machine: PairingMachine
    /// Whether the other side has made its guess.
    var hasGuessed = false
    /// The device at the other end, once the result is stored here and until that side has said that it has stored its
    /// own.
    var unconfirmed: DeviceReport?

    /// The request that shows the code; `nil` where the code was typed here.
    var shownBy: RequestID? { if case .shownBy(let request) = side { request } else { nil } }

    init(remote: PeerAddress, _ side: Side, machine: consuming PairingMachine) {
        self.remote = remote
        self.side = side
        self.machine = machine
    }
}
