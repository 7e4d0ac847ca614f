import MergeCore

/// Publishing by DNS-SD, and dialling discovered devices.
extension HouseholdAgent {
    mutating func discoveryHappened(_ event: DiscoveryEvent, now: Moment) {
        perform(discovery.happened(event, secret: household.secret), now: now)
    }

    /// Publishes the present announcement, unless it is published already.
    mutating func publish(now: Moment) {
        guard let port else { return }
        let (secret, showsCode) = (household.secret, pairing.isShowing)
        perform(discovery.publish(port: port, secret: secret, showsCode: showsCode, random: &random), now: now)
    }

    mutating func perform(_ effects: [ServiceDiscovery.Effect], now: Moment) {
        for effect in effects {
            switch effect {
            case .publish(let announcement): act(.announce(announcement))
            case .dial(let instance, let addresses):
                plan.replace(instance, with: addresses, now: now.monotonic)
                // The device has just announced itself, so it can be reached now.
                for address in addresses { plan.hurry(address, now: now.monotonic) }
            case .forget(let instance): plan.forget(.discovered(instance))
            case .showsCode(let addresses): pairing.found(addresses)
            case .log(let line): act(.log(line))
            }
        }
    }
}
