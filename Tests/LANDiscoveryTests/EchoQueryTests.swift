import Testing

@testable import LANDiscovery

/// The question by which a device looks for its own announcement, and what counts as its answer.
@Suite struct EchoQueryTests {
    private static let query = EchoQuery(instance: "deck", id: 0x1234)!

    /// A packet with these bytes in its header, then the question, then a record.
    private static func packet(_ header: [UInt8], _ question: [UInt8]? = nil) -> [UInt8] {
        header + (question ?? Array(query.bytes.dropFirst(12))) + [0xC0, 12, 0, 33, 0, 1]
    }

    private static let answer: [UInt8] = [0x12, 0x34, 0x84, 0, 0, 1, 0, 1, 0, 0, 0, 0]

    @Test func itAsksForTheRecordOfOneInstance() {
        let name: [UInt8] =
            [4] + Array("deck".utf8) + [7] + Array("_hearth".utf8) + [4] + Array("_tcp".utf8)
            + [5] + Array("local".utf8) + [0]
        #expect(Self.query.bytes == [0x12, 0x34, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0] + name + [0, 33, 0, 1])
    }

    @Test(arguments: ["", String(repeating: "x", count: 64)]) func aNameThatIsNoneIsNotAskedFor(_ name: String) {
        #expect(EchoQuery(instance: name, id: 1) == nil)
    }

    @Test func itsAnswerIsKnown() {
        #expect(Self.query.isAnswered(by: Self.packet(Self.answer)))
        #expect(Self.query.isAnswered(by: Self.packet([0x12, 0x34, 0x84, 0, 0, 1, 1, 0, 0, 0, 0, 9])))
    }

    @Test func nothingElseIsItsAnswer() {
        let headers: [[UInt8]] = [
            // The question itself, another number, a fault, no record, no question.
            [0x12, 0x34, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0], [0x12, 0x35] + Self.answer[2...],
            [0x12, 0x34, 0x84, 3, 0, 1, 0, 1, 0, 0, 0, 0], [0x12, 0x34, 0x84, 0, 0, 1, 0, 0, 0, 0, 0, 0],
            [0x12, 0x34, 0x84, 0, 0, 0, 0, 1, 0, 0, 0, 0],
        ]
        for header in headers { #expect(!Self.query.isAnswered(by: Self.packet(header)), "\(header)") }
        let other = EchoQuery(instance: "desk", id: 0x1234)!
        #expect(!Self.query.isAnswered(by: Self.packet(Self.answer, Array(other.bytes.dropFirst(12)))))
        for count in 0...Self.query.bytes.count {
            #expect(!Self.query.isAnswered(by: Array(Self.packet(Self.answer).prefix(count))), "\(count) bytes")
        }
    }
}
