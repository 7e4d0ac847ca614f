import LosslessJSON
import MergeCore
import SwiftProtobuf
import SyncProtocol
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A peer that is broken or means harm: the link ends with one sentence, and takes no memory for what was announced.
@Suite struct HostileTests {
    typealias Case = HostileCase

    private static let r1 = ReplicaID(high: 1, low: 1)
    private static let r2 = ReplicaID(high: 2, low: 2)

    static let cases: [Case] = [
        Case("4 GiB frame", "4294967295") { [255, 255, 255, 255] },
        Case("1 MiB and one byte", "1048577") { [0, 16, 0, 1] },
        Case("no protobuf", "no message") { FrameEncoder.frame([0x0a, 0xff, 0xff, 0xff]) },
        Case("second hello", "second Hello") { Forge.hello() },
        Case("unknown profile number", "profile number 7") {
            Forge.delta {
                $0.profile = 7; $0.profileID = Data()
            }
        },
        Case("profile defined out of turn", "out of turn") { Forge.delta { $0.profile = 9 } },
        Case("profile id of 15 bytes", "15 bytes") { Forge.delta { $0.profileID = Data(repeating: 1, count: 15) } },
        Case("unknown replica number", "replica number 3") { Forge.delta { $0.to = [Forge.entry(3, nil)] } },
        Case("replica number 0 alone", "replica number 0") { Forge.delta { $0.to = [Forge.entry(0, nil)] } },
        Case("sequence 0", "sequence number 0") { Forge.delta { $0.to = [Forge.entry(1, r1, 0)] } },
        Case("sequence beyond all", "sequence number 18446744073709551615") {
            Forge.delta { $0.to = [Forge.entry(1, r1, .max)] }
        },
        Case("span before the first write", "spans 5") { Forge.delta { $0.to = [Forge.entry(1, r1, 5, before: 5)] } },
        Case("replicas descending", "ascending") {
            Forge.delta { $0.to = [Forge.entry(1, r2), Forge.entry(2, r1)] }
        },
        Case("replica twice", "ascending") { Forge.delta { $0.to = [Forge.entry(1, r1), Forge.entry(1, nil)] } },
        Case("delta that advances nothing", "advances nothing") { Forge.delta { $0.to = [] } },
        Case("delta from its middle", "frame 3") { Forge.delta { $0.number = 3 } },
        Case("frame left out", "frame 2 of a delta came where 1 was due") {
            Forge.delta { $0.more = true }
                + Forge.delta {
                    $0 = WireDelta(); $0.number = 2
                }
        },
        Case("frame twice", "frame 0 of a delta came where 1 was due") {
            Forge.delta { $0.more = true } + Forge.delta { $0.more = true }
        },
        Case("second head", "second head") { Forge.delta { $0.more = true } + Forge.delta { $0.number = 1 } },
        Case("ack between the frames", "between the frames") {
            Forge.delta { $0.more = true } + Forge.frame(.ack(WireAck()))
        },
        Case("value left open at the end", "to be continued") { Forge.delta { $0.unfinished = true } },
        Case("no value to be continued", "to be continued") {
            Forge.delta {
                $0.clearColumns(); $0.unfinished = true; $0.more = true
            }
        },
        Case("more of a complete value", "was complete") {
            Forge.delta { $0.more = true }
                + Forge.delta {
                    $0 = WireDelta(); $0.number = 1; $0.rest = Data([1])
                }
        },
        Case("answer to what was never said", "never made") { Forge.delta { $0.restated = 1 } },
        Case("former member of nothing", "former members") { Forge.delta { $0.cut = [4] } },
        Case("former member twice", "former members") { Forge.delta { $0.cut = [0, 0] } },
        Case("origin of nothing", "another's than it is") {
            Forge.delta {
                var origin = WireOrigin()
                origin.device = 1
                origin.deviceKey = Data(MemorySigner(seed: 1).publicKey)
                origin.position = 4
                $0.origins = [origin]
            }
        },
        Case("origin with a key that is none", "device key") {
            Forge.delta {
                var origin = WireOrigin()
                origin.device = 1
                origin.deviceKey = Data(repeating: 7, count: 91)
                $0.origins = [origin]
            }
        },
        Case("more origins than replicas", "2 origins for 1") {
            Forge.delta { $0.origins = [WireOrigin(), WireOrigin()] }
        },
        Case("vector of 5,000 replicas", "5000 entries") {
            Forge.vectors([
                Forge.statement(
                    1,
                    profile.bytes,
                    (1...5_000).map {
                        Forge.entry(UInt32($0), ReplicaID(high: 0, low: UInt64($0)))
                    },
                    restated: 1
                )
            ])
        },
        Case("listing after the end of the list", "a second time") { Forge.vectors([Forge.statement()]) },
        Case("statements out of turn", "out of turn") { Forge.vectors([Forge.statement(restated: 2)]) },
        Case("roster of 2,000 statements", "2000 statements") {
            var roster = WireRoster()
            roster.statements = [WireStatement](repeating: WireStatement(), count: 2_000)
            return Forge.frame(.roster(roster))
        },
        Case("statement that is none", "that is none") {
            var roster = WireRoster()
            roster.statements = [WireStatement()]
            return Forge.frame(.roster(roster))
        },
        Case("household's secret of 31 bytes", "secret that it says is none") {
            var roster = WireRoster()
            roster.secret = Data(repeating: 1, count: 31)
            return Forge.frame(.roster(roster))
        },
        Case("household's secret that was renewed too often", "secret that it says is none") {
            var roster = WireRoster()
            (roster.secret, roster.secretSerial) = (Data(repeating: 1, count: 32), Limits.serial + 1)
            return Forge.frame(.roster(roster))
        },
    ]

