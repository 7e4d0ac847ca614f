import MergeCore
import SwiftProtobuf
import SyncProtocol
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Copies of daily backups on a link: what is said, and what a peer may not say.
@Suite struct CopyTests {
    private static let checksum = [UInt8](repeating: 7, count: 32)
    private static let facts = CopyFacts(day: 20_261_121, size: 100_000, checksum: checksum)

    // MARK: Two that understand each other

    private static func keeperAndSource() -> (Network, keeper: Node, source: Node) {
        let (keeper, source) = (Node("keeper", 1), Node("source", 2))
        let network = Network(keeper, source)
        source.write(profile, from: nil, to: #"{"a":1}"#)
        network.connect("keeper", "source")
        network.run()
        network.perform(keeper.lines["source"]!.link.keepCopies(true), keeper, "source")
        network.run()
        return (network, keeper, source)
    }

    @Test func aListIsAskedForPartByPart() {
        let (network, keeper, source) = Self.keeperAndSource()
        #expect(source.keepers == ["keeper": true])
        network.perform(source.lines["keeper"]!.link.listCopies(of: profile, [Self.facts]), source, "keeper")
        network.run()
        #expect(keeper.listed.map(\.profile) == [profile] && keeper.listed.map(\.copies) == [[Self.facts]])
        var file: [UInt8] = []
        while file.count < Self.facts.size {
            let link = keeper.lines["source"]!
            network.perform(link.link.askForCopy(of: profile, Self.facts, from: file.count), keeper, "source")
            network.run()
            let offset = source.asked.last?.question.offset ?? 0
            #expect(source.asked.last?.question.checksum == Self.checksum && offset == file.count)
            let part = [UInt8](repeating: 1, count: min(Limits.copyPart, Self.facts.size - offset))
            network.perform(source.lines["keeper"]!.link.answerCopy(part), source, "keeper")
            network.run()
            file += keeper.parts.last?.content ?? []
        }
        #expect(source.asked.count == 2 && file.count == 100_000)
        #expect(keeper.closures.isEmpty && source.closures.isEmpty)
        // What was asked is answered once.
        #expect(source.lines["keeper"]!.link.answerCopy([1]).isEmpty)
    }

    @Test func nothingIsListedToWhoKeepsNothing() {
        let (network, keeper, source) = Self.keeperAndSource()
        network.perform(keeper.lines["source"]!.link.keepCopies(false), keeper, "source")
        // Under way at that moment, it is nobody's fault.
        network.perform(source.lines["keeper"]!.link.listCopies(of: profile, [Self.facts]), source, "keeper")
        network.run()
        #expect(keeper.listed.isEmpty && keeper.closures.isEmpty)
        #expect(source.keepers == ["keeper": false])
        #expect(source.lines["keeper"]!.link.listCopies(of: profile, [Self.facts]).isEmpty)
        #expect(keeper.lines["source"]!.link.keepCopies(false).isEmpty)
    }

    /// A device that keeps none says nothing of copies, so links are what they were before there were any.
    @Test func aLinkWithoutCopiesSaysNothingOfThem() {
        let (keeper, source) = (Node("keeper", 1), Node("source", 2))
        let network = Network(keeper, source)
        network.connect("keeper", "source")
        network.run()
        #expect(keeper.keepers.isEmpty && source.keepers.isEmpty)
        #expect(source.lines["keeper"]!.link.listCopies(of: profile, [Self.facts]).isEmpty)
    }

    /// An older device ignores the frame, as one of a kind that it does not know, and lists nothing: see
    /// ``HostileTests/whatANewerPeerAddsIsIgnored()``. Whoever keeps copies goes on with it as before.
    @Test func anOldPeerListsNothing_andDeltasFlow() throws {
        var link = Forge.openLink()
        // A frame of its own, with one field, whose number is new.
        let said = link.keepCopies(true).sent
        #expect(said == [0, 0, 0, 4, 0x4a, 2, 8, 1])
        #expect(link.received(Forge.delta(), now: 1).deltas.count == 1)
    }

    // MARK: Hostile peers

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let sentence: String
        let keeps: Bool
        let bytes: @Sendable () -> [UInt8]

        init(_ name: String, _ sentence: String, keeps: Bool = true, _ bytes: @escaping @Sendable () -> [UInt8]) {
            (testDescription, self.sentence, self.keeps, self.bytes) = (name, sentence, keeps, bytes)
        }
    }

