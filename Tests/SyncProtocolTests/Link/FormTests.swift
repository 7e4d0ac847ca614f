import MergeCore
import SwiftProtobuf
import SyncProtocol
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The form of a save on a link: what is said, and what a peer may not say.
@Suite struct FormTests {
    @Test func aTextIsAskedForPartByPart() {
        let (asker, source) = (Node("asker", 1), Node("source", 2))
        let network = Network(asker, source)
        network.connect("asker", "source")
        network.run()
        let haveForms = [asker.lines["source"]!.link.peerHasForms, source.lines["asker"]!.link.peerHasForms]
        #expect(haveForms == [true, true])
        let text = (0..<150_000).map { UInt8(truncatingIfNeeded: $0) }
        var came: [UInt8] = []
        while came.count < text.count {
            let line = asker.lines["source"]!
            let size = came.isEmpty ? nil : text.count
            network.perform(line.link.askForForm(of: profile, from: came.count, size: size), asker, "source")
            let isAsking = line.link.isAskingForForm
            #expect(isAsking)
            network.run()
            #expect(source.formsAsked.last?.question == FormQuestion(profile: profile, offset: came.count))
            let part = Array(text[came.count..<min(text.count, came.count + Limits.formPart)])
            let answer = FormAnswer(size: text.count, content: part)
            network.perform(source.lines["asker"]!.link.answerForm(answer), source, "asker")
            network.run()
            let isStillAsking = line.link.isAskingForForm
            #expect(asker.formParts.last?.answer == answer && !isStillAsking)
            came += asker.formParts.last?.answer.content ?? []
        }
        #expect(came == text && source.formsAsked.count == 3)
        #expect(asker.closures.isEmpty && source.closures.isEmpty)
        // What was asked is answered once.
        let again = source.lines["asker"]!.link.answerForm(.none)
        #expect(again.isEmpty)
    }

    /// A text of a save takes a fifth of its size on the wire, and comes as it was. What no compressor makes smaller goes as it
    /// is.
    @Test func aPartIsCompressedWhereThatHelps() throws {
        func bytes(of text: [UInt8]) throws -> Int {
            var asker = Forge.openLink()
            var source = Forge.openLink()
            _ = asker.askForForm(of: profile, from: 0, size: nil)
            _ = source.received(Self.request(), now: 1)
            let answer = FormAnswer(size: text.count, content: text)
            let sent = source.answerForm(answer).sent
            let read = asker.received(sent, now: 1).compactMap {
                if case .formPart(_, let answer) = $0 { answer } else { nil }
            }
            #expect(read == [answer])
            return sent.count
        }
        let items = (0..<280).map { #""item\#($0)":{"owned":\#($0 % 9),"level":\#($0)}"# }
        let save = Array("{\(items.joined(separator: ","))}".utf8)
        let small = try bytes(of: save)
        #expect(save.count > 9_000 && small < save.count / 5, "\(small) of \(save.count)")
        var random = SystemRandomNumberGenerator()
        let noise = (0..<Limits.formPart).map { _ in UInt8.random(in: 0...255, using: &random) }
        #expect(try bytes(of: noise) < noise.count + 40)
        #expect(try bytes(of: Array(repeating: 0x20, count: Limits.formPart)) < 400)
        #expect(try bytes(of: Array("{}".utf8)) < 40)
    }

    @Test func thereMayBeNone() {
        let (asker, source) = (Node("asker", 1), Node("source", 2))
        let network = Network(asker, source)
        network.connect("asker", "source")
        network.perform(asker.lines["source"]!.link.askForForm(of: profile, from: 0, size: nil), asker, "source")
        network.run()
        network.perform(source.lines["asker"]!.link.answerForm(.none), source, "asker")
        network.run()
        #expect(asker.formParts.map(\.answer) == [.none] && asker.closures.isEmpty)
    }

    /// An older device names no features in its Hello, so nobody asks it.
    @Test func anOldPeerHasNone() {
        let link = Forge.openLink()
        let hasForms = link.peerHasForms
        #expect(!hasForms)
    }

    // MARK: Hostile peers

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let sentence: String
        /// Where this side asked from, and the size it knows.
        let asked: (offset: Int, size: Int?)?
        let bytes: @Sendable () -> [UInt8]

        init(
            _ name: String, _ sentence: String, asked: (Int, Int?)? = nil, _ bytes: @escaping @Sendable () -> [UInt8]
        ) {
            (testDescription, self.sentence, self.asked, self.bytes) = (name, sentence, asked, bytes)
        }
    }

