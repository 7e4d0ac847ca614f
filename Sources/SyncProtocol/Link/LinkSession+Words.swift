import MergeCore

/// Words of other members, sent and received; see Sync.proto. All that the peer passes on is bounded here, before
/// anybody acts on it.
extension LinkSession {
    // MARK: Sending

    mutating func wantWords(of devices: Set<DeviceID>) -> [LinkAction] {
        precondition(devices.count <= Limits.words, "the words of \(devices.count) devices are wanted")
        guard devices != words.wanted else { return [] }
        for (device, heard) in words.heard where !devices.contains(device) {
            for profile in heard.keys { words.drop(profile, of: device) }
            words.heard[device] = nil
        }
        words.wanted = devices
        var message = WireWordsWanted()
        message.devices = devices.sorted().map(\.bytes.wire)
        return [.send(WireFrame.bytes(.wordsWanted(message)))]
    }

    mutating func pass(_ word: PeerWord?, about profile: ProfileID, of device: DeviceID) -> [LinkAction] {
        guard words.peerWants.contains(device), words.passed[device]?[profile] != word else { return [] }
        words.passed[device, default: [:]][profile] = word
        var message = WireWord()
        let (number, bytes) = outgoing.profile(profile)
        message.profile = number
        if !bytes.isEmpty { message.profileID = bytes.wire }
        message.device = device.bytes.wire
        if let word {
            message.through = word.through.map(\.bytes.wire)
            message.entries = VectorCoding.write(word.vector, &outgoing)
            message.fileBehind = word.isFileBehind
        } else {
            message.gone = true
        }
        return [.send(WireFrame.bytes(.word(message)))]
    }

    // MARK: Receiving

    mutating func receive(_ message: WireWordsWanted) throws(ProtocolFault) -> [LinkAction] {
        guard message.devices.count <= Limits.words else {
            throw ProtocolFault("it wants the words of \(message.devices.count) devices, more than \(Limits.words)")
        }
        var wanted: Set<DeviceID> = []
        for bytes in message.devices {
            guard let device = DeviceID(bytes: bytes.array) else { throw ProtocolFault("a device is named by no id") }
            wanted.insert(device)
        }
        words.peerWants = wanted
        // A peer that stops wanting a device's words has forgotten them: they have to be sent again if it wants them
        // later.
        words.passed = words.passed.filter { wanted.contains($0.key) }
        return [.wordsWanted]
    }

    mutating func receive(_ message: WireWord) throws(ProtocolFault) -> [LinkAction] {
        let profile = try incoming.profile(message.profile, message.profileID)
        guard let device = DeviceID(bytes: message.device.array) else {
            throw ProtocolFault("a device is named by no id")
        }
        guard message.through.count <= Limits.words - 2 else {
            throw ProtocolFault("a word came through \(message.through.count) devices")
        }
        var through: [DeviceID] = []
        for bytes in message.through {
            guard let device = DeviceID(bytes: bytes.array) else { throw ProtocolFault("a device is named by no id") }
            through.append(device)
        }
        let vector = VectorCoding.vector(try VectorCoding.read(message.entries, &incoming))
        // A word that is no longer wanted, or of a profile that is not here, may have been under way: no mistake of the
        // peer.
        guard words.wanted.contains(device), ledgers[profile] != nil else { return [] }
        words.drop(profile, of: device)
        if !message.gone {
            words.entries += vector.entries.count
            guard words.entries <= Limits.entriesPerLink else {
                throw ProtocolFault("the vectors of words that it passes on grew beyond every limit")
            }
            words.heard[device, default: [:]][profile] =
                PeerWord(vector: vector, isFileBehind: message.fileBehind, through: through)
        }
        return [.word(profile, of: device)]
    }
}
