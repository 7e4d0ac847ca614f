import MergeCore
import ProfileKeeping
import SyncProtocol

/// An instance that discovery shows.
struct Instance {
    var addresses: [PeerAddress]
    /// What tells members that it is one of theirs.
    var tag: HouseholdTag?
    /// Whether it shows a pairing code at the moment.
    var isPairing: Bool
}

/// What this device publishes, and what it makes of others.
extension HouseholdAgent {
    /// Instances remembered at most.
    private static var instanceLimit: Int { 256 }

    mutating func discoveryHappened(_ event: DiscoveryEvent, now: Int64) {
        switch event {
        case .found(let name, let addresses, let txt):
            guard name != announcement?.instance else { return }
            guard instances[name] != nil || instances.count < Self.instanceLimit else { return }
            let instance = Instance(
                addresses: addresses, tag: txt["tag"].flatMap { HouseholdTag(text: $0) }, isPairing: txt["pair"] == "1")
            instances[name] = instance
            if instance.tag?.matches(secret: household.secret) == true {
                plan.replace(name, with: addresses, now: now)
                // It speaks up, so it can be reached.
                for address in addresses { plan.hurry(address, now: now) }
            } else {
                plan.forget(.discovered(name))
            }
            pairingFound(instance, now: now)
        case .lost(let name):
            instances[name] = nil
            plan.forget(.discovered(name))
        case .running(let backend, let interfaces):
            discoveryStatus = interfaces.isEmpty ? backend : "\(backend) on \(interfaces.joined(separator: ", "))"
            discoveryTrouble = nil
            log(.info, "looking for devices", ["backend": discoveryStatus])
        case .trouble(let why):
            if discoveryTrouble != why { log(.warning, "devices cannot be found", ["why": why]) }
            discoveryTrouble = why
        }
    }

    /// Publishes what is true now, where that differs from what was published.
    mutating func announce() {
        guard let port else { return }
        var next = announcement ?? ServiceAnnouncement(instance: hexText(freshBytes(8)), port: port, txt: ["v": "1"])
        next.port = port
        if household.secret.isEmpty {
            next.txt["tag"] = nil
        } else {
            let nonce = next.txt["tag"].flatMap { HouseholdTag(text: $0) }?.nonce ?? freshBytes(8)
            next.txt["tag"] = HouseholdTag(nonce: nonce, secret: household.secret).text
        }
        next.txt["pair"] = pairing.isShowing ? "1" : nil
        guard next != announcement else { return }
        announcement = next
        actions.append(.announce(next))
    }

    private func hexText(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
