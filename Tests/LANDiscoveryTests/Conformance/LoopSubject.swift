import HouseholdAgent
import Libc
import Logging
import Synchronization
import Testing

@testable import LANDiscovery

/// A discovery loop on a responder and a network of a test, in virtual time.
final class LoopSubject {
    /// The responders that a loop can have.
    enum Kind: String, CaseIterable { case system, fake }

    private final class Log: Sendable {
        let events = Mutex<[DiscoveryEvent]>([])
    }

    let responder: any FakeResponder
    let time = VirtualTime()
    private let mailbox: Mailbox
    private let loop: DiscoveryLoop
    private let log = Log()
    private let interfaces: Interfaces

    /// The interfaces of the machine, which a test may change.
    private final class Interfaces {
        var present = NetworkInterfaces()
    }

    /// The end of a pipe by which the kernel tells of a change of the network; `nil` where it tells nothing.
    private let news: Int32?

    init(_ kind: Kind, isDead: Bool = false, hasNews: Bool = false) throws {
        var ends: [Int32] = [-1, -1]
        if hasNews {
            try #require(pipe(&ends) == 0)
            try #require(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
        }
        let end = ends[0]
        news = hasNews ? ends[1] : nil
        let (time, log, interfaces) = (time, log, Interfaces())
        let mailbox = try #require(Mailbox(news: { hasNews ? end : nil }))
        let responder: any FakeResponder =
            switch kind {
            case .system: FakeDNSSD()
            case .fake: FakeHub()
            }
        if isDead { responder.die() }
        interfaces.present = Self.network(10)
        let surroundings = Surroundings(
            now: { time.now },
            awake: { time.awake },
            network: { interfaces.present },
            system: { sink throws(BackendError) in try responder.makeBackend(sink, mailbox, time) },
            embedded: { _, sink throws(BackendError) in try responder.makeBackend(sink, mailbox, time) },
            // It takes a moment, as on a real network.
            echo: { name, _ in
                let end = time.passed + .milliseconds(100)
                return { time.passed < end ? nil : responder.hears(name) }
            })
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        loop = DiscoveryLoop(
            mode: .system, interfaces: [], logger: logger, mailbox: mailbox, ask: { true },
            surroundings: surroundings
        ) { event in log.events.withLock { $0.append(event) } }
        (self.responder, self.mailbox, self.interfaces) = (responder, mailbox, interfaces)
    }

    deinit {
        loop.finish()
        if let news { close(news) }
    }

    /// eth0 and wlan0 with addresses that end in a number.
    private static func network(_ last: UInt8) -> NetworkInterfaces {
        var network = NetworkInterfaces()
        network.links = ["eth0": true, "wlan0": true]
        network.addresses = [
            .init(interface: "eth0", index: 2, bytes: [10, 0, 0, last], prefix: 24),
            .init(interface: "wlan0", index: 3, bytes: [10, 0, 1, last], prefix: 24),
        ]
        return network
    }

    /// This machine has other addresses.
    func changeAddress() {
        interfaces.present = Self.network(77)
        if let news { _ = write(news, [0], 1) }
    }

    func announce(_ name: String, household: TagReader = TagReader(), looks: Int = 0) {
        var announcement = ServiceAnnouncement(instance: name, port: 4_000, txt: ["v": "1"], household: household)
        announcement.looks = looks
        mailbox.post(announcement)
    }

    /// Lets time pass; all that is due is done.
    func pass(_ duration: Duration) {
        let end = time.passed + duration
        while time.passed < end {
            loop.step()
            time.pass(.milliseconds(50))
        }
        loop.step()
    }

    /// The events since the last call.
    func takeEvents() -> [DiscoveryEvent] {
        log.events.withLock { events in
            defer { events = [] }
            return events
        }
    }

    /// The same without what is told of the backend.
    func takeInstances() -> [DiscoveryEvent] {
        takeEvents().filter {
            switch $0 {
            case .found, .lost: true
            case .running, .seesItself, .trouble: false
            }
        }
    }
}
