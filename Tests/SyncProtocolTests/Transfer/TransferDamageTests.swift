import Crypto
import LosslessJSON
import MergeCore
import Testing
import ZlibStreams

@testable import SyncProtocol

/// Files that are not what was written, and files that somebody made to harm.
@Suite struct TransferDamageTests {
    private func fault(_ bytes: [UInt8], _ what: String, sourceLocation: SourceLocation = #_sourceLocation)
        -> TransferFault?
    {
        let fault = #expect(throws: TransferFault.self, "\(what)", sourceLocation: sourceLocation) {
            try TransferFile.read(bytes)
        }
        #expect(
            fault?.description.isEmpty == false && fault?.description.contains("\n") == false,
            sourceLocation: sourceLocation
        )
        return fault
    }

    @Test func everyFlippedBitAndEveryLengthOfASignedFileIsNoticed() throws {
        let file = try TransferSample().file()
        for position in file.indices {
            for bit in 0..<8 {
                // A signature costs its time: every bit where something is read before it, one bit of each byte else.
                if position > 150, bit != position % 8 { continue }
                var bytes = file
                bytes[position] ^= 1 << bit
                _ = fault(bytes, "bit \(bit) of byte \(position)")
            }
        }
        for length in file.indices { _ = fault(Array(file[..<length]), "\(length) bytes") }
        _ = fault(file + [0], "a byte more")
        _ = fault([], "nothing")
    }

    @Test func everyFlippedBitAndEveryLengthOfASealedFileIsNoticed() throws {
        let inside = Array("anything at all".utf8)
        let file = try SealedTransfer.seal(
            inside, passphrase: TransferSample.passphrase, salt: TransferSample.salt, cost: TransferSample.cheap)
        func expectFault(_ bytes: [UInt8], _ what: String) {
            #expect(throws: TransferFault.self, "\(what)") {
                try SealedTransfer.open(bytes, passphrase: TransferSample.passphrase)
            }
        }
        for position in file.indices {
            for bit in 0..<8 {
                var bytes = file
                bytes[position] ^= 1 << bit
                // Work that was made dearer within its bounds is done, and found wrong; not thirty times in a test.
                if 12...14 ~= position, ScryptCost(logN: bytes[12], r: bytes[13], p: bytes[14])?.logN ?? 0 > 11 {
                    continue
                }
                expectFault(bytes, "bit \(bit) of byte \(position)")
            }
        }
        for length in file.indices { expectFault(Array(file[..<length]), "\(length) bytes") }
        expectFault(file + [0], "a byte more")
        #expect(try SealedTransfer.open(file, passphrase: TransferSample.passphrase) == inside)
    }

    @Test func foreignFilesAndNewerVersionsAreTold() throws {
        let file = try TransferSample().file()
        #expect(fault(Array("{\"coins\":1}".utf8), "JSON")?.reason == .foreign)
        #expect(!TransferFormat.begins(Array("{\"coins\":1}".utf8)) && TransferFormat.begins(file))
        // Sent as text, with its line ends changed.
        #expect(fault(Array(file[..<4]) + [0x0A] + file[6...], "text")?.reason == .foreign)
        var newer = file
        newer[8] = 2
        #expect(fault(newer, "version 2")?.reason == .newer)
        #expect(fault(Array(newer[..<12]), "version 2 with another header")?.reason == .newer)
        newer = file
        newer[10] = 2
        #expect(fault(newer, "another form")?.reason == .newer)
        newer = file
        newer[15] = 1
        #expect(fault(newer, "another feature")?.reason == .newer)
    }

    /// Whoever has a key can sign anything; lengths and contents are checked all the same.
    @Test func whatAnUnknownDeviceSignsIsCheckedAsWell() throws {
        let sample = try TransferSample()
        let signer = MemorySigner(seed: 99)
        let good = sample.content(frames: try sample.frames()).bytes
        func signed(_ content: [UInt8]) throws -> [UInt8] { try TransferFile.bytes(content, by: signer) }
        #expect(try TransferFile.read(try signed(good)).signer == signer.key)
        // Fields of a later version are passed over.
        #expect(
            try TransferFile.read(try signed(good + TransferFormat.little(UInt32(1)) + [1])).delta.profile == profile
        )
        for length in [0, 3, 4, 10, good.count - 1] {
            #expect(fault(try signed(Array(good[..<length])), "\(length) bytes of content")?.reason == .damaged)
        }
        for position in [0, 20, 30] {
            var bytes = good
            bytes.replaceSubrange(position..<position + 4, with: [0xFF, 0xFF, 0xFF, 0xFF])
            _ = fault(try signed(bytes), "a length of 2^32 - 1 at \(position)")
        }
        let frames = try sample.frames()
        func content(_ frames: [UInt8]) throws -> [UInt8] { try signed(sample.content(frames: frames).bytes) }
        var name = sample.content(frames: frames)
        name.deviceName = "a\u{1B}[2J"
        #expect(fault(try signed(name.bytes), "an escape sequence as a name")?.reason == .damaged)
        name.deviceName = String(repeating: "x", count: 65)
        #expect(fault(try signed(name.bytes), "a long name")?.reason == .damaged)
        #expect(fault(try content([]), "no frames")?.reason == .damaged)
        #expect(fault(try content(frames + frames), "two deltas")?.reason == .damaged)
        #expect(fault(try content(frames + [0]), "half a frame")?.reason == .damaged)
        #expect(fault(try content(WireFrame.bytes(.ping(WirePing()))), "a ping")?.reason == .damaged)
        #expect(fault(try content([0xFF, 0xFF, 0xFF, 0xFF]), "a frame of 4 GiB")?.reason == .damaged)
        #expect(fault(try content(WireFrame.bytes(.ping(WirePing())) + frames), "a ping before it")?.reason == .damaged)
        var dropped = try WireFrame(wire: Array(frames[4...]))
        dropped.delta.more = true
        #expect(fault(try content(dropped.framed), "a delta without its end")?.reason == .damaged)
        dropped.delta.more = false
        dropped.delta.to[0].before = 0
        #expect(fault(try content(dropped.framed), "a delta from somewhere else")?.reason == .damaged)
    }

    @Test func noFileMakesUsTakeMoreMemoryThanItMay() throws {
        let signer = MemorySigner(seed: 99)
        func file(size: UInt64, _ stored: [UInt8]) -> [UInt8] {
            var file = TransferFormat.start(.signed) + TransferFormat.little(UInt16(signer.key.bytes.count)) + [0, 0]
            file +=
                TransferFormat.little(size) + TransferFormat.little(UInt64(stored.count)) + signer.key.bytes + stored
            var text = CanonicalBytes(label: "hearth transfer 1")
            text.add(Array(SHA256.hash(data: file)))
            return file + signer.signature(for: text.bytes)
        }
        let bomb = ZlibStream.compressed([UInt8](repeating: 0, count: 16 << 20))
        #expect(
            fault(file(size: 10, bomb), "a bomb that says it is small")?.description.contains("uncompressed") == true
        )
        #expect(fault(file(size: .max, bomb), "all the memory there is")?.reason == .damaged)
        #expect(fault(file(size: 131 << 20, bomb), "more than is taken")?.reason == .damaged)
        #expect(fault(file(size: 129 << 20, bomb), "less than it says")?.reason == .damaged)
    }
}
