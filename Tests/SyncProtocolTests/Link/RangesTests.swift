import LosslessJSON
import MergeCore
import SwiftProtobuf
import TestSupport
import Testing

@testable import SyncProtocol

/// Two devices with many profiles find out what differs by hashes of ranges.
@Suite struct RangesTests {
    /// Profiles whose ids follow from a number.
    private static func profiles(_ count: Int, seed: UInt64 = 7) -> [ProfileID] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { _ in ProfileID(random: random.next(), random.next()) }
    }

    private static func vector(_ replica: UInt64, _ sequence: UInt64, history: UInt64 = 5) -> VersionVector {
        VersionVector([ReplicaID(high: 1, low: replica): .init(sequence: sequence, history: history)])
    }

    private func write(_ node: Node, _ profile: ProfileID, _ value: UInt64) {
        let key = AtomKey(DocumentPath(encoded: Array("/hp".utf8)), .latest, sub: [])
        node.put(profile, [(key, .register(Stamp(rawValue: value), 7))])
    }

    /// Two nodes that have the same of this many profiles, all written by the first one.
    private func alike(_ profiles: [ProfileID]) -> Network {
        let network = Network(Node("a", 1), Node("b", 2))
        let (a, b) = (network.nodes["a"]!, network.nodes["b"]!)
        for profile in profiles { write(a, profile, 1) }
        b.states = a.states
        b.origins[a.replica] = a.origins[a.replica]
        return network
    }

    private func bytes(_ network: Network) -> Int { network.traffic.values.reduce(0, +) }

    // MARK: What it costs

    @Test(arguments: [100, 1_000]) func oneChangeAmongManyProfilesIsFoundInAFewHundredBytes(_ count: Int) {
        let profiles = Self.profiles(count)
        let network = alike(profiles)
        write(network.nodes["a"]!, profiles[3], 2)
        network.connect("a", "b")
        network.run()
        expectSame(network, profiles[3])
        let (a, b) = (network.nodes["a"]!, network.nodes["b"]!)
        #expect(b.deltas.count == 1 && a.deltas.isEmpty)
        let areSettled = profiles.allSatisfy { a.lines["b"]!.link.isSettled($0) && b.lines["a"]!.link.isSettled($0) }
        #expect(areSettled)
        #expect(bytes(network) < 1_500, "\(network.traffic)")
    }

    @Test func whereNothingDiffersOneMessageSaysSo() {
        let network = alike(Self.profiles(1_000))
        network.connect("a", "b")
        network.run()
        #expect(bytes(network) < 450, "\(network.traffic)")
        #expect(network.nodes["b"]!.stated.isEmpty && network.nodes["a"]!.closures.isEmpty)
    }

    @Test func aLinkKeepsNoLedgerOfWhatIsAlike() throws {
        let profiles = Self.profiles(5_000)
        var covered = CoveredProfiles(
            Dictionary(uniqueKeysWithValues: profiles.map { ($0, Self.vector(1, 3)) }))
        covered.computeHashes()
        var one = LinkSession(now: 0)
        var other = LinkSession(now: 0)
        _ = one.state(covered, salt: 1)
        let told = try WireFrame(serializedBytes: Array(other.state(covered, salt: 2).dropFirst(4)))
        let actions = try one.receive(try #require(told.body))
        #expect(actions.count == 1, "nothing but that all is listed")
        var kept = one.ledgers.count
        #expect(kept == 0)
        let areSettled = profiles.allSatisfy { one.isSettled($0) }
        #expect(areSettled)
        // One that changes afterwards is sent beyond what the peer covers.
        let requests = one.changed(profiles[0], vector: Self.vector(1, 4)).requests
        #expect(requests.map(\.beyond) == [Self.vector(1, 3)])
        kept = one.ledgers.count
        #expect(kept == 1)
    }

    // MARK: Whatever happens meanwhile

    /// Three devices in a line, each with saves of its own and some of the others'; they write and are parted while they
    /// find out what differs.
    @Test(arguments: 0..<24 as Range<UInt64>) func whateverHappensMeanwhileAllEndUpWithTheSame(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let profiles = Self.profiles(120, seed: seed + 100)
        let network = Network(Node("a", 1), Node("b", 2), Node("c", 3))
        network.salt = random.next()
        let names = ["a", "b", "c"]
        let lines = [("a", "b"), ("b", "c")]
        var stamp: UInt64 = 1
        func writeSomewhere() {
            let (name, profile) = (names.randomElement(using: &random)!, profiles.randomElement(using: &random)!)
            stamp += 1
            write(network.nodes[name]!, profile, stamp)
            network.publish(name, profile)
        }
        for _ in 0..<UInt64.random(in: 0..<200, using: &random) { writeSomewhere() }
        for _ in 0..<6 {
            for (one, other) in lines { network.connect(one, other) }
            for _ in 0..<Int.random(in: 0..<400, using: &random) where !network.queue.isEmpty {
                network.step()
                if Int.random(in: 0..<20, using: &random) == 0 { writeSomewhere() }
            }
            for (one, other) in lines { network.disconnect(one, other) }
            for _ in 0..<Int.random(in: 0..<5, using: &random) { writeSomewhere() }
        }
        for (one, other) in lines { network.connect(one, other) }
        network.run()
        for profile in profiles where names.contains(where: { network.nodes[$0]!.states[profile] != nil }) {
            expectSame(network, profile)
            for (one, other) in lines {
                let isSettled = network.nodes[one]!.lines[other]!.link.isSettled(profile)
                #expect(isSettled, "\(profile) on \(one), seed \(seed)")
            }
        }
    }

    // MARK: Hashes

    @Test func hashesFollowFromWhatIsCoveredAlone() {
        let profiles = Self.profiles(200)
        var (one, other) = (CoveredProfiles(), CoveredProfiles())
        for profile in profiles { one[profile] = Self.vector(2, 9) }
        for profile in profiles.reversed() {
            other[profile] = Self.vector(2, 8)
            _ = other.fingerprint(of: .whole, salt: [1])
            other[profile] = Self.vector(2, 9)
        }
        #expect(one.count == 200 && other.count == 200)
        let hash = one.fingerprint(of: .whole, salt: [1])
        #expect(other.fingerprint(of: .whole, salt: [1]) == hash)
        #expect(other.fingerprint(of: .whole, salt: [2]) != hash)
        for vector in [Self.vector(2, 10), Self.vector(3, 9), Self.vector(2, 9, history: 6), nil] {
            other[profiles[50]] = vector
            #expect(other.fingerprint(of: .whole, salt: [1]) != hash)
        }
        #expect(other.count == 199 && other[profiles[50]] == nil && other[profiles[51]] == Self.vector(2, 9))
        other[profiles[50]] = Self.vector(2, 9)
        #expect(other.fingerprint(of: .whole, salt: [1]) == hash)
        let all = ProfileRange.whole.parts.flatMap { one.all(in: $0).map(\.profile) }
        #expect(all == profiles.sorted())
    }

    @Test func aRangeIsReadAsItIsWritten() {
        let profile = ProfileID(high: 0xA3F0_0000_0000_0000, low: 1)
        for (digits, text) in ["", "a", "a3", "a3f"].enumerated() {
            let range = ProfileRange(of: profile, digits: digits)
            #expect(range.text == text && ProfileRange(text) == range && range.contains(profile))
        }
        for text in ["A", "a3f0", "g", "a ", "\u{e9}", "00000000000000000000"] { #expect(ProfileRange(text) == nil) }
        #expect(ProfileRange("a3")!.parts.map(\.text).first == "a30")
    }

    // MARK: Hostile

    private static func ranges(_ digits: String = "", hashes: Int = 128, salt: Int = 8) -> [UInt8] {
        var message = WireRanges()
        message.digits = digits
        message.hashes = [UInt8](repeating: 1, count: hashes).wire
        message.salt = [UInt8](repeating: 2, count: salt).wire
        return Forge.frame(.ranges(message))
    }

    private static func wanted(_ digits: [String], lists: [String] = []) -> [UInt8] {
        var message = WireRangesWanted()
        (message.digits, message.lists) = (digits, lists)
        return Forge.frame(.rangesWanted(message))
    }

    private static func listed(_ ranges: [String]) -> [UInt8] {
        var vectors = WireVectors()
        vectors.ranges = ranges
        return Forge.frame(.vectors(vectors))
    }

    static let cases: [HostileCase] = [
        HostileCase("hashes beside a list", "beside a list") { Forge.vectors() + ranges() },
        HostileCase("no salt", "without salt") { ranges(salt: 0) },
        HostileCase("fewer hashes than parts", "has none") { ranges(hashes: 127) },
        HostileCase("hashes of a smallest range", "has none") { ranges() + ranges("abc") },
        HostileCase("no digits", "has none") { ranges() + ranges("xyz") },
        HostileCase("hashes twice", "unasked") { ranges() + ranges() },
        HostileCase("hashes of a part's part", "unasked") { ranges() + ranges("ab") },
        HostileCase("a range listed unasked", "listed unasked") { Forge.vectors() + listed(["a"]) },
        HostileCase("a range listed twice", "listed unasked") { ranges() + listed(["a"]) + listed(["a"]) },
        HostileCase("a range asked for twice", "second time") { wanted(["a"]) + wanted([], lists: ["a"]) },
        HostileCase("the whole asked for", "second time") { wanted([""]) },
        HostileCase("no range asked for", "second time") { wanted(["abcd"]) },
    ]

    @Test(arguments: cases) func whatNoDeviceSaysEndsTheLink(_ hostile: HostileCase) throws {
        var link = PeerLink(localName: "me", now: 0)
        let covered = Dictionary(uniqueKeysWithValues: Self.profiles(100).map { ($0, Self.vector(1, 1)) })
        _ = link.start(profiles: CoveredProfiles(covered), roster: [], now: 0)
        let closure = try #require(link.received(Forge.hello() + hostile.bytes(), now: 0).closure)
        #expect(closure.reason.contains(hostile.sentence), "\(closure.reason)")
        #expect(closure.blame == .peer)
    }

    @Test func whoListsEverythingIsAskedForNothing() throws {
        var link = PeerLink(localName: "me", now: 0)
        let actions = { () -> [LinkAction] in
            _ = link.start(profiles: [:], roster: [], now: 0)
            return link.received(Forge.hello() + Self.wanted(["a"]), now: 0)
        }()
        #expect(try #require(actions.closure).reason.contains("may not ask"))
    }
}
