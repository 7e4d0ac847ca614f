/// Publishing by DNS-SD, and what follows from discovered devices.
extension HouseholdAgent {
    mutating func discoveryHappened(_ event: DiscoveryEvent, now: Int64) {
        perform(discovery.happened(event, secret: household.secret), now: now)
    }

    /// Publishes the present announcement, where it was not published yet.
    mutating func publish(now: Int64) {
        guard let port else { return }
        let (secret, showsCode) = (household.secret, pairing.isShowing)
        perform(discovery.publish(port: port, secret: secret, showsCode: showsCode, random: &random), now: now)
    }

    mutating func perform(_ effects: [ServiceDiscovery.Effect], now: Int64) {
        for effect in effects {
            switch effect {
            case .publish(let announcement): act(.announce(announcement))
            case .dial(let instance, let addresses):
                plan.replace(instance, with: addresses, now: now)
                // It has just announced itself, so it can be reached now.
                for address in addresses { plan.hurry(address, now: now) }
            case .forget(let instance): plan.forget(.discovered(instance))
            case .showsCode(let addresses): pairing.found(addresses)
            case .log(let line): act(.log(line))
            }
        }
    }
}
