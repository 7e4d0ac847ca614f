import CDNSSD

/// Follows one instance on one interface through the system's responder. A resolve that stays open gives its port and
/// TXT record. Avahi's resolve gives no address, so queries for A and AAAA records give its addresses.
final class InstanceFollower {
    /// The pause after a failed resolve. A resolve also fails when the other device answers too late.
    private static let retryInterval = Duration.seconds(5)

    private let library: DNSSDLibrary
    private let name: String
    private let rawName: [CChar]
    private let interface: UInt32
    private let sink: any InstanceSink
    private let clock: Surroundings.Clock
    private var resolver: ServiceHandle?
    private var queries: [ServiceHandle] = []
    private var host: [CChar] = []
    /// How often each address was reported. Avahi reports an address once for IPv4 and once for IPv6 multicast, and
    /// does not say which.
    private var sightings: [String: Int] = [:]
    private var waste: [ServiceHandle] = []
    /// The time of the next try; nil while it has no slot (see ``SystemBackend``).
    private(set) var retry: ContinuousClock.Instant?

    init(
        _ library: DNSSDLibrary, name: String, rawName: [CChar], interface: UInt32, sink: any InstanceSink,
        clock: @escaping Surroundings.Clock
    ) {
        self.library = library
        self.name = name
        self.rawName = rawName
        self.interface = interface
        self.sink = sink
        self.clock = clock
    }

    var handles: [ServiceHandle] { (resolver.map { [$0] } ?? []) + queries }

    private var place: InstanceTable.Place { InstanceTable.Place(interface: interface) }

    /// Starts to ask the responder.
    func start(_ now: ContinuousClock.Instant) {
        retry = now
        work(now)
    }

    /// Asks again after a failure, if it is time.
    func work(_ now: ContinuousClock.Instant) {
        guard let retry, retry <= now else { return }
        self.retry = nil
        do {
            resolver = try ServiceHandle.resolve(library, name: rawName, interface: interface) {
                [unowned self] reply in
                switch reply {
                case .resolved(_, let host, let port, let txt): resolved(host, port, txt)
                case .failed: failed()
                default: break
                }
            }
        } catch {
            failed()
        }
    }

    /// Ends all operations and tries again later.
    func failed() {
        waste += give()
        retry = clock() + Self.retryInterval
    }

    private func resolved(_ host: [CChar], _ port: UInt16, _ txt: [UInt8]) {
        sink.described(name, txt: TXTStrings.decode(txt))
        sink.described(name, at: place, port: port)
        guard host != self.host else { return }
        queries.forEach { $0.isOver = true }
        waste += queries
        (queries, sightings) = ([], [:])
        self.host = host
        do {
            for type in [kDNSServiceType_A, kDNSServiceType_AAAA] {
                queries.append(
                    try ServiceHandle.addresses(library, host: host, type: type, interface: interface) {
                        [unowned self] reply in
                        switch reply {
                        case .record(let isThere, let interface, let data):
                            address(data, interface, isThere)
                        case .failed: failed()
                        default: break
                        }
                    }
                )
            }
        } catch {
            failed()
        }
    }

    private func address(_ data: [UInt8], _ interface: UInt32, _ isThere: Bool) {
        guard let text = NumericAddress.text(data, interface: interface) else { return }
        let old = sightings[text] ?? 0
        guard isThere else {
            sightings[text] = old > 1 ? old - 1 : nil
            if old <= 1 { sink.address(text, of: name, at: place, isThere: false) }
            return
        }
        // The table leaves out more addresses than this anyway.
        if old > 0 || sightings.count < 64 { sightings[text] = old + 1 }
        sink.address(text, of: name, at: place, isThere: true)
    }

    private func give() -> [ServiceHandle] {
        let all = handles
        all.forEach { $0.isOver = true }
        (resolver, queries, host, sightings) = (nil, [], [], [:])
        return all
    }

    /// Takes the handles that are no longer used; they have to be deallocated outside of a reply.
    func takeWaste() -> [ServiceHandle] {
        defer { waste = [] }
        return waste
    }

    /// Stops asking and returns all handles, to be deallocated outside of a reply. `start` begins again.
    func handOver() -> [ServiceHandle] {
        retry = nil
        return give() + takeWaste()
    }

    /// Ends at once. Must not be called inside a reply.
    func stop() { handOver().forEach { $0.deallocate() } }
}
