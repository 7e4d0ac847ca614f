import MergeCore
import SyncProtocol

/// All pairings under way: the code shown here, the codes typed here, and their connections. Requests, connections and
/// the time go in, effects come out. The code that stores a result decides whether this device trusts the peer.
struct Pairing {
    /// The largest number of pairing connections at the same time.
    static let sessionLimit = 8

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

    /// The requests that are not yet answered.
    var waiting: [RequestID] { ([shown?.request].compactMap { $0 } + typed.keys).sorted() }

    /// The earliest time at which ``tick(now:trouble:)`` has something to do.
    var deadline: MonotonicTime? {
        let times = typed.values.compactMap(\.deadline) + sessions.values.compactMap { $0.machine.deadline }
        return (times + [isAwaited ? nil : shown?.window.end].compactMap { $0 }).min()
    }

    /// Whether the shown code was used, and the other device has not confirmed yet that it has stored its result. It
    /// confirms, or its connection ends, before the time limit of a pairing is over.
    private var isAwaited: Bool {
        sessions.values.contains { $0.unconfirmed != nil && $0.shownBy != nil && $0.shownBy == shown?.request }
    }

    // MARK: Requests

    /// Shows a code, and the addresses of this device. It replaces a code that is shown already.
    mutating func show(
        _ code: PairingCode, at addresses: [String], for request: RequestID, now: Moment
    ) -> [Effect] {
        let former = shown?.request
        let window = PairingWindow(code: code, now: now.monotonic)
        shown = ShownCode(window: window, request: request)
        let replaced = former.map {
            Effect.reply($0, .failure(.failed, "a newer code was asked for; this one does not count any more"))
        }
        let message = PairingCodeMessage(
            code: code.description, expires: now.wall(at: window.end).milliseconds,
            addresses: addresses.isEmpty ? nil : addresses)
        return [replaced].compactMap { $0 } + [.reply(request, .event(message))]
    }

    /// Starts to look for the device that shows a typed code.
    mutating func type(_ code: TypedCode, for request: RequestID) { typed[request] = code }

    /// Adds addresses at which devices that show a code were discovered.
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

    /// Starts a pairing on a new connection.
    ///
    /// If there are too many connections already, one of those that have not proved the code is closed. It is chosen at
    /// random, so that connections which send nothing cannot keep others out.
    ///
    /// - Parameters:
    ///   - chance: A random number, which chooses that connection.
    ///   - machine: Makes the pairing machine for a role and a code.
    mutating func opened(
        _ id: ConnectionID, remote: PeerAddress, dialled: Bool, chance: UInt64, now: MonotonicTime,
        machine: (PairingMachine.Role, PairingCode) -> PairingMachine
    ) -> [Effect] {
        var effects: [Effect] = []
        let session: PairingSession
        if dialled {
            guard let (request, typed) = typed.first(where: { $0.value.dial?.connection == id }) else {
                return [.transport(.close(id))]
            }
            session = PairingSession(remote: remote, .typedBy(request), machine: machine(.initiator, typed.code))
        } else {
            guard let request = shown?.request, shown?.window.mayTry(remote.host, now: now) == .allowed,
                let code = shown?.window.code
            else {
                return [
                    .transport(.close(id)), .log(LogLine(.notice, "a pairing was refused", ["from": remote.host])),
                ]
            }
            session = PairingSession(remote: remote, .shownBy(request), machine: machine(.responder, code))
        }
        if sessions.count >= Self.sessionLimit {
            let unproved = sessions.filter { $0.value.shownBy != nil && $0.value.unconfirmed == nil }.keys.sorted()
            guard !unproved.isEmpty else { return [.transport(.close(id))] }
            let gone = unproved[Int(chance % UInt64(unproved.count))]
            sessions[gone] = nil
            effects.append(.transport(.close(gone)))
        }
        sessions[id] = session
        return effects + [.transport(.admit(id))] + take(session.machine.start(), on: id, session, now: now)
    }

