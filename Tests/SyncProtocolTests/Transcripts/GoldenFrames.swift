import Crypto
import LosslessJSON
import MergeCore
import SyncProtocol
import TestSupport
import Testing

/// What the frames under `Golden` hold, one file of hexadecimal text for each kind. `Tests/WirePeer/golden.py` makes the
/// same bytes without any code of ours.
///
/// All values follow from texts, and from the keys of two devices (``MemorySigner``). A file that is missing is made, and
/// the test fails then: look at it, and commit it. To change a frame on purpose, remove its file.
enum GoldenFrames {
    // MARK: Values

    /// Bytes that follow from a text; at most 32.
    static func seeded(_ text: String, _ count: Int = 32) -> [UInt8] {
        Array(Array(SHA256.hash(data: Array("hearth golden 1 \(text)".utf8))).prefix(count))
    }

    /// A running hash of writes that are not in the frames.
    static func told(_ what: String) -> UInt64 {
        seeded("history \(what)", 8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    static let desk = RecordedSigner(seed: 1)
    static let lap = RecordedSigner(seed: 2)
    /// A device that was removed.
    static let gone = RecordedSigner(seed: 3)
    static let nas = ed25519("nas")
    static let old = ed25519("old")
    static let household = HouseholdID(bytes: seeded("household", 16))!
    static let secret = HouseholdSecret(seeded("secret"), serial: 2)
    static let profile = ProfileID(bytes: seeded("profile", 16))!
    static let desks = ReplicaOrigin(device: desk.key, profile: profile, slot: 3)!
    static let laps = ReplicaOrigin(device: lap.key, profile: profile, slot: 0)!.replica
    static let nases = ReplicaOrigin(device: nas, profile: profile, slot: 1)!.replica
    static let gones = ReplicaOrigin(device: gone.key, profile: profile, slot: 0)!
    static let epoch = EpochID(
        number: 1, kind: .reset, stamp: Stamp(rawValue: 0), origin: ReplicaID(bytes: seeded("epoch", 16))!)

    /// The writes of the first device, as its first replica.
    static let writes: [[KeyedAtom]] = [
        [atom("#name", .latest, .register(Stamp(rawValue: 0x818B_CFE5_6800_0000), "RPG"), 1)],
        [
            atom("/hp", .latest, .register(Stamp(rawValue: 0x818B_CFE5_7800_0000), 7), 2),
            atom(
                "/coins", .counter, .tally(earned: ExactDecimal(5), spent: ExactDecimal(0)), 2,
                sub: desks.replica.bytes),
        ],
        [
            atom("/hp", .latest, .register(Stamp(rawValue: 0x818B_CFE5_8800_0000), 9), 3, epoch: epoch),
            atom("/friends", .set, .membership(length: 1, "x"), 3, sub: Array(#""x""#.utf8)),
        ],
    ]

    /// The one write of the device that was removed.
    static let lastWrite = [
        atom("/level", .latest, .register(Stamp(rawValue: 0x818B_CFE5_9800_0000), 3), 1, by: gones.replica)
    ]

    /// How far the first `count` of these writes go.
    static func progress(_ count: Int, of writes: [[KeyedAtom]] = writes) -> VersionVector.Entry {
        var history: UInt64 = 0
        for write in writes.prefix(count) {
            var hash = HistoryHash(history)
            for atom in write { hash.add(atom) }
            history = hash.value
        }
        return .init(sequence: UInt64(count), history: history)
    }

    /// A hundred profiles, each written by the first device. It has those whose id does not begin with f.
    static let many = covered { _ in true }
    static let manyOfDesk = covered { $0.high >> 60 != 15 }
    static let salt = seeded("salt", 8).reduce(0) { $0 << 8 | UInt64($1) }

    static func profile(_ number: Int) -> ProfileID { ProfileID(bytes: seeded("profile \(number)", 16))! }

    private static func covered(_ isHeld: (ProfileID) -> Bool) -> CoveredProfiles {
        var covered = CoveredProfiles()
        for number in 1...100 where isHeld(profile(number)) { covered[profile(number)] = vector(of: number) }
        return covered
    }

    private static func vector(of number: Int) -> VersionVector {
        VersionVector([desks.replica: .init(sequence: UInt64(number), history: told("profile \(number)"))])
    }

    static let copies = [
        CopyFacts(day: 20_261_120, size: 70_000, checksum: seeded("copy 1")),
        CopyFacts(day: 20_261_121, size: 70_001, checksum: seeded("copy 2")),
    ]
    static let form = Array("{\n  \"hp\": 9\n}\n".utf8)

    static var roster: [RosterStatement] {
        func statement(
            _ subject: DeviceKey, _ name: String, _ purpose: RosterStatement.Purpose, _ serial: UInt64
        ) -> RosterStatement {
            RosterStatement(
                household: household, subject: subject, name: name, purpose: purpose, serial: serial, by: desk)
        }
        return [
            statement(lap.key, "Lap", .paired, 1), statement(desk.key, "Desk", .vouched, 1),
            statement(nas, "Nas", .removed, 3), statement(old, "", .wrote, 1),
        ]
    }

    private static func ed25519(_ name: String) -> DeviceKey {
        DeviceKey([0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00] + seeded(name))!
    }

    private static func atom(
        _ path: String, _ kind: AtomKind, _ content: AtomContent, _ sequence: UInt64, sub: [UInt8] = [],
        epoch: EpochID? = nil, by replica: ReplicaID = desks.replica
    ) -> KeyedAtom {
        let dot = Dot(replica: replica, sequence: sequence)
        let key = AtomKey(DocumentPath(encoded: Array(path.utf8)), kind, sub: sub)
        return KeyedAtom(key, Atom(content, dot, epoch: epoch))
    }

    // MARK: Files

    /// What a link says, in this order.
    static let link = [
        "hello", "vectors", "roster-hashes", "roster", "delta", "delta-of-one-write", "delta-of-a-former-member", "ack",
        "ping", "pong", "keeps-copies", "copy-list", "copy-request", "copy-part", "form-request", "form-part",
        "words-wanted", "word", "word-gone", "digest-question", "digest-answer", "vectors-anew", "goodbye",
    ]
    /// What two devices say that pair.
    static let pairing = [
        "pair-hello-responder", "pair-hello-initiator", "pair-proof-initiator", "pair-proof-responder", "pair-done",
        "pair-goodbye",
    ]
    /// What the first device says on another link, on which both have many profiles.
    static let ranges = ["ranges", "ranges-wanted", "ranges-of-a-part", "vectors-of-a-range"]
    /// Other ways to say `delta`, which a reader must understand and no writer of ours has to use.
    static let otherDeltas = ["delta-packed", "delta-in-two-frames"]
    /// The same of `form-part`.
    static let otherParts = ["form-part-packed"]

    static let folder =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(separator: "/") + "/Golden"

    /// The bytes of a file; `nil` where there is none.
    static func bytes(_ name: String) -> [UInt8]? { hexadecimal("\(name).hex").map { Array($0.joined()) } }

    /// The lines of a file of hexadecimal text, as bytes.
    static func hexadecimal(_ name: String) -> [[UInt8]]? {
        guard let text = Disk.read("\(folder)/\(name)") else { return nil }
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map { line in
            let digits = line.compactMap(\.hexDigitValue)
            return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        }
    }

    /// Compares a frame with its file, and makes the file where it is missing.
    static func expect(_ frame: [UInt8], is name: String, sourceLocation: SourceLocation = #_sourceLocation) {
        guard let stored = bytes(name) else {
            var text = ""
            for start in stride(from: 0, to: frame.count, by: 32) {
                for byte in frame[start..<min(start + 32, frame.count)] {
                    text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
                }
                text += "\n"
            }
            Disk.write(text, "\(folder)/\(name).hex")
            Issue.record("\(name).hex was missing and has been made; look at it, and commit it")
            return
        }
        #expect(frame == stored, "\(name)", sourceLocation: sourceLocation)
    }

    /// Cuts what is sent into frames, each with its length before it.
    static func cut(_ bytes: [UInt8]) throws -> [[UInt8]] {
        var decoder = FrameDecoder(limit: Limits.frame)
        decoder.append(bytes)
        var frames: [[UInt8]] = []
        while let frame = try decoder.next() { frames.append(FrameEncoder.frame(frame)) }
        #expect(decoder.buffered == 0)
        return frames
    }
}

/// A device that signs what it signed before with the signature it made then (`signatures.txt`), since each signature by
/// ECDSA is another one.
struct RecordedSigner: DeviceSigner {
    private let signer: MemorySigner

    init(seed: UInt64) { signer = MemorySigner(seed: seed) }

    var publicKey: [UInt8] { signer.publicKey }

    func signature(for message: [UInt8]) -> [UInt8] {
        let known = GoldenFrames.hexadecimal("signatures.txt") ?? []
        return known.first { key.isValid(signature: $0, for: message) } ?? signer.signature(for: message)
    }
}
