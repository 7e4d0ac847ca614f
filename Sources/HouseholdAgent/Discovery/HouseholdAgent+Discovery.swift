import MergeCore
import SyncProtocol

/// Publishing by DNS-SD, and dialling discovered devices.
extension HouseholdAgent {
    mutating func discoveryHappened(_ event: DiscoveryEvent, now: Moment) {
        let hour = HouseholdTag.hour(of: now.wall)
        perform(discovery.happened(event, household: household.tagReader, hour: hour), now: now)
    }

    /// Publishes the present announcement, unless it is published already.
    mutating func publish(now: Moment) {
        guard let port else { return }
        let (household, showsCode) = (household.tagReader, pairing.isShowing)
        let effects = discovery.publish(
            port: port, household: household, showsCode: showsCode, now: now, random: &random)
        perform(effects, now: now)
    }

    /// Dials the instances that belong to the household now, since it has another secret.
    mutating func dialMembers(now: Moment) {
        let hour = HouseholdTag.hour(of: now.wall)
        perform(discovery.members(household: household.tagReader, hour: hour), now: now)
    }

    mutating func perform(_ effects: [ServiceDiscovery.Effect], now: Moment) {
        for effect in effects {
            switch effect {
            case .publish(let announcement): act(.announce(announcement))
            case .dial(let instance, let addresses, let isSure):
                plan.replace(instance, with: addresses, now: now.monotonic)
                // The device has just announced itself, so it can be reached now.
                if isSure { for address in addresses { plan.hurry(address, now: now.monotonic) } }
            case .forget(let instance): plan.forget(.discovered(instance))
            case .showsCode(let addresses): pairing.found(addresses)
            case .log(let line): act(.log(line))
            }
        }
    }
}
