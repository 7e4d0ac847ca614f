import SyncProtocol
import Testing

@Suite struct FrameDecoderTests {
    @Test func framesComeOutAsTheyWentIn() throws {
        let frames: [[UInt8]] = [[9], [1], [UInt8](repeating: 7, count: 300), [2, 3]]
        let stream = frames.flatMap { FrameEncoder.frame($0) }
        for slice in 1...stream.count {
            var decoder = FrameDecoder(limit: 300)
            var result: [[UInt8]] = []
            var rest = stream[...]
            while !rest.isEmpty {
                decoder.append(Array(rest.prefix(slice)))
                rest = rest.dropFirst(slice)
                while let frame = try decoder.next() { result.append(frame) }
            }
            #expect(result == frames, "slices of \(slice)")
            #expect(decoder.buffered == 0)
        }
    }

    @Test(arguments: [[255, 255, 255, 255] as [UInt8], [0, 0, 4, 1], [128, 0, 0, 0], [0, 0, 0, 0]])
    func anAnnouncedLengthBeyondTheLimitOrOfNothingIsRefused(_ header: [UInt8]) {
        var decoder = FrameDecoder(limit: 1_024)
        decoder.append(Array(header.dropLast()))
        #expect(throws: Never.self) { try decoder.next() }
        decoder.append([header[3]])
        for _ in 0..<2 {
            #expect(throws: FrameError.self) { try decoder.next() }
        }
        #expect(decoder.buffered == 4)
    }

    @Test func theLimitCanBeRaisedBetweenFrames() throws {
        var decoder = FrameDecoder(limit: 2)
        decoder.append(FrameEncoder.frame([1, 2]) + FrameEncoder.frame([1, 2, 3]))
        #expect(try decoder.next() == [1, 2])
        decoder.limit = 3
        #expect(try decoder.next() == [1, 2, 3])
        #expect(try decoder.next() == nil)
    }
}
