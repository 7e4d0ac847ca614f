import LosslessJSON
import MergeCore
import SyncProtocol
import TestSupport
import Testing

/// Mutated traffic. A link may close; it must not trap, and must not hand on what its own rules forbid.
@Suite struct FuzzTests {
    /// What a sends to b, frame by frame, in a small sound exchange.
    private static func traffic() -> [[UInt8]] {
        let network = Network(Node("a", 1), Node("b", 2))
        network.nodes["a"]!.write(profile, from: nil, to: #"{"level":3,"name":"Ada","list":[1,2,{"x":null}]}"#)
        network.nodes["b"]!.write(profile, from: nil, to: #"{"level":2}"#)
        network.connect("a", "b")
        var frames: [[UInt8]] = []
        func drain() {
            while !network.queue.isEmpty {
                if network.queue[0].to == "b" { frames.append(network.queue[0].bytes) }
                network.step()
            }
        }
        drain()
        // Large enough to be compressed.
        let many = (0..<100).map { #""k\#($0)":\#($0 * 7)"# }.joined(separator: ",")
        network.nodes["a"]!.write(profile, from: "{}", to: "{\(many)}")
        network.publish("a", profile)
        drain()
        for round in 0..<3 {
            network.nodes["a"]!.write(profile, from: "{}", to: #"{"n":\#(round)}"#)
            network.publish("a", profile)
            drain()
        }
        return frames
    }

    @Test(arguments: 0..<8)
    func mutatedFramesNeverTrap(_ lane: Int) {
        let frames = Self.traffic()
        let pieces = frames.flatMap { Self.split($0) }
        var closed = 0
        let count = TestDepth.count(quick: 500, usual: 1_000, all: 2_500)
        for number in 0..<count {
            let seed = UInt64(lane * 2_500 + number)
            var random = SeededRandom(seed: seed)
            var link = PeerLink(localName: "b", now: 0)
            let state = ProfileState()
            _ = link.start(profiles: [profile: state.vector], roster: [], now: 0)
            for (place, frame) in pieces.enumerated() {
                var bytes = frame
                if UInt8.random(in: 0..<4, using: &random) == 0 || place == Int(seed) % pieces.count {
                    Self.mutate(&bytes, &random)
                }
                for action in link.received(bytes, now: MonotonicTime(milliseconds: Int64(place))) {
                    guard case .delta(let delta) = action else { continue }
                    let isWithin = delta.atoms.allSatisfy { delta.to.covers($0.atom.dot) }
                    #expect(isWithin, "seed \(seed)")
                    _ = link.acknowledge(delta.profile, vector: delta.to)
                }
            }
            if link.isClosed { closed += 1 }
        }
        #expect(closed > count / 5, "the mutations do no harm: \(closed)")
    }

    @Test func noiseNeverTraps() {
        for seed in 0..<UInt64(TestDepth.count(quick: 500, usual: 1_000, all: 2_000)) {
            var random = SeededRandom(seed: seed)
            var link = Forge.openLink()
            for _ in 0..<4 {
                let count = Int.random(in: 0...200, using: &random)
                _ = link.received(FrameEncoder.frame(random.bytes(count)), now: 0)
            }
        }
    }

    private static func split(_ bytes: [UInt8]) -> [[UInt8]] {
        var decoder = FrameDecoder(limit: Limits.frame)
        decoder.append(bytes)
        var result: [[UInt8]] = []
        while let frame = try? decoder.next() { result.append(FrameEncoder.frame(frame)) }
        return result
    }

    private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
        for _ in 0...Int.random(in: 0..<3, using: &random) {
            guard bytes.count > 5 else { return }
            let place = Int.random(in: 4..<bytes.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes[place] = [0, 1, 127, 128, 255].randomElement(using: &random)!
            case 2: bytes.remove(at: place)
            case 3: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
            case 4: bytes.removeSubrange(place...)
            default:
                let end = min(bytes.count, place + Int.random(in: 1..<30, using: &random))
                bytes.insert(contentsOf: bytes[place..<end], at: place)
            }
        }
        // Mostly keep the header right, so that the damage reaches the message.
        if UInt8.random(in: 0..<8, using: &random) != 0 { bytes = FrameEncoder.frame(Array(bytes.dropFirst(4))) }
    }
}
