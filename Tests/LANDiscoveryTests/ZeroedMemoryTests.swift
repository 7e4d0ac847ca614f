#if os(Linux)
    import Glibc
    import Testing

    @testable import LANDiscovery

    /// Avahi's client library calls whatever stands in the callbacks that it left unset once its daemon is gone; the house
    /// of three hosts whose daemons are killed (Tests/LAN) shows the same with real daemons, now and then.
    @Suite struct ZeroedMemoryTests {
        @Test func whatAvahiTakesHoldsZeros() throws {
            _ = try DNSSDLibrary()
            let library = try SharedLibrary("libavahi-common.so.3", package: "libavahi-common3")
            let take: @convention(c) (Int) -> UnsafeMutableRawPointer? = try library.function("avahi_malloc")
            for size in [24, 192, 208, 2_000, 100_000] {
                // The C library gives out first what was given back last.
                let used = try #require(malloc(size))
                memset(used, 0xaa, size)
                free(used)
                let fresh = try #require(take(size))
                #expect(UnsafeRawBufferPointer(start: fresh, count: size).allSatisfy { $0 == 0 }, "\(size) bytes")
                free(fresh)
            }
        }
    }
#endif
