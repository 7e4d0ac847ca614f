import CDNSSD
import HouseholdAgent
import Libc

/// Waits until one of the descriptors can be read. The system's `poll` is called here, because a method of the backend
/// has that name.
private func waitUntilReady(_ descriptors: inout [pollfd], _ milliseconds: Int32) -> Int32 {
    poll(&descriptors, nfds_t(descriptors.count), milliseconds)
}

/// Discovery through the system's responder (dns_sd.h): mDNSResponder on macOS, avahi-daemon on Linux.
///
/// Handles do not work again after the daemon was restarted. So every failure of the publishing or browsing handle ends
/// the backend, and the loop makes a new one.
final class SystemBackend: DiscoveryBackend {
    /// The number of slots: how many instances are followed at the same time. With Avahi each of an instance's three
    /// handles is a thread, a connection to D-Bus and five file descriptors, of which a process often has only 1,024.
    /// More instances take turns.
    private static let slots = 16
    /// How long an instance keeps its slot while another waits.
    private static let slotTime = Duration.seconds(3)

    let name = "system"
    private(set) var failure: String?

    private let library: DNSSDLibrary
    private let sink: any InstanceSink
    private let mailbox: Mailbox
    /// The indexes of the interfaces; 0 stands for all.
    private let interfaceIndexes: [UInt32]
    private var registrations: [ServiceHandle] = []
    private var browsers: [ServiceHandle] = []
    private var followers: [Key: InstanceFollower] = [:]
    /// Followers without a slot, the one that has waited longest first.
    private var waiting: [Key] = []
    private var waste: [ServiceHandle] = []
    private var published: ServiceAnnouncement?

    private struct Key: Hashable {
        var name: String
        var interface: UInt32
    }

    init(interfaces: [String], sink: any InstanceSink, mailbox: Mailbox) throws(BackendError) {
        library = try DNSSDLibrary()
        self.sink = sink
        self.mailbox = mailbox
        var indexes: [UInt32] = interfaces.isEmpty ? [0] : []
        for interface in interfaces {
            let index = if_nametoindex(interface)
            guard index != 0 else {
                throw BackendError(sentence: "there is no network interface \(interface)")
            }
            indexes.append(index)
        }
        interfaceIndexes = indexes
        try browse()
    }

    /// Whether the system's responder answers at the moment.
    static func answers() -> Bool {
        guard let library = try? DNSSDLibrary(),
            let handle = try? ServiceHandle.browse(library, interface: 0, onReply: { _ in })
        else { return false }
        handle.deallocate()
        return true
    }

    var deadline: ContinuousClock.Instant? {
        let turns = waiting.isEmpty ? [] : followers.values.compactMap { $0.since.map { $0 + Self.slotTime } }
        return (turns + followers.values.compactMap(\.retry)).min()
    }

    // MARK: Publishing

    func publish(_ announcement: ServiceAnnouncement) {
        let txt = TXTStrings.encode(TXTStrings.strings(of: announcement.txt).strings)
        if let published, published.instance == announcement.instance, published.port == announcement.port,
            !registrations.isEmpty, registrations.allSatisfy({ $0.update(txt: txt) })
        {
            self.published = announcement
            return
        }
        registrations.forEach { $0.deallocate() }
        registrations = []
        published = announcement
        do {
            for index in interfaceIndexes {
                let handle = try ServiceHandle.register(
                    library,
                    name: announcement.instance,
                    interface: index,
                    port: announcement.port,
                    txt: txt
                ) { [unowned self] reply in
                    switch reply {
                    case .registered(let name): sink.isPublished(as: name)
                    case .failed(let code): fail(code)
                    default: break
                    }
                }
                registrations.append(handle)
            }
        } catch {
            failure = error.sentence
        }
    }

    private func fail(_ code: Int32) {
        failure = "the system's discovery service went away (dns_sd error \(code))"
    }

    // MARK: Browsing

    private func browse() throws(BackendError) {
        for index in interfaceIndexes {
            let handle = try ServiceHandle.browse(library, interface: index) { [unowned self] reply in
                switch reply {
                case .browsed(let isThere, let name, let interface): browsed(isThere, name, interface)
                case .failed(let code): fail(code)
                default: break
                }
            }
            browsers.append(handle)
        }
    }

    func refresh(_ network: NetworkInterfaces) {
        browsers.forEach { $0.deallocate() }
        followers.values.forEach { $0.stop() }
        (browsers, followers, waiting) = ([], [:], [])
        do {
            try browse()
        } catch {
            failure = error.sentence
        }
    }

    private func browsed(_ isThere: Bool, _ rawName: [CChar], _ interface: UInt32) {
        let name = rawName.withUnsafeBufferPointer { $0.baseAddress.map(ForeignText.instanceName) ?? "" }
        let place = InstanceTable.Place(interface: interface)
        let key = Key(name: name, interface: interface)
        guard isThere else {
            if sink.vanished(name, at: place), let follower = followers.removeValue(forKey: key) {
                waste += follower.handOver()
            }
            return
        }
        guard case .new = sink.sighted(name, at: place) else { return }
        if let old = followers.removeValue(forKey: key) { waste += old.handOver() }
        followers[key] = InstanceFollower(
            library,
            name: name,
            rawName: rawName,
            interface: interface,
            sink: sink
        )
        waiting.removeAll { $0 == key }
        waiting.append(key)
    }

    /// Gives free slots to the waiting followers, and takes slots from followers that have had theirs long enough.
    private func takeTurns(_ now: ContinuousClock.Instant) {
        waiting.removeAll { followers[$0] == nil }
        var free = Self.slots - followers.values.count { $0.since != nil }
        if free < waiting.count {
            let done = followers.filter { $0.value.since.map { $0 + Self.slotTime <= now } ?? false }
            for (key, follower) in done.prefix(waiting.count - free) {
                waste += follower.handOver()
                waiting.append(key)
                free += 1
            }
        }
        for key in waiting.prefix(max(0, free)) { followers[key]?.start(now) }
        waiting.removeFirst(min(max(0, free), waiting.count))
    }

    // MARK: Polling

    func poll(milliseconds: Int32) {
        var handles = registrations + browsers
        for follower in followers.values { handles += follower.handles }
        var descriptors = [pollfd(fd: mailbox.wakeDescriptor, events: Int16(POLLIN), revents: 0)]
        descriptors += handles.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        let ready = waitUntilReady(&descriptors, milliseconds)
        if ready > 0 {
            for (handle, descriptor) in zip(handles, descriptors.dropFirst())
            where descriptor.revents != 0 && !handle.isOver {
                if !handle.process() { isLost(handle) }
            }
        }
        let now = ContinuousClock.now
        for follower in followers.values {
            waste += follower.takeWaste()
            follower.work(now)
        }
        takeTurns(now)
        waste.forEach { $0.deallocate() }
        waste = []
    }

    private func isLost(_ handle: ServiceHandle) {
        if registrations.contains(where: { $0 === handle }) || browsers.contains(where: { $0 === handle }) {
            failure = failure ?? "the system's discovery service closed its connection"
        } else {
            followers.values.first { $0.handles.contains { $0 === handle } }?.failed()
        }
    }

    func stop() {
        (registrations + browsers + waste).forEach { $0.deallocate() }
        followers.values.forEach { $0.stop() }
        (registrations, browsers, waste, followers) = ([], [], [], [:])
    }
}
