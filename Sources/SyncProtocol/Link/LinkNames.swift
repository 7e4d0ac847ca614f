import MergeCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One dictionary of names of a link, at the sender: the numbers that were given to names.
struct SentNames<Name: Hashable> {
    let limit: Int
    private var numbers: [Name: UInt32] = [:]

    init(limit: Int) { self.limit = limit }

    /// How to send `name`: by its number alone; by number and bytes where the name is new; or by its bytes with number
    /// 0, because the dictionary is full.
    mutating func refer(to name: Name) -> (number: UInt32, withBytes: Bool) {
        if let number = numbers[name] { return (number, false) }
        guard numbers.count < limit else { return (0, true) }
        let number = UInt32(numbers.count + 1)
        numbers[name] = number
        return (number, true)
    }
}

/// One dictionary of names of a link, at the receiver: the names by their numbers.
struct KnownNames<Name> {
    let limit: Int
    /// The kind of name, for error messages.
    let what: String
    private var names: [Name] = []

    init(limit: Int, what: String) {
        self.limit = limit
        self.what = what
    }

    mutating func resolve(_ number: UInt32, _ bytes: Data, _ parse: (Data) -> Name?) throws(ProtocolFault) -> Name {
        if bytes.isEmpty {
            guard number > 0, number <= names.count else {
                throw ProtocolFault("\(what) number \(number) was never defined on this link")
            }
            return names[Int(number) - 1]
        }
        guard let name = parse(bytes) else {
            throw ProtocolFault("\(what) is named by \(bytes.count) bytes that are none")
        }
        guard number > 0 else { return name }
        guard names.count < limit, number == names.count + 1 else {
            throw ProtocolFault("\(what) number \(number) is defined out of turn")
        }
        names.append(name)
        return name
    }
}

/// The dictionary of epochs at the receiver. The bytes of new epochs are in a separate column beside the numbers.
struct KnownEpochs {
    private var epochs: [EpochID] = []

    /// - Parameter new: Takes the bytes of the next new epoch; called at most once.
    mutating func resolve(
        _ number: UInt32, new: () throws(ProtocolFault) -> [UInt8]
    ) throws(ProtocolFault) -> EpochID? {
        guard number > 0 else { return nil }
        if number <= epochs.count { return epochs[Int(number) - 1] }
        guard number == epochs.count + 1 else { throw ProtocolFault("epoch number \(number) is used out of turn") }
        let bytes = try new()
        guard let epoch = EpochID(bytes: bytes) else {
            throw ProtocolFault("an epoch is named by \(bytes.count) bytes that are none")
        }
        if epochs.count < Limits.epochNames { epochs.append(epoch) }
        return epoch
    }
}

/// The dictionaries of the outgoing direction: the names that this side gave numbers.
struct OutgoingNames {
    private var profiles = SentNames<ProfileID>(limit: Limits.names)
    private var replicas = SentNames<ReplicaID>(limit: Limits.names)
    private var devices = SentNames<DeviceKey>(limit: Limits.deviceNames)
    private var epochs = SentNames<EpochID>(limit: Limits.epochNames)
    /// The lead of the next frame: up to 8 bytes that its first content may share with the frames before.
    private(set) var lead: [UInt8] = []

    mutating func profile(_ id: ProfileID) -> (number: UInt32, bytes: [UInt8]) {
        let (number, withBytes) = profiles.refer(to: id)
        return (number, withBytes ? id.bytes : [])
    }

    mutating func replica(_ id: ReplicaID) -> (number: UInt32, bytes: [UInt8]) {
        let (number, withBytes) = replicas.refer(to: id)
        return (number, withBytes ? id.bytes : [])
    }

    mutating func device(_ key: DeviceKey) -> (number: UInt32, bytes: [UInt8]) {
        let (number, withBytes) = devices.refer(to: key)
        return (number, withBytes ? key.bytes : [])
    }

    mutating func epoch(_ id: EpochID?) -> (number: UInt32, bytes: [UInt8]) {
        guard let id else { return (0, []) }
        let (number, withBytes) = epochs.refer(to: id)
        return (number == 0 ? UInt32(Limits.epochNames) + 1 : number, withBytes ? id.bytes : [])
    }

    mutating func sent(_ content: some Collection<UInt8>) {
        if content.count >= 8 { lead = Array(content.prefix(8)) }
    }
}

/// The dictionaries of the incoming direction: the names that the peer gave numbers.
struct IncomingNames {
    private var profiles = KnownNames<ProfileID>(limit: Limits.names, what: "profile")
    private var replicas = KnownNames<ReplicaID>(limit: Limits.names, what: "replica")
    private var devices = KnownNames<DeviceKey>(limit: Limits.deviceNames, what: "device key")
    var epochs = KnownEpochs()
    /// The lead of the next frame: up to 8 bytes that its first content may share with the frames before.
    private(set) var lead: [UInt8] = []

    mutating func profile(_ number: UInt32, _ bytes: Data) throws(ProtocolFault) -> ProfileID {
        try profiles.resolve(number, bytes) { ProfileID(bytes: $0) }
    }

    mutating func replica(_ number: UInt32, _ bytes: Data) throws(ProtocolFault) -> ReplicaID {
        try replicas.resolve(number, bytes) { ReplicaID(bytes: $0) }
    }

    mutating func device(_ number: UInt32, _ bytes: Data) throws(ProtocolFault) -> DeviceKey {
        try devices.resolve(number, bytes) { DeviceKey($0) }
    }

    mutating func received(_ content: some Collection<UInt8>) {
        if content.count >= 8 { lead = Array(content.prefix(8)) }
    }
}