    mutating func received(_ bytes: [UInt8], on id: ConnectionID, now: MonotonicTime) -> [Effect] {
        guard let session = sessions[id] else { return [] }
        return take(session.machine.received(bytes), on: id, session, now: now)
    }

    /// Ends a connection that is gone, or was never established.
    ///
    /// - Parameter isVerdict: Whether the other device gave a reason, so that it makes no sense to ask it again.
    mutating func ended(_ id: ConnectionID, _ reason: String, isVerdict: Bool = false, now: MonotonicTime) -> [Effect] {
        let session = sessions.removeValue(forKey: id)
        var effects: [Effect] = []
        // A session of an earlier code does not affect the code that is shown now.
        if let session, let request = session.shownBy, shown?.request == request {
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
        _ actions: [PairingAction], on id: ConnectionID, _ session: PairingSession, now: MonotonicTime
    ) -> [Effect] {
        var effects: [Effect] = []
        for action in actions {
            switch action {
            case .send(let bytes): effects.append(.transport(.send(id, bytes)))
            case .wrongProof:
                if session.shownBy == shown?.request { shown?.window.guessedWrong(session.remote.host, now: now) }
                effects.append(.log(LogLine(.notice, "a wrong pairing code was typed", ["at": session.remote.host])))
            case .paired(let result):
                // The connection was closed in the same step and the other device could not be told: the close event
                // that follows ends the session.
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
                effects.append(.reply(request, .response(PairedDevice(device: device))))
            case .close(let closure):
                effects.append(.transport(.close(id)))
                effects += ended(id, closure.reason, isVerdict: true, now: now)
            }
        }
        return effects
    }

    /// Whether the session's code may still be used. Two devices may have typed one code at once: the first whose
    /// result is stored has used it.
    private func isCodeOpen(of session: PairingSession, now: MonotonicTime) -> Bool {
        guard let request = session.shownBy else { return true }
        return shown?.request == request && shown?.window.isOpen(at: now) == true
    }

    // MARK: Results

    /// Continues after the pin and the household were stored: the other device is told.
    mutating func stored(_ id: ConnectionID, as device: DeviceReport, now: MonotonicTime) -> [Effect] {
        guard let session = sessions[id] else { return [] }
        session.unconfirmed = device
        if session.shownBy != nil { shown?.window.consume() }
        var effects: [Effect] = []
        if case .typedBy(let request) = session.side {
            typed[request] = nil
            effects.append(.reply(request, .response(PairedDevice(device: device))))
        }
        return effects + take(session.machine.confirm(), on: id, session, now: now)
    }

    /// Ends a pairing whose result could not be stored.
    mutating func notStored(_ id: ConnectionID, now: MonotonicTime) -> [Effect] {
        guard let session = sessions[id] else { return [] }
        return take(session.machine.cancel("the pairing could not be stored"), on: id, session, now: now)
    }

    // MARK: Time

    /// - Parameter trouble: The reason why nothing can be discovered, if there is one.
    mutating func tick(now: MonotonicTime, trouble: String?) -> [Effect] {
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
            if let reason = code.lastReason, let fault = DialFault(rawValue: reason), fault != .otherProtocol {
                return
                    "nobody answers at that address (\(reason)); look whether it is the right one, and whether an agent runs "
                    + "there: hearth agent"
            }
            return
                "the device at that address shows no code at the moment, or too many wrong codes were typed there "
                + "(\(code.lastReason ?? "no answer")); run 'hearth pair' there"
        }
        if let reason = code.lastReason {
            return
                "a device in this network showed a pairing code, and no pairing came of it (\(reason)); run 'hearth pair' "
                + "there again, or name it with --address HOST:PORT"
        }
        let why = trouble.map { " (\($0))" } ?? ""
        return
            "no device in this network shows a pairing code\(why); run 'hearth pair' on the other one, or name it "
            + "with --address HOST:PORT"
    }
}
