import HouseholdAgent
import MergeCore

/// Announcements of agents, and how the others see them come and go.
extension SimulatedHousehold {
    /// What happens by multicast DNS.
    enum DiscoveryItem {
        /// An announcement arrives at another device; `nil` in place of its text takes it back.
        case announcement(from: Int, to: Int, instance: String, ServiceAnnouncement?)
        /// What a device has not heard of for long is gone for it.
        case end(Int, instance: String)
        /// A device announces itself again.
        case renewal(Int, instance: String)
    }

    /// A device announces itself, or under another name than before.
    func announce(_ announcement: ServiceAnnouncement, from device: Int) {
        let former = devices[device].announced
        devices[device].announced = announcement
        guard discovery != nil else { return }
        if let former, former.instance != announcement.instance { send(nil, of: former.instance, from: device) }
        send(announcement, of: announcement.instance, from: device)
        if let former, former.looks != announcement.looks {
            agenda.add(.event(device: device, .discovery(.seesItself(true))), at: now)
        }
        guard former?.instance != announcement.instance else { return }
        add(.renewal(device, instance: announcement.instance), after: SimulatedDiscovery.renewal)
    }

    /// An agent that starts looks for the others, which answer.
    func lookForOthers(_ device: Int) {
        guard discovery != nil else { return }
        discovery!.forgetAll(for: device)
        deliver(device, .discovery(.running(backend: "simulated", interfaces: [])))
        deliver(device, .discovery(.seesItself(true)))
        askOthers(device)
    }

    /// A device asks who is there, as at its start and when it wakes.
    func askOthers(_ device: Int) {
        guard discovery != nil else { return }
        for other in devices.indices where other != device && devices[other].isRunning {
            guard let announcement = devices[other].announced else { continue }
            send(announcement, of: announcement.instance, from: other, to: device)
        }
    }

    /// Lets every device that runs find all others at once.
    package func showAll() {
        for device in devices.indices where devices[device].isRunning {
            for other in devices.indices where other != device && network.carries(from: other, to: device) {
                guard devices[other].isRunning, let shown = devices[other].announced else { continue }
                let addresses = [PeerAddress(host: devices[other].host, port: shown.port)]
                deliver(
                    device, .discovery(.found(instance: shown.instance, addresses: addresses, txt: shown.txt)))
            }
        }
    }

    func happen(_ item: DiscoveryItem) {
        switch item {
        case .announcement(let from, let to, let instance, let announcement):
            guard network.carries(from: from, to: to), devices[to].isRunning, !devices[to].isAsleep else { return }
            guard let announcement else {
                if discovery!.forget(instance, for: to) { deliver(to, .discovery(.lost(instance: instance))) }
                return
            }
            let isNew = discovery!.came(announcement, to: to, now: now)
            add(.end(to, instance: instance), after: SimulatedDiscovery.lifetime)
            guard isNew else { return }
            let addresses = [PeerAddress(host: devices[from].host, port: announcement.port)]
            deliver(to, .discovery(.found(instance: instance, addresses: addresses, txt: announcement.txt)))
        case .end(let device, let instance):
            guard discovery!.ended(instance, for: device, now: now) else { return }
            deliver(device, .discovery(.lost(instance: instance)))
        case .renewal(let device, let instance):
            // Under another name it is renewed by itself.
            guard let announcement = devices[device].announced, announcement.instance == instance else { return }
            if devices[device].isRunning, !devices[device].isAsleep {
                send(announcement, of: instance, from: device)
            }
            add(.renewal(device, instance: instance), after: SimulatedDiscovery.renewal)
        }
    }

    private func send(_ announcement: ServiceAnnouncement?, of instance: String, from device: Int) {
        for other in devices.indices where other != device {
            send(announcement, of: instance, from: device, to: other)
        }
    }

    private func send(
        _ announcement: ServiceAnnouncement?, of instance: String, from device: Int, to other: Int
    ) {
        guard !discovery!.isLost() else { return }
        let item = DiscoveryItem.announcement(from: device, to: other, instance: instance, announcement)
        add(item, after: .milliseconds(discovery!.transit()))
    }

    private func add(_ item: DiscoveryItem, after time: Duration) { agenda.add(.discovery(item), at: now + time) }
}
