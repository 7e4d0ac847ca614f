import Crypto
import MergeCore
import SyncProtocol
import Testing

@Suite struct KeyTests {
    @Test func signaturesAreBoundToKeyAndText() {
        let (a, b) = (MemorySigner(seed: 1), MemorySigner(seed: 2))
        let signature = a.signature(for: [1, 2, 3])
        #expect(signature.count == 64)
        #expect(a.key.isValid(signature: signature, for: [1, 2, 3]))
        #expect(!a.key.isValid(signature: signature, for: [1, 2]))
        #expect(!b.key.isValid(signature: signature, for: [1, 2, 3]))
        #expect(!a.key.isValid(signature: Array(signature.dropLast()), for: [1, 2, 3]))
        #expect(MemorySigner(seed: 1).key == a.key)
    }

    @Test func edwardsKeysCountAsWell() throws {
        let key = Curve25519.Signing.PrivateKey()
        let prefix: [UInt8] = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00]
        let device = try #require(DeviceKey(prefix + Array(key.publicKey.rawRepresentation)))
        let signature = Array(try key.signature(for: [5]))
        #expect(device.isValid(signature: signature, for: [5]))
        #expect(!device.isValid(signature: signature, for: [6]))
    }

    @Test func whatIsNoKeyIsRefused() {
        let good = MemorySigner(seed: 1).publicKey
        #expect(DeviceKey(good)?.bytes == good)
        #expect(DeviceKey(good)?.id.bytes == Array(Array(SHA256.hash(data: good)).prefix(16)))
        #expect(DeviceKey(good + [0]) == nil)
        #expect(DeviceKey(Array(good.dropLast())) == nil)
        #expect(DeviceKey([UInt8]()) == nil)
        #expect(DeviceKey([UInt8](repeating: 0x30, count: 100_000)) == nil)
        var compressed = good
        compressed[26] = 2
        #expect(DeviceKey(compressed) == nil)
    }

    /// Well-formed by its prefix but not on the curve: a key nobody can sign with.
    @Test func aPointOffTheCurveVerifiesNothing() throws {
        var bytes = MemorySigner(seed: 1).publicKey
        bytes[90] ^= 1
        let key = try #require(DeviceKey(bytes))
        #expect(!key.isValid(signature: [UInt8](repeating: 1, count: 64), for: []))
    }

    @Test func aReplicaBelongsToOneDeviceProfileAndSlot() throws {
        let (a, b) = (MemorySigner(seed: 1).key, MemorySigner(seed: 2).key)
        let other = ProfileID(random: 3, 4)
        let origins = [a, b].flatMap { device in
            [profile, other].flatMap { ReplicaOrigin.all(of: device, in: $0) }
        }
        #expect(origins.count == 4 * Limits.slots)
        #expect(Set(origins.map(\.replica)).count == origins.count)
        #expect(ReplicaOrigin(device: a, profile: profile, slot: Limits.slots) == nil)
        #expect(ReplicaOrigin(device: a, profile: profile, slot: -1) == nil)
        // The vector of test_vectors.py in Tests/WirePeer.
        let head: [UInt8] = [
            0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48,
            0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
        ]
        let key = try #require(DeviceKey(head + [UInt8](repeating: 10, count: 64)))
        let written = ReplicaOrigin(
            device: key, profile: try #require(ProfileID(bytes: [UInt8](0..<16))), slot: 3)
        #expect(written?.replica.hex == "e5f53f306f9b40bc7f74aac0ff3aa628")
    }

    @Test func aHeadIsOfOneDeviceReplicaAndEntry() {
        let (a, b) = (MemorySigner(seed: 1), MemorySigner(seed: 2))
        let (replica, entry) = (ReplicaID(high: 3, low: 4), VersionVector.Entry(sequence: 5, history: 6))
        let signature = ReplicaHead.signature(of: replica, at: entry, by: a)
        func isValid(_ replica: ReplicaID, _ sequence: UInt64, _ history: UInt64, _ device: DeviceKey) -> Bool {
            ReplicaHead.isValid(
                signature, of: replica, at: .init(sequence: sequence, history: history), by: device)
        }
        #expect(isValid(replica, 5, 6, a.key))
        #expect(!isValid(ReplicaID(high: 3, low: 5), 5, 6, a.key))
        #expect(!isValid(replica, 6, 6, a.key))
        #expect(!isValid(replica, 5, 7, a.key))
        #expect(!isValid(replica, 5, 6, b.key))
    }

    @Test(arguments: [
        ("Ada", "Ada"), ("  a  ", "a"), ("", "unnamed"), ("\u{0}\u{7}", "unnamed"), ("a\tb", "ab"),
        ("\u{202e}evil", "evil"), ("Küche 🎮", "Küche 🎮"), ("<img onerror>", "<img onerror>"),
        // The joiner of an emoji is part of it; any other one makes a name that looks like another.
        ("\u{1F468}\u{200D}\u{1F467}", "\u{1F468}\u{200D}\u{1F467}"), ("\u{200D}", "unnamed"),
        ("dec\u{200D}k", "dek"), ("k\u{200D}", "unnamed"), ("\u{1F468}\u{200D}", "unnamed"), ("\u{200C}a", "a"),
    ])
    func namesAreMadePlain(_ text: String, _ expected: String) {
        let name = DisplayName.cleaned(text)
        #expect(name == expected)
        #expect(DisplayName.isClean(name))
        #expect(DisplayName.isClean(text) == (text == expected))
    }

    @Test func aRefusedNameIsShownAsItIs() {
        #expect(DisplayName.refusal(of: " a\n\u{202E}b ").hasPrefix("this is no name: “ a??b ”; a name has 1 to 64"))
        for long in [String(repeating: "x", count: 1_000_000), "e" + String(repeating: "\u{301}", count: 100_000)] {
            #expect(DisplayName.refusal(of: long).utf8.count < 300)
        }
    }

    @Test func longNamesAreCutBetweenCharacters() {
        let name = DisplayName.cleaned(String(repeating: "🎮", count: 100))
        #expect(name == String(repeating: "🎮", count: 16))
        #expect(DisplayName.cleaned(String(repeating: "e\u{301}", count: 100_000)).utf8.count <= 64)
    }
}
