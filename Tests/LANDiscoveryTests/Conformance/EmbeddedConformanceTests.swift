#if os(Linux)
    import HouseholdAgent
    import Logging
    import Synchronization
    import TestSupport
    import Testing

    @testable import LANDiscovery

    /// The same of the embedded responder: two of them, restricted to the loopback interface, on the thread of the test.
    extension Conformance {
        @Suite struct Embedded {
            /// A loop with its own responder, and what it told.
            private final class Party {
                private final class Log: Sendable {
                    let events = Mutex<[DiscoveryEvent]>([])
                }

                let name = "test-" + String(UInt64.random(in: .min ... .max), radix: 36)
                private let mailbox: Mailbox
                private let log = Log()
                let loop: DiscoveryLoop

                init() throws {
                    let log = log
                    let mailbox = try #require(Mailbox())
                    var logger = Logger(label: "test")
                    logger.logLevel = .critical
                    self.mailbox = mailbox
                    loop = DiscoveryLoop(
                        mode: .embedded, interfaces: ["lo"], logger: logger, mailbox: mailbox, ask: { false }
                    ) { event in log.events.withLock { $0.append(event) } }
                }

                deinit { loop.finish() }

                func announce(_ txt: [String: String]) {
                    mailbox.post(ServiceAnnouncement(instance: name, port: 40_020, txt: txt))
                }

                /// What was told of another one.
                func told(of other: Party) -> [DiscoveryEvent] {
                    log.events.withLock { events in
                        events.filter {
                            switch $0 {
                            case .found(let name, _, _), .lost(let name): name == other.name
                            case .running, .seesItself, .trouble: false
                            }
                        }
                    }
                }

                func found(_ txt: [String: String]) -> DiscoveryEvent {
                    .found(instance: name, addresses: [PeerAddress(host: "127.0.0.1", port: 40_020)], txt: txt)
                }
            }

            /// Lets both work until something holds, or the time is up.
            private func work(_ parties: [Party], until holds: () -> Bool) {
                var patience = Patience(.seconds(30))
                while !holds(), patience.isLeft() {
                    for party in parties { party.loop.step(milliseconds: 5) }
                }
            }

            /// As a device does that is paired with two others, one straight after the other: it shows a code, none, and a code.
            @Test func aWordThatIsTakenBackAndSaidAgainWithinASecond_isToldInTheEnd() throws {
                let (first, second) = (try Party(), try Party())
                first.announce(["v": "1"])
                second.announce(["v": "1"])
                work([first, second]) { !first.told(of: second).isEmpty }
                for txt in [["v": "1", "pair": "1"], ["v": "1"], ["v": "1", "pair": "1"]] {
                    second.announce(txt)
                    work([first, second]) { first.told(of: second).last == second.found(txt) }
                    #expect(first.told(of: second).last == second.found(txt))
                }
            }

            @Test func anInstanceIsToldOnce_itsChangesAndItsFarewell() throws {
                let (first, second) = (try Party(), try Party())
                first.announce(["v": "1"])
                second.announce(["v": "1"])
                work([first, second]) { !first.told(of: second).isEmpty && !second.told(of: first).isEmpty }
                #expect(first.told(of: second) == [second.found(["v": "1"])])
                #expect(second.told(of: first) == [first.found(["v": "1"])])
                second.announce(["v": "2"])
                work([first, second]) { first.told(of: second).count > 1 }
                #expect(first.told(of: second).last == second.found(["v": "2"]))
                second.loop.finish()
                work([first]) { first.told(of: second).count > 2 }
                #expect(first.told(of: second).last == .lost(instance: second.name))
                #expect(first.told(of: first).isEmpty, "it tells of itself")
            }
        }
    }
#endif