    @Test(arguments: cases)
    func aBrokenPeerIsClosed(_ hostile: Case) throws {
        let end = try hostile.outcome()
        #expect(end.blame == .peer && end.reason.contains(hostile.sentence), "\(end.reason)")
        #expect(end.deltas.isEmpty && end.isClosed && end.actionsAfterwards.isEmpty)
    }

    @Test func theDeltaThatTheTableSpoilsIsSound() throws {
        var link = Forge.openLink()
        let delta = try #require(link.received(Forge.delta(), now: 1).deltas.first)
        #expect(
            delta.atoms == [
                KeyedAtom(
                    AtomKey(DocumentPath([.member("a")]), .flag),
                    Atom(.flag(true), Dot(replica: ReplicaID(high: 5, low: 5), sequence: 1))
                )
            ]
        )
    }

    @Test(arguments: [
        ("frame of 1,025 bytes", "1025", [0, 0, 4, 1] as [UInt8]),
        ("delta", "no Hello", Forge.delta()),
        ("ping", "no Hello", Forge.frame(.ping(WirePing()))),
        ("long name", "too long a name", Forge.hello(name: String(repeating: "x", count: 65))),
        ("vectors", "no Hello", Forge.vectors()),
    ])
    func nothingComesBeforeHello(_ name: String, _ sentence: String, _ bytes: [UInt8]) throws {
        var link = PeerLink(localName: "me", now: 0)
        _ = link.start(profiles: [:], roster: [], now: 0)
        let closure = try #require(link.received(bytes, now: 1).closure, "\(name)")
        #expect(closure.reason.contains(sentence), "\(closure.reason)")
        #expect(closure.blame == .peer)
    }

    @Test(arguments: [Forge.delta(), Forge.frame(.ack(WireAck()))])
    func nothingComesBeforeTheList(_ bytes: [UInt8]) throws {
        var link = PeerLink(localName: "me", now: 0)
        _ = link.start(profiles: [:], roster: [], now: 0)
        let closure = try #require(link.received(Forge.hello() + bytes, now: 1).closure)
        #expect(closure.reason.contains("before the list"), "\(closure.reason)")
    }

    @Test func aNewerVersionIsNobodysFault() throws {
        var link = PeerLink(localName: "me", now: 0)
        _ = link.start(profiles: [:], roster: [], now: 0)
        let closure = try #require(link.received(Forge.hello(version: 2, name: "Deck"), now: 1).closure)
        #expect(closure.blame == .nobody)
        #expect(
            closure.reason == "“Deck” speaks version 2 of the protocol and this device version 1: update this device."
        )
    }

    @Test func whatANewerPeerAddsIsIgnored() {
        var link = PeerLink(localName: "me", now: 0)
        _ = link.start(profiles: [:], roster: [], now: 0)
        // Hello with an unknown field 99, then a frame of an unknown kind, then the list.
        let hello = FrameEncoder.frame([0x0a, 0x06, 0x08, 0x01, 0x9a, 0x06, 0x01, 0x41])
        let unknown = FrameEncoder.frame([0xfa, 0x06, 0x02, 0x41, 0x41])
        let actions = link.received(hello + unknown + Forge.vectors(), now: 1)
        #expect(actions.closure == nil)
        #expect(link.received(Forge.delta(), now: 1).deltas.count == 1)
    }

    @Test func foreignTextsAreMadePlain() throws {
        var link = PeerLink(localName: "me", now: 0)
        _ = link.start(profiles: [:], roster: [], now: 0)
        let actions = link.received(Forge.hello(name: " a\u{1b}[31m\n\u{202e}b "), now: 1)
        guard case .greeted(let greeting)? = actions.first else {
            Issue.record("no greeting")
            return
        }
        #expect(greeting.name == "a[31mb")
        var goodbye = WireGoodbye()
        goodbye.reason = String(repeating: "\u{7}bye ", count: 1_000)
        let closure = try #require(link.received(Forge.frame(.goodbye(goodbye)), now: 2).closure)
        #expect(closure.blame == .nobody)
        #expect(closure.reason.utf8.count < Limits.reason + 100)
        #expect(!closure.reason.contains("\u{7}"))
    }

    @Test func namesBeyondTheDictionaryAreSentInFull() throws {
        // 70,000 profiles, of which the link numbers the first 65,536 on either side.
        var vectors: [ProfileID: VersionVector] = [:]
        for number in 0..<70_000 {
            vectors[ProfileID(high: 1, low: UInt64(number))] =
                VersionVector([ReplicaID(high: 2, low: UInt64(number)): .init(sequence: 1, history: 1)])
        }
        var a = PeerLink(localName: "a", now: 0)
        var b = PeerLink(localName: "b", now: 0)
        let hello = a.start(profiles: [:], roster: [], now: 0).sent
        let hashes = b.start(profiles: CoveredProfiles(vectors), roster: [], now: 0).sent
        let list = b.received(hello + a.received(hashes, now: 0).sent, now: 0).sent
        let actions = a.received(list, now: 0)
        #expect(actions.closure == nil)
        let areKnown = vectors.allSatisfy { a.peerVector($0.key) == $0.value }
        #expect(areKnown)
        // The last one has no number and can be spoken of all the same.
        let last = ProfileID(high: 1, low: 69_999)
        let offer = b.offer(last, vector: VersionVector()).sent
        #expect(a.received(offer, now: 0).closure == nil)
        let vector = a.peerVector(last)
        #expect(vector == VersionVector())
    }

    @Test func aDictionaryTakesNoMoreThanItsLimit() throws {
        var link = PeerLink(localName: "me", now: 0)
        _ = link.start(profiles: [:], roster: [], now: 0)
        var bytes = Forge.hello()
        for frame in 0..<8 {
            bytes += Forge.vectors(
                (1...8_192).map { place in
                    let number = frame * 8_192 + place
                    return Forge.statement(UInt32(number), ProfileID(high: 1, low: UInt64(number)).bytes)
                },
                complete: false
            )
        }
        #expect(link.received(bytes, now: 0).closure == nil)
        let more = Forge.vectors([Forge.statement(65_537, profile.bytes)])
        let closure = try #require(link.received(more, now: 0).closure)
        #expect(closure.reason.contains("out of turn"))
    }

    @Test func aPeerCannotGrowAVectorWithoutEnd() throws {
        var link = PeerLink(localName: "me", now: 0)
        let vector = VersionVector([ReplicaID(high: 0, low: 1): .init(sequence: 1, history: 1)])
        _ = link.start(profiles: [profile: vector], roster: [], now: 0)
        _ = link.received(Forge.hello() + Forge.vectors([Forge.statement()]), now: 0)
        var closure: LinkClosure?
        for round in 0..<8 where closure == nil {
            var ack = WireAck()
            ack.profile = 1
            ack.entries = (0..<1_000).map { Forge.entry(0, ReplicaID(high: 1, low: UInt64(round * 1_000 + $0))) }
            closure = link.received(Forge.frame(.ack(ack)), now: 0).closure
        }
        #expect(try #require(closure).reason.contains("beyond every limit"))
    }

    /// Short messages that stand for long ones, thanks to shared prefixes, are counted at their full length.
    @Test func sharedPrefixesAreNoBomb() throws {
        var link = Forge.openLink()
        var closure: LinkClosure?
        let long = "/" + String(repeating: "a", count: 4_000)
        for number in 0..<400 where closure == nil {
            var columns = Forge.columns([(long, [1])] + (0..<250).map { _ in ("", [1]) })
            columns.pathShared = (0...250).map { $0 == 0 ? 0 : 4_001 }
            if number > 0 { columns.pathShared[0] = 4_001; columns.pathSize[0] = 0; columns.paths = Data() }
            let bytes = Forge.delta {
                if number > 0 { $0 = WireDelta() }
                $0.columns = columns
                $0.number = UInt32(number)
                $0.more = true
            }
            closure = link.received(bytes, now: 0).closure
        }
        #expect(try #require(closure).reason.contains("more than 67108864 bytes"))
    }

    /// Nor may one frame stand for much more than it could hold, be it by what its atoms share, or by compression.
    @Test(arguments: [false, true]) func aFrameStandsForNoMoreThanItCouldHold(isPacked: Bool) throws {
        for (count, isRefused) in [(10, false), (11, true)] {
            var link = Forge.openLink()
            let value = Array(#"12345678"vvv"#.utf8) + [UInt8](repeating: 0x76, count: 100_000) + [0x22]
            var columns = Forge.columns([("/a0", value)] + (1..<count).map { ("/a\($0)", []) }, kind: 0)
            columns.contentShared = (0..<count).map { $0 == 0 ? 0 : UInt32(value.count) }
            let bytes = Forge.delta {
                if isPacked { $0.packed = Forge.packed(columns); $0.clearColumns() } else { $0.columns = columns }
            }
            let closure = link.received(bytes, now: 0).closure
            #expect(closure?.reason.contains("stands for more than 1048576 bytes") ?? false == isRefused)
        }
    }

    @Test func endlessRestatementsEndTheLink() throws {
        var link = Forge.openLink()
        var closure: LinkClosure?
        var rounds = 0
        while closure == nil, rounds < 20_000 {
            rounds += 1
            closure = link.offer(profile, vector: VersionVector()).closure
        }
        #expect(rounds == Int(Limits.restatements) + 1)
        #expect(try #require(closure).reason.contains("without end"))
    }
}