    private static func list(
        count: Int = 1, _ change: @Sendable (inout WireCopyFacts) -> Void = { _ in }
    ) -> [UInt8] {
        var list = WireCopyList()
        list.profile = 1
        list.profileID = Data(profile.bytes)
        for index in 0..<count {
            var wire = WireCopyFacts()
            wire.day = 20_261_101 + UInt32(index)
            wire.size = 10
            wire.checksum = Data(checksum)
            change(&wire)
            list.copies.append(wire)
        }
        return Forge.frame(.copyList(list))
    }

    private static func request(_ change: (inout WireCopyRequest) -> Void = { _ in }) -> [UInt8] {
        var request = WireCopyRequest()
        request.profile = 1
        request.profileID = Data(profile.bytes)
        request.checksum = Data(checksum)
        change(&request)
        return Forge.frame(.copyRequest(request))
    }

    private static func part(_ count: Int) -> [UInt8] {
        var part = WireCopyPart()
        part.content = Data(repeating: 1, count: count)
        return Forge.frame(.copyPart(part))
    }

    private static let peerKeeps: [UInt8] = {
        var keeps = WireKeepsCopies()
        keeps.keeps = true
        return Forge.frame(.keepsCopies(keeps))
    }()

    static let cases: [Case] = [
        Case("list that nobody asked for", "keeps none", keeps: false) { list() },
        Case("eight days", "lists 8 copies") { list(count: 8) },
        Case("10,000 days", "lists 10000 copies") { list(count: 10_000) },
        Case("checksum of 31 bytes", "checksum has 31 bytes") { list { $0.checksum = Data(repeating: 1, count: 31) } },
        Case("no checksum", "checksum has 0 bytes") { list { $0.checksum = Data() } },
        Case("empty file", "copy of 0 bytes") { list { $0.size = 0 } },
        Case("65 MiB and one byte", "68157441") { list { $0.size = 68_157_441 } },
        Case("2⁶⁴−1 bytes", "18446744073709551615") { list { $0.size = .max } },
        Case("day 0", "no day") { list { $0.day = 0 } },
        Case("month 13", "no day") { list { $0.day = 20_261_301 } },
        Case("day 4294967295", "no day") { list { $0.day = .max } },
        Case("a day twice", "two copies") { list(count: 2) { $0.day = 20_261_121 } },
        Case("profile without a name", "profile number 9") {
            var list = WireCopyList()
            list.profile = 9
            return Forge.frame(.copyList(list))
        },
        Case("question of who keeps nothing", "keeps none") { request() },
        Case("two questions at once", "before it has the last one") { peerKeeps + request() + request() },
        Case("question behind every end", "from byte 18446744073709551615") {
            peerKeeps + request { $0.offset = .max }
        },
        Case("question without a checksum", "checksum has 0 bytes") { peerKeeps + request { $0.checksum = Data() } },
        Case("part unasked", "unasked") { part(1) },
        Case("list within a delta", "between the frames") { Forge.delta { $0.more = true } + list() },
    ]

    @Test(arguments: cases) func aBrokenPeerIsClosed(_ hostile: Case) throws {
        var link = Forge.openLink()
        if hostile.keeps { _ = link.keepCopies(true) }
        let actions = link.received(hostile.bytes(), now: 1)
        let closure = try #require(actions.closure)
        #expect(closure.blame == .peer)
        #expect(closure.reason.contains(hostile.sentence), "\(closure.reason)")
        for case .copies in actions { Issue.record("a list was handed on") }
    }

    @Test func theListThatTheTableSpoilsIsSound() {
        var link = Forge.openLink()
        _ = link.keepCopies(true)
        let actions = link.received(Self.list(count: 7), now: 1)
        #expect(actions.closure == nil)
        guard case .copies(profile, let list)? = actions.first else {
            Issue.record("\(actions)")
            return
        }
        #expect(list.map(\.day) == (20_261_101...20_261_107).map { $0 })
    }

    @Test(arguments: [(Limits.copyPart + 1, 1 << 20, "65537 bytes"), (11, 10, "longer than it was listed")])
    func aPartThatIsTooLongEndsTheLink(_ count: Int, _ size: Int, _ sentence: String) throws {
        var link = Forge.openLink()
        _ = link.keepCopies(true)
        _ = link.askForCopy(of: profile, CopyFacts(day: 20_261_121, size: size, checksum: Self.checksum), from: 0)
        let closure = try #require(link.received(Self.part(count), now: 1).closure)
        #expect(closure.reason.contains(sentence) && closure.blame == .peer, "\(closure.reason)")
    }
}