    private static func request(offset: UInt64 = 0) -> [UInt8] {
        var request = WireFormRequest()
        request.profile = 1
        request.profileID = Data(profile.bytes)
        request.offset = offset
        return Forge.frame(.formRequest(request))
    }

    private static func part(_ size: UInt64, _ count: Int) -> [UInt8] {
        var part = WireFormPart()
        part.size = size
        part.content = Data(repeating: 1, count: count)
        return Forge.frame(.formPart(part))
    }

    private static func packed(_ size: UInt64, _ packed: [UInt8], content: [UInt8] = []) -> [UInt8] {
        var part = WireFormPart()
        (part.size, part.packed, part.content) = (size, Data(packed), Data(content))
        return Forge.frame(.formPart(part))
    }

    static let cases: [Case] = [
        Case("a part that is too long when inflated", "more than 65536 bytes", asked: (0, nil)) {
            packed(1 << 20, Deflate.compressed([UInt8](repeating: 0x20, count: 65_537)))
        },
        Case("a bomb", "more than 65536 bytes", asked: (0, nil)) {
            packed(64 << 20, Deflate.compressed([UInt8](repeating: 0x20, count: 64 << 20)))
        },
        Case("compressed rubbish", "no zlib stream", asked: (0, nil)) { packed(10, [1, 2, 3]) },
        Case("something behind a stream", "no zlib stream", asked: (0, nil)) {
            packed(10, Deflate.compressed([1]) + [0])
        },
        Case("compressed in part", "in part", asked: (0, nil)) { packed(10, Deflate.compressed([1]), content: [1]) },
        Case("a stream of nothing", "is empty", asked: (0, nil)) { packed(10, Deflate.compressed([])) },
        Case("more than it said when inflated", "longer", asked: (0, nil)) {
            packed(2, Deflate.compressed([1, 2, 3]))
        },
        Case("part unasked", "unasked") { part(1, 1) },
        Case("second part unasked", "unasked", asked: (0, nil)) { part(2, 1) + part(2, 1) },
        Case("65 MiB", "form of 68157440 bytes", asked: (0, nil)) { part(65 << 20, 1) },
        Case("2⁶⁴−1 bytes", "18446744073709551615", asked: (0, nil)) { part(.max, 1) },
        Case("a part that is too long", "65537 bytes", asked: (0, nil)) { part(1 << 20, 65_537) },
        Case("more than it said", "longer", asked: (0, nil)) { part(10, 11) },
        Case("more than it said in the end", "longer", asked: (8, 10)) { part(10, 3) },
        Case("bytes of nothing", "longer", asked: (0, nil)) { part(0, 1) },
        Case("an empty part", "is empty", asked: (8, 10)) { part(10, 0) },
        Case("another size", "changes its size", asked: (8, 10)) { part(11, 3) },
        Case("less than there was", "changes its size", asked: (8, 10)) { part(7, 1) },
        Case("two questions at once", "before it has the last one") { request() + request() },
        Case("question behind every end", "from byte 67108864") { request(offset: 64 << 20) },
        Case("question far behind every end", "from byte 18446744073709551615") { request(offset: .max) },
        Case("profile without a name", "profile number 9") {
            var request = WireFormRequest()
            request.profile = 9
            return Forge.frame(.formRequest(request))
        },
        Case("question within a delta", "between the frames") { Forge.delta { $0.more = true } + request() },
    ]

    @Test(arguments: cases) func aBrokenPeerIsClosed(_ hostile: Case) throws {
        var link = Forge.openLink()
        if let (offset, size) = hostile.asked { _ = link.askForForm(of: profile, from: offset, size: size) }
        let closure = try #require(link.received(hostile.bytes(), now: 1).closure)
        #expect(closure.blame == .peer)
        #expect(closure.reason.contains(hostile.sentence), "\(closure.reason)")
    }

    @Test func whatTheTableSpoilsIsSound() {
        var link = Forge.openLink()
        _ = link.askForForm(of: profile, from: 8, size: 10)
        let actions = link.received(Self.part(10, 2) + Self.request(offset: (64 << 20) - 1), now: 1)
        #expect(actions.closure == nil)
    }
}
