#if os(Linux)
    import HouseholdAgent
    import Logging
    import Synchronization
    import Testing

    @testable import LANDiscovery

    /// Two real responders in this process, restricted to the loopback interface: nothing leaves this machine.
    @Suite("Finding each other on the loopback interface", .serialized, .timeLimit(.minutes(5)))
    struct EmbeddedDiscoveryTests {
        @Test("Two devices find each other, see a changed TXT record, and see the farewell")
        func meeting() async throws {
            let first = Device(port: 40_001)
            let second = Device(port: 40_002)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await first.run() }
                let running = try await first.next { if case .running = $0 { true } else { false } }
                #expect(running == .running(backend: "embedded", interfaces: ["lo"]))

                let seen = try await withThrowingTaskGroup(of: Void.self) { inner in
                    inner.addTask { await second.run() }
                    let found = try await first.next(second.isFound(txt: ["v": "1"]))
                    #expect(found == second.found(txt: ["v": "1"]))
                    let mutual = try await second.next(first.isFound(txt: ["v": "1"]))
                    #expect(mutual == first.found(txt: ["v": "1"]))

                    second.announce(["v": "1", "pairing": "open"])
                    let changed = try await first.next(second.isFound(txt: ["v": "1", "pairing": "open"]))
                    #expect(changed == second.found(txt: ["v": "1", "pairing": "open"]))

                    inner.cancelAll()
                    try await inner.waitForAll()
                    return true
                }
                #expect(seen)
                _ = try await first.next { $0 == .lost(instance: second.instance) }
                group.cancelAll()
                try await group.waitForAll()
            }
            #expect(!first.events.contains { if case .trouble = $0 { true } else { false } })
            #expect(!first.events.contains { Device.name(of: $0) == first.instance }, "it reports itself")
        }

        @Test("A device hears its own announcement whenever it asks for it")
        func echo() async throws {
            let device = Device(port: 40_004)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await device.run() }
                _ = try await device.next { $0 == .seesItself(true) }
                for looks in 1...2 {
                    device.announce(["v": "1"], looks: looks)
                    #expect(
                        try await device.next { if case .seesItself = $0 { true } else { false } } == .seesItself(true))
                }
                group.cancelAll()
                try await group.waitForAll()
            }
        }

        @Test("An interface that is not there is told as trouble")
        func noInterface() async throws {
            let device = Device(port: 40_003, interfaces: ["hearth-none0"])
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await device.run() }
                let trouble = try await device.next { if case .trouble = $0 { true } else { false } }
                guard case .trouble(let sentence, _, _) = trouble else { return }
                #expect(sentence.hasPrefix("no multicast on hearth-none0"))
                group.cancelAll()
                try await group.waitForAll()
            }
        }
    }

    /// One discovery and everything it has reported.
    final class Device: Sendable {
        let instance: String
        private let port: UInt16
        private let discovery: LANDiscovery
        private let announcements: AsyncStream<ServiceAnnouncement>
        private let announcer: AsyncStream<ServiceAnnouncement>.Continuation
        private let log = Mutex<[DiscoveryEvent]>([])
        private let reader = Mutex(0)

        init(
            mode: DiscoveryMode = .embedded, port: UInt16, interfaces: [String] = ["lo"],
            ask: @escaping SlowQuestion.Ask = { SystemBackend.answers() }
        ) {
            var logger = Logger(label: "test")
            logger.logLevel = .critical
            instance = "test-" + String(UInt64.random(in: .min ... .max), radix: 36)
            self.port = port
            discovery = LANDiscovery(mode: mode, interfaces: interfaces, logger: logger, ask: ask)
            (announcements, announcer) = AsyncStream.makeStream()
            announce(["v": "1"])
        }

        func run() async {
            await discovery.run(announcements: announcements) { event in
                self.log.withLock { $0.append(event) }
            }
        }

        func announce(_ txt: [String: String], looks: Int = 0) {
            var announcement = ServiceAnnouncement(instance: instance, port: port, txt: txt)
            announcement.looks = looks
            announcer.yield(announcement)
        }

        var events: [DiscoveryEvent] { log.withLock { $0 } }

        /// How this device looks to another on the same machine.
        func found(txt: [String: String]) -> DiscoveryEvent {
            .found(instance: instance, addresses: [PeerAddress(host: "127.0.0.1", port: port)], txt: txt)
        }

        func isFound(txt expected: [String: String]) -> @Sendable (DiscoveryEvent) -> Bool {
            { [instance] event in
                guard case .found(instance, _, let txt) = event else { return false }
                return txt == expected
            }
        }

        static func name(of event: DiscoveryEvent) -> String? {
            switch event {
            case .found(let instance, _, _), .lost(let instance): instance
            case .running, .seesItself, .trouble: nil
            }
        }

        /// The next event that fits, after those that earlier calls returned; fails after 20 s.
        func next(_ fits: @Sendable (DiscoveryEvent) -> Bool) async throws -> DiscoveryEvent {
            for _ in 0..<1_000 {
                let start = reader.withLock { $0 }
                let events = events
                if let index = events[start...].firstIndex(where: fits) {
                    reader.withLock { $0 = index + 1 }
                    return events[index]
                }
                try await Task.sleep(for: .milliseconds(20))
            }
            throw Timeout(events: events)
        }

        struct Timeout: Error { var events: [DiscoveryEvent] }
    }
#endif
