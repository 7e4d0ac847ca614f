import MergeCore

@testable import SyncProtocol

/// What must hold of a pairing: whoever does not know the code never pairs, and whoever knows it can send any secrets,
/// and the roster that comes of them has valid statements alone, and both devices in it.
enum PairingOracle {
    private static let me = OracleSigner(1)
    private static let peer = OracleSigner(2)
    private static let code = PairingCode(random: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    private static let household = HouseholdID(high: 1, low: 1)

    /// - Parameter bytes: The lowest bit of the first byte says which side is fuzzed. The next one: 0, messages as they
    ///   come follow (``OracleMessages``); 1, the bytes that a peer that knows the code seals. The third: whether that peer
    ///   has other members in its household.
    /// - Returns: One sentence on what does not hold, or nil.
    static func fault(_ bytes: [UInt8]) -> String? {
        guard let mode = bytes.first else { return nil }
        let role: PairingMachine.Role = mode & 1 == 0 ? .responder : .initiator
        let rest = bytes.dropFirst()
        return mode & 2 == 0
            ? fault(role, messages: OracleMessages.cut(rest)) : fault(role, sealed: Array(rest), others: mode & 4 != 0)
    }

    private static func machine(_ role: PairingMachine.Role) -> PairingMachine {
        PairingMachine(
            role, signer: me, peer: peer.key, code: code,
            roster: Roster(me: me.key, name: "fuzzed", household: household),
            secret: [UInt8](repeating: 7, count: 32), nonce: [UInt8](repeating: 8, count: 32), now: 0)
    }

    private static func fault(_ role: PairingMachine.Role, messages: [[UInt8]]) -> String? {
        var machine = machine(role)
        _ = machine.start()
        for message in messages where message.count <= Limits.frame {
            for action in machine.received(FrameEncoder.frame(message)) {
                if case .paired = action { return "it pairs with a device that does not know the code" }
            }
        }
        return nil
    }

    private static func fault(_ role: PairingMachine.Role, sealed plain: [UInt8], others: Bool) -> String? {
        var machine = machine(role)
        _ = machine.start()
        let secrets = try? WirePairSecrets(wire: plain)
        let statements = (secrets.flatMap { try? RosterCoding.read($0.statements) }) ?? []
        var wire = WirePairHello()
        wire.version = ProtocolVersion.pairing
        wire.name = "peer"
        wire.nonce = [UInt8](repeating: 9, count: 32).wire
        wire.household = (statements.first?.household ?? HouseholdID(high: 2, low: 2)).bytes.wire
        wire.rosterDigest = RosterDigest.of(statements).wire
        wire.others = others
        guard let hello = try? PairingHello(wire) else { return "a sound hello is refused" }
        let isResponder = role == .responder
        let transcript = PairingTranscript(
            responderKey: isResponder ? me.key : peer.key, initiatorKey: isResponder ? peer.key : me.key,
            responder: isResponder ? machine.hello : hello, initiator: isResponder ? hello : machine.hello, code: code)
        var proof = WirePairProof()
        proof.proof = transcript.proof(isResponder ? .initiatorProves : .responderProves).wire
        proof.sealed = transcript.seal(plain, isResponder ? .initiatorSeals : .responderSeals).wire
        _ = machine.received(WirePairFrame.bytes(.hello(wire)))
        for action in machine.received(WirePairFrame.bytes(.proof(proof))) {
            guard case .paired(let result) = action else { continue }
            guard result.roster.contains(peer.key), result.secret.count == 32 else { return "the peer is not paired" }
            guard result.statements.allSatisfy({ $0.isValid && $0.household == result.household }) else {
                return "a statement in the roster is not valid"
            }
            _ = machine.confirm()
        }
        return nil
    }
}
