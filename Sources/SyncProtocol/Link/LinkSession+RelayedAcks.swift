import MergeCore

/// Acknowledgements of other members, sent and received; see Sync.proto. Everything that the peer passes on is limited
/// here, before other code uses it.
extension LinkSession {
    // MARK: Sending

    mutating func wantAcks(of devices: Set<DeviceID>) -> [LinkAction] {
        precondition(devices.count <= Limits.relayedAcks, "the words of \(devices.count) devices are wanted")
        guard devices != acks.wanted else { return [] }
        for (device, received) in acks.received where !devices.contains(device) {
            for profile in received.keys { acks.drop(profile, of: device) }
            acks.received[device] = nil
        }
        acks.wanted = devices
        var message = WireWordsWanted()
        message.devices = devices.sorted().map(\.bytes.wire)
        return [.send(WireFrame.bytes(.wordsWanted(message)))]
    }

    mutating func pass(_ ack: PeerAck?, about profile: ProfileID, of device: DeviceID) -> [LinkAction] {
        guard acks.peerWants.contains(device), acks.passed[device]?[profile] != ack else { return [] }
        acks.passed[device, default: [:]][profile] = ack
        var message = WireWord()
        let (number, bytes) = outgoing.profile(profile)
        message.profile = number
        if !bytes.isEmpty { message.profileID = bytes.wire }
        message.device = device.bytes.wire
        if let ack {
            message.through = ack.through.map(\.bytes.wire)
            message.entries = VectorCoding.write(ack.vector, &outgoing)
            message.fileBehind = ack.isFileBehind
        } else {
            message.gone = true
        }
        return [.send(WireFrame.bytes(.word(message)))]
    }

    // MARK: Receiving

    mutating func receive(_ message: WireWordsWanted) throws(ProtocolFault) -> [LinkAction] {
        guard message.devices.count <= Limits.relayedAcks else {
            throw ProtocolFault(
                "it wants the words of \(message.devices.count) devices, more than \(Limits.relayedAcks)")
        }
        var wanted: Set<DeviceID> = []
        for bytes in message.devices {
            guard let device = DeviceID(bytes: bytes.array) else { throw ProtocolFault("a device is named by no id") }
            wanted.insert(device)
        }
        acks.peerWants = wanted
        // A peer that stops wanting a device's acknowledgements has forgotten them: they have to be sent again if it
        // wants them later.
        acks.passed = acks.passed.filter { wanted.contains($0.key) }
        return [.acksWanted]
    }

    mutating func receive(_ message: WireWord) throws(ProtocolFault) -> [LinkAction] {
        let profile = try incoming.profile(message.profile, message.profileID)
        guard let device = DeviceID(bytes: message.device.array) else {
            throw ProtocolFault("a device is named by no id")
        }
        guard message.through.count <= Limits.relayedAcks - 2 else {
            throw ProtocolFault("a word came through \(message.through.count) devices")
        }
        var through: [DeviceID] = []
        for bytes in message.through {
            guard let device = DeviceID(bytes: bytes.array) else { throw ProtocolFault("a device is named by no id") }
            through.append(device)
        }
        let vector = VectorCoding.vector(try VectorCoding.read(message.entries, &incoming))
        // An acknowledgement that is no longer wanted, or of a profile that is not here, may have been on its way:
        // this is no fault of the peer.
        guard acks.wanted.contains(device), ledgers[profile] != nil else { return [] }
        acks.drop(profile, of: device)
        if !message.gone {
            acks.entries += vector.entries.count
            guard acks.entries <= Limits.entriesPerLink else {
                throw ProtocolFault("the vectors of words that it passes on grew beyond every limit")
            }
            acks.received[device, default: [:]][profile] =
                PeerAck(vector: vector, isFileBehind: message.fileBehind, through: through)
        }
        return [.ack(profile, of: device)]
    }
}
