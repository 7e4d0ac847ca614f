package import HouseholdAgent

/// Which instances are devices of the household, and which are strangers, of which there may be any number.
extension InstanceTable {
    /// The household has another secret: all instances are judged by that one.
    package mutating func read(by household: TagReader) {
        guard household != self.household else { return }
        self.household = household
        for name in instances.keys { judge(name) }
    }

    /// What an instance has turned out to be.
    func standing(of name: String) -> InstanceStanding { instances[name]?.standing ?? .stranger }

    /// The instances that lost their place since the last call: they are not to be followed any longer.
    package mutating func takeEvicted() -> [String] {
        defer { evicted = [] }
        return evicted
    }

    /// Judges an instance by its tag, once its port and its TXT record are known.
    mutating func judge(_ name: String) {
        guard let instance = instances[name], let txt = instance.txt, !instance.ports.isEmpty else { return }
        let isMember = household.knows(name, ports: instance.ports, txt: txt)
        instances[name]?.standing = isMember ? .member : .stranger
        if isMember {
            strangers.remove(name)
            toldStrangers.remove(name)
        } else {
            strangers.insert(name)
            if instance.reported != nil { toldStrangers.insert(name) }
        }
    }

    /// Whether only the name of an instance is remembered: it is a stranger, and enough of those are told.
    func isUntold(_ name: String) -> Bool {
        guard let instance = instances[name], instance.standing == .stranger else { return false }
        return instance.reported == nil && toldStrangers.count >= limits.strangers
    }

    /// Forgets all of a stranger but its name. It is told when it is followed the next time, if there is room by then.
    mutating func strip(_ name: String) -> DiscoveryEvent? {
        instances[name]?.txt = nil
        for place in instances[name]?.views.keys.map({ $0 }) ?? [] {
            instances[name]?.views[place]?.addresses = []
            instances[name]?.views[place]?.staleAddresses = []
        }
        return nil
    }

    /// Makes room for an instance that is not known yet, in place of a stranger where need be.
    mutating func makeRoom() -> Bool {
        if instances.count < limits.instances { return true }
        guard let name = strangers.first else { return false }
        evicted.append(name)
        drop(name)
        return true
    }

    /// Forgets an instance.
    mutating func drop(_ name: String) {
        if instances.removeValue(forKey: name)?.reported != nil { lost.insert(name) }
        strangers.remove(name)
        toldStrangers.remove(name)
        changed.remove(name)
        fading.remove(name)
    }
}
