#if os(Linux)
    import CAvahiCore
    import Glibc
    import HouseholdAgent
    import Logging

    /// Discovery through Avahi's responder inside this process: no daemon and no D-Bus.
    ///
    /// It shares the mDNS port with other responders of the machine. It must not publish the machine's own addresses,
    /// because two responders would then fight for ever over the reverse record (address to name). Instead it publishes
    /// a host name of its own, with addresses and without reverse records. The host name is random for each start.
    ///
    /// Every call of the library happens on the discovery thread.
    final class EmbeddedBackend: DiscoveryBackend {
        let name = "embedded"
        var failure: BackendError? { ownFailure ?? publisher?.failure }
        var deadline: ContinuousClock.Instant? { browser?.deadline }

        private let avahi: AvahiLibrary
        private let sink: any InstanceSink
        private let mailbox: Mailbox
        private let usesIPv6: Bool
        private let loop: OpaquePointer
        private let wakeWatches: [OpaquePointer]
        private var server: OpaquePointer?
        private var publisher: EmbeddedPublisher?
        private var browser: EmbeddedBrowser?
        private var ownFailure: BackendError?

        init(
            interfaces: [String],
            network: NetworkInterfaces,
            sink: any InstanceSink,
            mailbox: Mailbox
        ) throws(BackendError) {
            let avahi = try AvahiLibrary()
            self.avahi = avahi
            AvahiLog.install(avahi)
            let shortage = BackendError(sentence: "the embedded discovery has no memory or file descriptors left")
            guard let loop = avahi.simplePollNew() else { throw shortage }
            guard let poll = avahi.simplePollGet(loop) else {
                avahi.simplePollFree(loop)
                throw shortage
            }
            let wakes = mailbox.wakeDescriptors
            let watches = wakes.compactMap { poll.pointee.watch_new(poll, $0, AVAHI_WATCH_IN, { _, _, _, _ in }, nil) }
            guard watches.count == wakes.count else {
                avahi.simplePollFree(loop)
                throw shortage
            }
            self.loop = loop
            self.sink = sink
            self.mailbox = mailbox
            wakeWatches = watches
            // The loopback interface has no IPv6 multicast route on most systems, and IPv4 is enough there.
            usesIPv6 = interfaces != ["lo"]

            let host = "hearth-" + String(UInt64.random(in: .min ... .max), radix: 36)
            var configuration = Self.configuration(avahi, interfaces: interfaces, usesIPv6: usesIPv6, host: host)
            defer { avahi.serverConfigFree(&configuration) }
            var error: Int32 = 0
            let context = Unmanaged.passUnretained(self).toOpaque()
            let created = avahi.serverNew(
                poll,
                &configuration,
                { _, state, context in
                    guard let context, state == AVAHI_SERVER_FAILURE else { return }
                    let backend = Unmanaged<EmbeddedBackend>.fromOpaque(context).takeUnretainedValue()
                    backend.ownFailure = BackendError(
                        sentence: "the embedded discovery failed: \(AvahiLog.lastWarning ?? "no reason given")")
                },
                context,
                &error
            )
            guard let created else {
                stop()
                throw BackendError(
                    sentence: "the embedded discovery cannot start: \(avahi.sentence(error));"
                        + " check that UDP port 5353 is free to share"
                )
            }
            server = created
            publisher = EmbeddedPublisher(avahi, server: created, host: "\(host).\(LANDiscovery.domain)", sink: sink)
            setAddresses(network)
            browser = EmbeddedBrowser(avahi, server: created, sink: sink)
        }

        private static func configuration(
            _ avahi: AvahiLibrary,
            interfaces: [String],
            usesIPv6: Bool,
            host: String
        ) -> AvahiServerConfig {
            var configuration = AvahiServerConfig()
            _ = avahi.serverConfigInit(&configuration)
            avahi.free(configuration.host_name)
            configuration.host_name = avahi.strdup(host)
            for interface in interfaces {
                configuration.allow_interfaces = avahi.stringListAdd(configuration.allow_interfaces, interface)
            }
            configuration.use_ipv4 = 1
            configuration.use_ipv6 = usesIPv6 ? 1 : 0
            configuration.allow_point_to_point = 1
            configuration.disallow_other_stacks = 0
            configuration.publish_addresses = 0
            configuration.publish_hinfo = 0
            configuration.publish_workstation = 0
            configuration.publish_domain = 0
            configuration.add_service_cookie = 0
            configuration.enable_wide_area = 0
            configuration.n_cache_entries_max = 4_096
            configuration.ratelimit_interval = 1_000_000
            configuration.ratelimit_burst = 1_000
            return configuration
        }

        private func setAddresses(_ network: NetworkInterfaces) {
            publisher?.setAddresses(network.addresses.filter { usesIPv6 || $0.bytes.count == 4 })
        }

        func publish(_ announcement: ServiceAnnouncement) { publisher?.publish(announcement) }

        func refresh(_ network: NetworkInterfaces) {
            setAddresses(network)
            browser?.restart()
        }

        func forget(_ names: Set<String>) { browser?.forget(names) }

        func poll(milliseconds: Int32) {
            if avahi.simplePollIterate(loop, milliseconds) < 0 {
                ownFailure = BackendError(
                    sentence: "the embedded discovery cannot wait for the network: \(String(cString: strerror(errno)))")
            }
            browser?.takeTurns(.now)
            publisher?.work()
        }

        func stop() {
            browser?.stop()
            publisher?.stop()
            (browser, publisher) = (nil, nil)
            if let server { avahi.serverFree(server) }
            server = nil
            wakeWatches.forEach { avahi.simplePollGet(loop)?.pointee.watch_free($0) }
            avahi.simplePollFree(loop)
        }
    }
#endif
