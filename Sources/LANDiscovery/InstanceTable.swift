package import HouseholdAgent

/// The table of the instances on the network; it computes the events that follow from each change.
///
/// It does no input or output: both backends feed it and report the events that it returns. A responder shows one
/// instance once for each place (a network interface, and where the responder distinguishes them an address family);
/// the table merges these.
package struct InstanceTable: Sendable {
    /// The largest number of instances, and of addresses of each, that are remembered. The network may be hostile.
    package struct Limits: Sendable {
        package var instances = 16_384
        package var addresses = 16
        /// Strangers that are told at the same time, and of which more than the name is remembered.
        package var strangers = 256
        package init() {}
    }

    /// The place where an instance was seen.
    package struct Place: Hashable, Sendable {
        /// The interface's index.
        package var interface: UInt32
        /// The responder's number of the address family; -1 where it does not distinguish families.
        package var family: Int32

        package init(interface: UInt32, family: Int32 = -1) {
            self.interface = interface
            self.family = family
        }
    }

    /// The answer to a sighting: it says what the backend has to do.
    package enum Sighting: Sendable {
        /// Not seen at this place before: the backend has to ask for its port, TXT record and addresses.
        case new
        /// Already being followed.
        case known
        /// This device's own announcement.
        case own
        /// Beyond the limit: not to be followed.
        case refused
    }

    struct View {
        var sightings = 1
        var isStale = false
        var port: UInt16?
        var addresses: [String] = []
        /// Addresses from before the browse was restarted that no reply has confirmed yet.
        var staleAddresses: Set<String> = []
    }

    struct Instance {
        var views: [Place: View] = [:]
        /// The TXT strings; nil until the record was read. Nothing is reported before, because the strings identify the
        /// household.
        var txt: [String: String]?
        var reported: DiscoveryEvent?
        var standing = InstanceStanding.unknown

        var ports: [UInt16] { views.values.compactMap(\.port) }
    }

    let limits: Limits
    var instances: [String: Instance] = [:]
    private var ownNames: Set<String> = []
    /// Instances that have changed and whose events are not computed yet.
    var changed: Set<String> = []
    /// Instances that were told, and are gone since the last `takeChanges`.
    var lost: Set<String> = []
    /// Instances that lost an address since the last `settle`.
    var fading: Set<String> = []
    /// Instances whose tags are not of the household, and those of them that were told.
    var strangers: Set<String> = []
    var toldStrangers: Set<String> = []
    /// Instances that lost their place to others since the last `takeEvicted`.
    var evicted: [String] = []
    private var noted: Set<String> = []
    /// Tells the household's instances from others.
    var household = TagReader()
    /// Sentences about things that were left out, each once in the table's life. The caller logs them and empties the
    /// list.
    package var notes: [String] = []

    package init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// How many instances are remembered.
    package var count: Int { instances.count }

    /// Adds a name under which this device publishes itself; such instances are never reported.
    package mutating func addOwn(_ name: String) {
        ownNames.insert(name)
        drop(name)
    }

    /// An instance was seen at a place.
    package mutating func sighted(_ name: String, at place: Place) -> Sighting {
        guard !ownNames.contains(name) else { return .own }
        if instances[name] == nil, !makeRoom() {
            note("more than \(limits.instances) instances on the network: the others are left out")
            return .refused
        }
        var instance = instances[name] ?? Instance()
        defer { instances[name] = instance }
        guard var view = instance.views[place] else {
            instance.views[place] = View()
            return .new
        }
        let wasStale = view.isStale
        view.sightings = wasStale ? 1 : view.sightings + 1
        view.isStale = false
        instance.views[place] = view
        return wasStale ? .new : .known
    }

    /// An instance is gone from a place; true if no other sighting at this place is left.
    package mutating func vanished(_ name: String, at place: Place) -> Bool {
        guard let view = instances[name]?.views[place] else { return true }
        if view.sightings > 1 {
            instances[name]?.views[place]?.sightings -= 1
            return false
        }
        instances[name]?.views[place] = nil
        changed.insert(name)
        return true
    }

    /// The port of an instance became known or changed.
    package mutating func described(_ name: String, at place: Place, port: UInt16) {
        guard instances[name]?.views[place] != nil else { return }
        instances[name]?.views[place]?.port = port
        judge(name)
        changed.insert(name)
    }

    /// The TXT strings of an instance became known or changed.
    package mutating func described(_ name: String, txt: [String: String]) {
        guard instances[name] != nil else { return }
        instances[name]?.txt = txt
        judge(name)
        changed.insert(name)
    }

    /// An address of an instance appeared.
    package mutating func appeared(_ address: String, of name: String, at place: Place) {
        guard var view = instances[name]?.views[place], !isUntold(name) else { return }
        view.staleAddresses.remove(address)
        if !view.addresses.contains(address) {
            if view.addresses.count < limits.addresses {
                view.addresses.append(address)
            } else {
                note("an instance with more than \(limits.addresses) addresses: the others are left out")
            }
        }
        instances[name]?.views[place] = view
        changed.insert(name)
    }

    /// An address of an instance is gone.
    ///
    /// It is reported only after the next `settle`: a device that leaves withdraws its addresses just before its name.
    package mutating func disappeared(_ address: String, of name: String, at place: Place) {
        guard instances[name]?.views[place] != nil else { return }
        instances[name]?.views[place]?.addresses.removeAll { $0 == address }
        fading.insert(name)
    }

    /// Whether `settle` has something to do.
    package var isUnsettled: Bool { !fading.isEmpty }

    /// Reports the addresses that vanished since the last call.
    package mutating func settle() {
        changed.formUnion(fading)
        fading = []
    }

    /// The browse starts again: everything known must be confirmed before the next `sweep`.
    package mutating func markStale() {
        for (name, instance) in instances {
            for (place, view) in instance.views {
                instances[name]?.views[place]?.isStale = true
                instances[name]?.views[place]?.staleAddresses = Set(view.addresses)
            }
        }
    }

    /// Forgets everything that was not confirmed since `markStale`.
    package mutating func sweep() {
        for (name, instance) in instances {
            instances[name]?.views = instance.views.filter { !$0.value.isStale }.mapValues { view in
                var view = view
                view.addresses.removeAll(where: view.staleAddresses.contains)
                view.staleAddresses = []
                return view
            }
            changed.insert(name)
        }
    }

    /// The events that follow from all changes since the last call, sorted by instance; each is given once.
    package mutating func takeChanges() -> [DiscoveryEvent] {
        let names = changed.sorted()
        changed = []
        defer { lost = [] }
        let gone = lost.sorted().map { DiscoveryEvent.lost(instance: $0) }
        return gone + names.compactMap { event(of: $0) }
    }

    /// Adds a sentence to `notes` unless the same one was added before.
    package mutating func note(_ sentence: String) {
        if noted.count < 64, noted.insert(sentence).inserted { notes.append(sentence) }
    }

    /// The event to report about an instance; nil when nothing has changed or too little is known.
    private mutating func event(of name: String) -> DiscoveryEvent? {
        guard let instance = instances[name] else { return nil }
        if instance.views.isEmpty {
            drop(name)
            return lost.remove(name).map { .lost(instance: $0) }
        }
        if instance.standing == .stranger, instance.reported == nil {
            guard toldStrangers.count < limits.strangers else { return strip(name) }
        }
        var addresses: Set<PeerAddress> = []
        for view in instance.views.values {
            guard let port = view.port else { continue }
            addresses.formUnion(view.addresses.map { PeerAddress(host: $0, port: port) })
        }
        guard !addresses.isEmpty, let txt = instance.txt else { return nil }
        let sorted = addresses.sorted { Self.rank($0) < Self.rank($1) }.prefix(limits.addresses)
        let event = DiscoveryEvent.found(instance: name, addresses: Array(sorted), txt: txt)
        guard event != instance.reported else { return nil }
        instances[name]?.reported = event
        if instance.standing == .stranger { toldStrangers.insert(name) }
        return event
    }

    /// The sort key of an address: IPv4 first, then IPv6, then link-local IPv6. In this order dialling is most likely
    /// to work.
    private static func rank(_ address: PeerAddress) -> (Int, String, UInt16) {
        let kind = address.host.contains("%") ? 2 : address.host.contains(":") ? 1 : 0
        return (kind, address.host, address.port)
    }
}
