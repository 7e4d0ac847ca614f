import MergeCore

/// Writes and reads a whole profile as the frames of one delta, exactly as a link would send it to a device that has no
/// writes of it.
enum TransferDelta {
    /// - Throws: ``TransferFault`` where the profile is empty, or too large for a delta.
    static func frames(
        _ profile: ProfileID, _ state: ProfileState, proof: (ReplicaID, VersionVector.Entry) -> WriteProof?
    ) throws(TransferFault) -> [UInt8] {
        var session = LinkSession(now: 0)
        session.isPeerListed = true
        var ledger = ProfileLedger()
        ledger.ours = state.vector
        session.ledgers[profile] = ledger
        guard case .needsDelta(let request)? = session.request(profile).first else {
            throw TransferFault(.foreign, "nothing is known of the profile yet, so there is nothing to export")
        }
        let actions = session.sendDelta(
            answering: request,
            atoms: state.delta(beyond: request.beyond),
            to: state.vector,
            proof: proof
        )
        var bytes: [UInt8] = []
        for action in actions {
            switch action {
            case .send(let frame): bytes += frame
            case .unsendable(_, let reason): throw TransferFault(.tooLarge, "the profile cannot be exported: \(reason)")
            default: continue
            }
        }
        return bytes
    }

    /// Reads frames with every check that a link makes. They must be exactly one delta that starts from nothing.
    static func read(_ frames: [UInt8]) throws(TransferFault) -> IncomingDelta {
        var session = LinkSession(now: 0)
        session.isPeerListed = true
        session.decoder.limit = Limits.frame
        session.decoder.append(frames)
        var whole: IncomingDelta?
        do {
            while let frame = try session.decoder.next() {
                guard whole == nil, let body = try WireFrame(wire: frame).body, case .delta = body else {
                    throw TransferFault.damaged("it holds something other than one delta")
                }
                for case .delta(let delta) in try session.receive(body) { whole = delta }
            }
        } catch let fault as TransferFault {
            throw fault
        } catch {
            throw .damaged("\(error)")
        }
        guard let whole, session.decoder.buffered == 0, session.assembly == nil else {
            throw .damaged("its delta is not whole")
        }
        guard whole.from.entries.isEmpty else { throw .damaged("its delta builds on something that is not in it") }
        return whole
    }
}
