/// A question to the responders on the network for the SRV record of one instance, and its answer (RFC 1035, section 4;
/// RFC 6762, section 6.7).
///
/// It comes from a port that is not that of multicast DNS, so the responder answers to that port alone, and takes the
/// answer from what it publishes itself.
struct EchoQuery {
    private static let header = 12
    /// SRV, in the Internet's class.
    private static let type: [UInt8] = [0, 33, 0, 1]

    let bytes: [UInt8]

    /// Fails where the name is none of an instance.
    ///
    /// - Parameter id: Any number, by which the answer is recognised.
    init?(instance: String, id: UInt16) {
        let domain = "\(LANDiscovery.serviceType).\(LANDiscovery.domain)"
        let labels: [[UInt8]] = [Array(instance.utf8)] + domain.split(separator: ".").map { Array($0.utf8) }
        guard labels.allSatisfy({ (1...63).contains($0.count) }) else { return nil }
        // One question, and no flag.
        var bytes: [UInt8] = [UInt8(id >> 8), UInt8(id & 255), 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
        for label in labels {
            bytes.append(UInt8(label.count))
            bytes += label
        }
        self.bytes = bytes + [0] + Self.type
    }

    /// Whether a packet is an answer to this question, and has a record in it.
    func isAnswered(by packet: [UInt8]) -> Bool {
        guard packet.count > bytes.count, packet.prefix(2) == bytes.prefix(2) else { return false }
        let (isResponse, fault) = (packet[2] & 0x80 != 0, packet[3] & 0x0F)
        let (questions, answers) = (Array(packet[4..<6]), Array(packet[6..<8]))
        return isResponse && fault == 0 && questions == [0, 1] && answers != [0, 0]
            && packet[Self.header..<bytes.count] == bytes[Self.header...]
    }
}
