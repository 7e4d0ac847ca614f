import Crypto
import MergeCore

/// The fields by which one device introduces itself, before anything is proved.
struct PairingHello {
    let version: UInt32
    let name: String
    /// 32 random bytes.
    let nonce: [UInt8]
    let household: HouseholdID
    /// 32 bytes.
    let rosterDigest: [UInt8]
    /// Whether the household of this device has other members.
    let hasOthers: Bool

    init(roster: Roster, nonce: [UInt8]) {
        precondition(nonce.count == 32, "a pairing nonce has 32 bytes")
        version = ProtocolVersion.pairing
        name = roster.name
        self.nonce = nonce
        household = roster.household
        rosterDigest = roster.digest
        hasOthers = !roster.isAlone
    }

    init(_ wire: WirePairHello) throws(ProtocolFault) {
        guard let household = HouseholdID(bytes: wire.household), wire.nonce.count == 32, wire.rosterDigest.count == 32,
            DisplayName.isClean(wire.name)
        else { throw ProtocolFault("its PairHello has a field of a wrong size") }
        version = wire.version
        name = wire.name
        nonce = wire.nonce.array
        self.household = household
        rosterDigest = wire.rosterDigest.array
        hasOthers = wire.others
    }

    var wire: WirePairHello {
        var wire = WirePairHello()
        wire.version = version
        wire.name = name
        wire.nonce = nonce.wire
        wire.household = household.bytes.wire
        wire.rosterDigest = rosterDigest.wire
        wire.others = hasOthers
        return wire
    }

    func add(to text: inout CanonicalBytes) {
        text.add([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: version >> $0) })
        text.add(Array(name.utf8))
        text.add(nonce)
        text.add(household.bytes)
        text.add(rosterDigest)
        text.add([hasOthers ? 1 : 0])
    }
}

/// The transcript of a pairing: the hash over everything that both devices must have seen alike, and the keys that are
/// derived from this hash and the code. Sync.proto specifies the layout.
struct PairingTranscript {
    enum Use: String {
        case responderProves = "shower proves"
        case initiatorProves = "typer proves"
        case responderSeals = "shower seals"
        case initiatorSeals = "typer seals"
    }

    let responder: PairingHello
    let initiator: PairingHello
    private let hash: [UInt8]
    private let code: PairingCode

    init(
        responderKey: DeviceKey,
        initiatorKey: DeviceKey,
        responder: PairingHello,
        initiator: PairingHello,
        code: PairingCode
    ) {
        self.responder = responder
        self.initiator = initiator
        self.code = code
        var text = CanonicalBytes(label: "hearth pairing transcript 1")
        text.add(Array("hearth-pair/1".utf8))
        text.add(responderKey.bytes)
        text.add(initiatorKey.bytes)
        responder.add(to: &text)
        initiator.add(to: &text)
        hash = Array(SHA256.hash(data: text.bytes))
    }

    func proof(_ use: Use) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: hash, using: key(use)))
    }

    /// Compares in constant time.
    func isValid(_ proof: [UInt8], _ use: Use) -> Bool {
        proof.count == 32 && HMAC<SHA256>.isValidAuthenticationCode(proof, authenticating: hash, using: key(use))
    }

    func seal(_ bytes: [UInt8], _ use: Use) -> [UInt8] {
        do {
            let box = try ChaChaPoly.seal(bytes, using: key(use), nonce: Self.nonce, authenticating: hash)
            return Array(box.ciphertext) + Array(box.tag)
        } catch {
            preconditionFailure("sealing with a key of 32 bytes failed: \(error)")
        }
    }

    /// Decrypts sealed bytes; `nil` where the sender had another code or another transcript.
    func open(_ bytes: [UInt8], _ use: Use) -> [UInt8]? {
        guard bytes.count >= 16,
            let box = try? ChaChaPoly.SealedBox(
                nonce: Self.nonce,
                ciphertext: bytes.dropLast(16),
                tag: bytes.suffix(16)
            ),
            let plain = try? ChaChaPoly.open(box, using: key(use), authenticating: hash)
        else { return nil }
        return Array(plain)
    }

    private func key(_ use: Use) -> SymmetricKey {
        var info = CanonicalBytes(label: use.rawValue)
        info.add(hash)
        return HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: code.values),
            salt: Array("hearth pairing 1".utf8),
            info: info.bytes,
            outputByteCount: 32
        )
    }

    /// The nonce is all zero: each key seals one text only, because the transcript holds the random nonces of both
    /// devices.
    private static var nonce: ChaChaPoly.Nonce {
        guard let nonce = try? ChaChaPoly.Nonce(data: [UInt8](repeating: 0, count: 12)) else {
            preconditionFailure("12 bytes are a nonce")
        }
        return nonce
    }
}
