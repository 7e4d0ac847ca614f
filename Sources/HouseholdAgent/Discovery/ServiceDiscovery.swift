import SyncProtocol

/// The DNS-SD part of an agent: what this device publishes, and which instances it sees. Events of a backend go in,
/// effects come out.
///
/// Discovery is only a hint: TLS proves which device an instance is. The tag in the TXT record only shows whether it is
/// worth dialling.
struct ServiceDiscovery {
    /// The largest number of remembered instances.
    static let instanceLimit = 256

    /// An effect that the rest of the agent carries out.
    enum Effect {
        case publish(ServiceAnnouncement)
        /// A device of the household can be reached at these addresses. Other addresses of that instance are no longer
        /// valid.
        case dial(instance: String, [PeerAddress])
        /// This instance is not a device of the household, or not any more.
        case forget(instance: String)
        /// A device that shows a pairing code can be reached at these addresses.
        case showsCode([PeerAddress])
        case log(LogLine)
    }

    /// An instance that a backend shows.
    private struct Instance {
        var addresses: [PeerAddress]
        /// The tag by which members recognise the instance as one of theirs.
        var tag: HouseholdTag?
        /// Whether the device shows a pairing code at the moment.
        var isPairing: Bool
    }

    private struct Basis: Equatable {
        var port: UInt16
        var secret: [UInt8]
        var showsCode: Bool
    }

    /// The backend that carries discovery, for people to read.
    private(set) var status = "off"
    /// The reason why nothing can be found, in one sentence; `nil` while discovery works.
    private(set) var trouble: String?
    /// Whether this device has seen its own announcement; `nil` while that is not known.
    private(set) var seesItself: Bool?
    private var published: ServiceAnnouncement?
    /// The values from which the announcement was made. It stays while none of them changes.
    private var basis: Basis?
    private var instances: [String: Instance] = [:]

    /// Takes an event of the backend.
    ///
    /// - Parameter secret: The household's secret; empty where this device is in no household.
    mutating func happened(_ event: DiscoveryEvent, secret: [UInt8]) -> [Effect] {
        switch event {
        case .found(let name, let addresses, let txt):
            guard name != published?.instance, instances[name] != nil || instances.count < Self.instanceLimit else {
                return []
            }
            let instance = Instance(
                addresses: addresses, tag: txt["tag"].flatMap { HouseholdTag(text: $0) }, isPairing: txt["pair"] == "1")
            instances[name] = instance
            let isMember = instance.tag?.matches(secret: secret) == true
            let effect = isMember ? Effect.dial(instance: name, addresses) : .forget(instance: name)
            return instance.isPairing ? [effect, .showsCode(addresses)] : [effect]
        case .lost(let name):
            instances[name] = nil
            return [.forget(instance: name)]
        case .running(let backend, let interfaces):
            status = interfaces.isEmpty ? backend : "\(backend) on \(interfaces.joined(separator: ", "))"
            (trouble, seesItself) = (nil, nil)
            return [.log(LogLine(.info, "looking for devices", ["backend": status]))]
        case .seesItself(let isSeen):
            seesItself = isSeen
            return []
        case .trouble(let why):
            defer { (trouble, seesItself) = (why, nil) }
            return trouble == why ? [] : [.log(LogLine(.warning, "devices cannot be found", ["why": why]))]
        }
    }

    /// Publishes the present announcement, unless it is published already.
    mutating func publish(
        port: UInt16, secret: [UInt8], showsCode: Bool, random: inout some RandomNumberGenerator
    ) -> [Effect] {
        let basis = Basis(port: port, secret: secret, showsCode: showsCode)
        guard basis != self.basis else { return [] }
        self.basis = basis
        func fresh() -> [UInt8] { (0..<8).map { _ in random.next() } }
        var next = published ?? ServiceAnnouncement(instance: Self.hexText(fresh()), port: port, txt: ["v": "1"])
        next.port = port
        if secret.isEmpty {
            next.txt["tag"] = nil
        } else {
            let nonce = next.txt["tag"].flatMap { HouseholdTag(text: $0) }?.nonce ?? fresh()
            next.txt["tag"] = HouseholdTag(nonce: nonce, secret: secret).text
        }
        next.txt["pair"] = showsCode ? "1" : nil
        published = next
        return [.publish(next)]
    }

    /// Effects that dial all seen instances of the household, for after its secret has changed.
    func members(secret: [UInt8]) -> [Effect] {
        instances.filter { $0.value.tag?.matches(secret: secret) == true }.sorted { $0.key < $1.key }
            .map { .dial(instance: $0.key, $0.value.addresses) }
    }

    /// The addresses of the devices that show a pairing code.
    var addressesWithCode: [PeerAddress] {
        instances.filter(\.value.isPairing).sorted { $0.key < $1.key }.flatMap(\.value.addresses)
    }

    private static func hexText(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
