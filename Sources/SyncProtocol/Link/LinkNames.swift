import MergeCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One dictionary of a link, at the side that sends: which names the peer has been given a number for.
struct SentNames<Name: Hashable> {
    let limit: Int
    private var numbers: [Name: UInt32] = [:]

    init(limit: Int) { self.limit = limit }

    /// How to say `name`: by a number alone, or by its bytes as well because they are new, or (number 0) by its bytes
    /// because the dictionary is full.
    mutating func refer(to name: Name) -> (number: UInt32, withBytes: Bool) {
        if let number = numbers[name] { return (number, false) }
        guard numbers.count < limit else { return (0, true) }
        let number = UInt32(numbers.count + 1)
        numbers[name] = number
        return (number, true)
    }
}

/// One dictionary of a link, at the side that receives.
struct KnownNames<Name> {
    let limit: Int
    /// For messages.
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

/// What this side has named to the peer.
struct OutgoingNames {
    private var profiles = SentNames<ProfileID>(limit: Limits.names)
    private var replicas = SentNames<ReplicaID>(limit: Limits.names)
    private var devices = SentNames<DeviceKey>(limit: Limits.deviceNames)

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
}

/// What the peer has named to this side.
struct IncomingNames {
    private var profiles = KnownNames<ProfileID>(limit: Limits.names, what: "profile")
    private var replicas = KnownNames<ReplicaID>(limit: Limits.names, what: "replica")
    private var devices = KnownNames<DeviceKey>(limit: Limits.deviceNames, what: "device key")

    mutating func profile(_ number: UInt32, _ bytes: Data) throws(ProtocolFault) -> ProfileID {
        try profiles.resolve(number, bytes) { ProfileID(bytes: $0) }
    }

    mutating func replica(_ number: UInt32, _ bytes: Data) throws(ProtocolFault) -> ReplicaID {
        try replicas.resolve(number, bytes) { ReplicaID(bytes: $0) }
    }

    mutating func device(_ number: UInt32, _ bytes: Data) throws(ProtocolFault) -> DeviceKey {
        try devices.resolve(number, bytes) { DeviceKey($0) }
    }
}
