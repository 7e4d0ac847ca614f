import MergeCore

/// The state of finding out by hashes of ranges what differs; see "Ranges" in Sync.proto.
struct RangeExchange {
    /// What this device covers now.
    var covered = CoveredProfiles()
    /// The salt of this device's hashes; `nil` where it sent a list.
    private(set) var salt: [UInt8]?
    /// The ranges whose hashes or lists this device has sent. The peer is answered once about each.
    private var told: Set<ProfileRange> = [.whole]
    /// The salt of the peer's hashes; `nil` where it sent a list.
    var peersSalt: [UInt8]?
    /// The ranges that the peer was asked about and has not answered.
    var open: Set<ProfileRange> = []

    /// The first message, in place of a list.
    mutating func begin(salt: UInt64) -> WireRanges {
        self.salt = Array(ProfileID(high: salt, low: 0).bytes.prefix(8))
        var message = hashes(of: .whole)
        message.salt = (self.salt ?? []).wire
        return message
    }

    /// The hashes of the sixteen parts of a range.
    mutating func hashes(of range: ProfileRange) -> WireRanges {
        var message = WireRanges()
        message.digits = range.text
        var hashes: [UInt8] = []
        for part in range.parts { hashes += covered.fingerprint(of: part, salt: salt ?? []) }
        message.hashes = hashes.wire
        return message
    }

    /// Reads a range that the peer asks about.
    mutating func asked(_ digits: String) throws(ProtocolFault) -> ProfileRange {
        guard salt != nil, let range = ProfileRange(digits), told.insert(range).inserted else {
            throw ProtocolFault("it asks for a range of profiles that it may not ask for, or a second time")
        }
        return range
    }
}

/// Hashes of ranges of profiles, sent and received. Everything that the peer sends is limited here, before other code
/// uses it.
extension LinkSession {
    /// Whether the peer has begun to say what it covers, so that it may say more.
    var isPeerHeard: Bool { isPeerListed || ranges.peersSalt != nil }

    // MARK: Asking

    /// The peer's hashes of the parts of a range: those that differ are asked about.
    mutating func receive(_ message: WireRanges) throws(ProtocolFault) -> [LinkAction] {
        let salt = try admit(message)
        guard let range = ProfileRange(message.digits) else { preconditionFailure("it was admitted") }
        let hashes = message.hashes.array
        let size = CoveredProfiles.nothing.count
        var (wanted, actions): (WireRangesWanted, [LinkAction]) = (WireRangesWanted(), [])
        for (index, part) in range.parts.enumerated() {
            let theirs = Array(hashes[index * size..<(index + 1) * size])
            if theirs == ranges.covered.fingerprint(of: part, salt: salt) {
                actions += try areAlike(part)
            } else if theirs == CoveredProfiles.nothing {
                actions += isListed(part)
            } else {
                ranges.open.insert(part)
                if ranges.covered.count(in: part) == 0 {
                    wanted.lists.append(part.text)
                } else {
                    wanted.digits.append(part.text)
                }
            }
        }
        let isNothingWanted = wanted.lists.isEmpty && wanted.digits.isEmpty
        return (isNothingWanted ? [] : [.send(WireFrame.bytes(.rangesWanted(wanted)))]) + actions + endOfRanges()
    }

    /// Checks that hashes were asked for, or are the first, and that they are as many as there are parts.
    private mutating func admit(_ message: WireRanges) throws(ProtocolFault) -> [UInt8] {
        let size = CoveredProfiles.nothing.count
        guard let range = ProfileRange(message.digits), !range.isSmallest, message.hashes.count == 16 * size else {
            throw ProtocolFault("hashes came of a range that has none")
        }
        if let salt = ranges.peersSalt {
            guard ranges.open.remove(range) != nil else { throw ProtocolFault("hashes of a range came unasked") }
            return salt
        }
        guard range == .whole, !isPeerListed, message.salt.count == size else {
            throw ProtocolFault("hashes of ranges came beside a list of profiles, or without salt")
        }
        ranges.peersSalt = message.salt.array
        return message.salt.array
    }

    /// The peer listed ranges to their end.
    mutating func listed(_ texts: [String]) throws(ProtocolFault) -> [LinkAction] {
        var actions: [LinkAction] = []
        for text in texts {
            guard let range = ProfileRange(text), ranges.open.remove(range) != nil else {
                throw ProtocolFault("a range of profiles was listed unasked")
            }
            actions += isListed(range)
        }
        return actions + endOfRanges()
    }

    /// Both sides cover the same in a range.
    private mutating func areAlike(_ range: ProfileRange) throws(ProtocolFault) -> [LinkAction] {
        ledgers.areAlike(range)
        var actions: [LinkAction] = []
        for profile in ledgers.profiles where range.contains(profile) {
            // What the peer stated anew says more than the hash.
            guard ledgers[profile]?.isListed == false, let vector = ranges.covered[profile] else { continue }
            try raise(profile, by: vector)
            ledgers[profile]?.isListed = true
            actions += request(profile)
        }
        return actions
    }

    /// The peer has listed all that it has of a range: of the rest of it, it covers nothing.
    private mutating func isListed(_ range: ProfileRange) -> [LinkAction] {
        var actions: [LinkAction] = []
        for (profile, _) in ranges.covered.all(in: range) {
            ledgers[profile]?.isListed = true
            actions += request(profile)
        }
        return actions
    }

    private mutating func endOfRanges() -> [LinkAction] {
        guard !isPeerListed, ranges.peersSalt != nil, ranges.open.isEmpty else { return [] }
        isPeerListed = true
        return ledgers.profiles.flatMap { request($0) } + [.listed]
    }

    // MARK: Answering

    /// The peer asks about ranges: about small ones, and those of which it has nothing, it is told by a list.
    mutating func receive(_ wanted: WireRangesWanted) throws(ProtocolFault) -> [LinkAction] {
        var (listed, bytes): ([ProfileRange], [UInt8]) = ([], [])
        for digits in wanted.lists { listed.append(try ranges.asked(digits)) }
        for digits in wanted.digits {
            let range = try ranges.asked(digits)
            if range.isSmallest || ranges.covered.count(in: range) <= Limits.listedOfRange {
                listed.append(range)
            } else {
                bytes += WireFrame.bytes(.ranges(ranges.hashes(of: range)))
            }
        }
        if !listed.isEmpty { bytes += list(listed) { $0.ranges = listed.map(\.text) } }
        return bytes.isEmpty ? [] : [.send(bytes)]
    }
}
