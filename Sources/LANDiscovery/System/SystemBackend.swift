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

    let name = "system"
    private(set) var failure: BackendError?

    private let library: DNSSDLibrary
    private let sink: any InstanceSink
    private let mailbox: Mailbox
    private let clock: Surroundings.Clock
    /// The indexes of the interfaces; 0 stands for all.
    private let interfaceIndexes: [UInt32]
    private var registrations: [ServiceHandle] = []
    private var browsers: [ServiceHandle] = []
    private var followers: [Key: InstanceFollower] = [:]
    private var turns = Turns<Key>(places: SystemBackend.slots)
    private var waste: [ServiceHandle] = []
    private var published: ServiceAnnouncement?

    private struct Key: Hashable {
        var name: String
        var interface: UInt32
    }

    /// - Parameter library: The system's; tests put another one in its place.
    init(
        interfaces: [String], sink: any InstanceSink, mailbox: Mailbox, library: DNSSDLibrary? = nil,
        clock: @escaping Surroundings.Clock = { .now }
    ) throws(BackendError) {
        if let library { self.library = library } else { self.library = try DNSSDLibrary() }
        self.sink = sink
        self.mailbox = mailbox
        self.clock = clock
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
        let retries = working.compactMap(\.retry)
        return (retries + [turns.deadline(standing)].compactMap { $0 }).min()
    }

    private func standing(_ key: Key) -> InstanceStanding { sink.standing(of: key.name) }

    /// The followers that have a slot.
    private var working: [InstanceFollower] { turns.followed.keys.compactMap { followers[$0] } }

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
            failure = error
        }
    }

    private func fail(_ code: Int32) {
        failure = SystemService.error("went away (dns_sd error \(code))")
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
        (browsers, followers, turns) = ([], [:], Turns(places: Self.slots))
        do {
            try browse()
        } catch {
            failure = error
        }
    }

    private func browsed(_ isThere: Bool, _ rawName: [CChar], _ interface: UInt32) {
        let name = rawName.withUnsafeBufferPointer { $0.baseAddress.map(ForeignText.instanceName) ?? "" }
        let place = InstanceTable.Place(interface: interface)
        let key = Key(name: name, interface: interface)
        guard isThere else {
            if sink.vanished(name, at: place) { leave(key) }
            return
        }
        guard case .new = sink.sighted(name, at: place) else { return }
        leave(key)
        followers[key] = InstanceFollower(
            library,
            name: name,
            rawName: rawName,
            interface: interface,
            sink: sink,
            clock: clock
        )
        turns.join(key)
    }

    private func leave(_ key: Key) {
        turns.leave(key)
        if let follower = followers.removeValue(forKey: key) { waste += follower.handOver() }
    }

    func forget(_ names: Set<String>) {
        for key in followers.keys where names.contains(key.name) { leave(key) }
        takeOutWaste()
    }

    /// Gives free slots to the waiting followers, and takes slots from followers that have had theirs long enough.
    private func takeTurns(_ now: ContinuousClock.Instant) {
        let (begin, end) = turns.next(now, standing)
        for key in end { waste += followers[key]?.handOver() ?? [] }
        for key in begin { followers[key]?.start(now) }
    }

    /// Frees the handles that are no longer used. Must not be called inside a reply.
    private func takeOutWaste() {
        waste.forEach { $0.deallocate() }
        waste = []
    }

    // MARK: Polling

    func poll(milliseconds: Int32) {
        var handles = registrations + browsers
        for follower in working { handles += follower.handles }
        let wakes = mailbox.wakeDescriptors
        var descriptors = (wakes + handles.map(\.descriptor)).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let ready = waitUntilReady(&descriptors, milliseconds)
        if ready > 0 {
            for (handle, descriptor) in zip(handles, descriptors.dropFirst(wakes.count))
            where descriptor.revents != 0 && !handle.isOver {
                if !handle.process() { isLost(handle) }
            }
        }
        let now = clock()
        for follower in working {
            waste += follower.takeWaste()
            follower.work(now)
        }
        takeTurns(now)
        takeOutWaste()
    }

    private func isLost(_ handle: ServiceHandle) {
        if registrations.contains(where: { $0 === handle }) || browsers.contains(where: { $0 === handle }) {
            failure = failure ?? SystemService.error("closed its connection")
        } else {
            working.first { $0.handles.contains { $0 === handle } }?.failed()
        }
    }

    func stop() {
        (registrations + browsers + waste).forEach { $0.deallocate() }
        followers.values.forEach { $0.stop() }
        (registrations, browsers, waste, followers) = ([], [], [], [:])
    }
}
