#if os(Linux)
    import Libc
    import Synchronization
    import TestSupport
    import Testing

    @testable import LANDiscovery

    /// The kernel's word of a change, from a network that a test made for itself.
    @Suite struct NetworkNewsTests {
        @Test(.enabled(if: OwnNamespace.network.isAllowed, "networks need root and a network namespace"))
        func everyChangeOfTheNetworkIsHeard() throws {
            let heard = Mutex<[String: Bool]>([:])
            OwnNamespace.network.run {
                guard let news = NetworkNews.open() else { return }
                defer { close(news) }
                func note(_ what: String) { heard.withLock { $0[what] = NetworkNews.take(news) } }
                note("nothing yet")
                for change in [
                    ["link", "set", "lo", "up"], ["addr", "add", "192.0.2.1/32", "dev", "lo"],
                    ["addr", "add", "2001:db8::1/128", "dev", "lo"], ["addr", "del", "192.0.2.1/32", "dev", "lo"],
                    ["link", "set", "lo", "down"],
                ] {
                    guard let ip = try? ChildProcess("ip", change), ip.waitForEnd() == 0 else { return }
                    var descriptor = pollfd(fd: news, events: Int16(POLLIN), revents: 0)
                    poll(&descriptor, 1, 10_000)
                    note(change.joined(separator: " "))
                }
            }
            #expect(
                heard.withLock { $0 } == [
                    "nothing yet": false, "link set lo up": true, "addr add 192.0.2.1/32 dev lo": true,
                    "addr add 2001:db8::1/128 dev lo": true, "addr del 192.0.2.1/32 dev lo": true,
                    "link set lo down": true,
                ])
        }
    }
#endif
