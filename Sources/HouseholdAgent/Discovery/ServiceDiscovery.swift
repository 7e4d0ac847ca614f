import SyncProtocol

/// What this device publishes by DNS-SD, and which instances it sees: events of a backend in, effects out.
///
/// Discovery is a hint. Who an instance is comes from TLS; here its tag only tells whether it is worth a dial.
struct ServiceDiscovery {
    /// Instances remembered at most.
    static let instanceLimit = 256

    /// What the rest of the agent is to do.
    enum Effect {
        case publish(ServiceAnnouncement)
        /// A device of the household can be reached at these addresses, and no longer at others of that instance.
        case dial(instance: String, [PeerAddress])
        /// Nobody of the household is known under this instance any more.
        case forget(instance: String)
        /// A device that shows a pairing code can be reached at these addresses.
        case showsCode([PeerAddress])
        case log(LogLine)
    }

    /// An instance that a backend shows.
    private struct Instance {
        var addresses: [PeerAddress]
        /// What tells members that it is one of theirs.
        var tag: HouseholdTag?
        /// Whether it shows a pairing code at the moment.
        var isPairing: Bool
    }

    private struct Basis: Equatable {
        var port: UInt16
        var secret: [UInt8]
        var showsCode: Bool
    }

    /// Which backend carries discovery, for people to read.
    private(set) var status = "off"
    /// Why nothing can be found, in one sentence; `nil` while that is not so.
    private(set) var trouble: String?
    private var published: ServiceAnnouncement?
    /// What the announcement was made for: where nothing of that changes, it stays.
    private var basis: Basis?
    private var instances: [String: Instance] = [:]

    /// - Parameter secret: The household's; empty where this device is in none.
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
            trouble = nil
            return [.log(LogLine(.info, "looking for devices", ["backend": status]))]
        case .trouble(let why):
            defer { trouble = why }
            return trouble == why ? [] : [.log(LogLine(.warning, "devices cannot be found", ["why": why]))]
        }
    }

    /// Publishes how things stand, where that was not published yet.
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

    /// The instances of the household: to be dialled after its secret has changed.
    func members(secret: [UInt8]) -> [Effect] {
        instances.filter { $0.value.tag?.matches(secret: secret) == true }.sorted { $0.key < $1.key }
            .map { .dial(instance: $0.key, $0.value.addresses) }
    }

    /// Where devices can be reached that show a pairing code.
    var addressesWithCode: [PeerAddress] {
        instances.filter(\.value.isPairing).sorted { $0.key < $1.key }.flatMap(\.value.addresses)
    }

    private static func hexText(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
