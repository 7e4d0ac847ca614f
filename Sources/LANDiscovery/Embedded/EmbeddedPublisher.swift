#if os(Linux)
    import CAvahiCore
    import HouseholdAgent

    /// Publishes the service, and the address records of the random host name that the service points at.
    final class EmbeddedPublisher {
        private static let noReverse = AVAHI_PUBLISH_NO_REVERSE
        private static let none = AvahiPublishFlags(rawValue: 0)
        /// The pause before publishing again under a name that another device holds.
        private static let collisionPause = Duration.seconds(3)

        private(set) var failure: BackendError?
        private let avahi: AvahiLibrary
        private let server: OpaquePointer
        private let host: String
        private let sink: any InstanceSink
        private var group: OpaquePointer?
        private var addressGroups: [NetworkInterfaces.Address: OpaquePointer] = [:]
        private var published: ServiceAnnouncement?
        private var again: ContinuousClock.Instant?

        init(_ avahi: AvahiLibrary, server: OpaquePointer, host: String, sink: any InstanceSink) {
            self.avahi = avahi
            self.server = server
            self.host = host
            self.sink = sink
        }

        // MARK: Addresses

        /// Publishes exactly these addresses, each on its own interface only.
        func setAddresses(_ addresses: Set<NetworkInterfaces.Address>) {
            for (address, group) in addressGroups where !addresses.contains(address) {
                avahi.entryGroupFree(group)
                addressGroups[address] = nil
            }
            for address in addresses where addressGroups[address] == nil { add(address) }
        }

        private func add(_ address: NetworkInterfaces.Address) {
            var record = AvahiAddress()
            record.proto = address.bytes.count == 4 ? AvahiProtocol(AVAHI_PROTO_INET) : AvahiProtocol(AVAHI_PROTO_INET6)
            withUnsafeMutableBytes(of: &record.data) { $0.copyBytes(from: address.bytes) }
            guard let group = avahi.entryGroupNew(server, { _, _, _, _ in }, nil) else { return }
            let index = AvahiIfIndex(clamping: address.index)
            let added = avahi.serverAddAddress(
                server,
                group,
                index,
                AvahiAny.family,
                Self.noReverse,
                host,
                &record
            )
            guard added >= 0, avahi.entryGroupCommit(group) >= 0 else {
                avahi.entryGroupFree(group)
                return sink.note("an address on \(address.interface) cannot be published: \(reason())")
            }
            addressGroups[address] = group
        }

        // MARK: The service

        /// Publishes the announcement. Only the TXT record is updated where everything else equals the published one.
        func publish(_ announcement: ServiceAnnouncement) {
            let old = published
            published = announcement
            guard let group, let old, old.instance == announcement.instance, old.port == announcement.port else {
                return register(announcement)
            }
            let updated = withTXT(announcement) { list in
                avahi.serverUpdateServiceTxtList(
                    server,
                    group,
                    AvahiAny.interface,
                    AvahiAny.family,
                    Self.none,
                    announcement.instance,
                    LANDiscovery.serviceType,
                    LANDiscovery.domain,
                    list
                )
            }
            if updated < 0 { register(announcement) }
        }

        /// Publishes again after a collision, if it is time.
        func work() {
            guard let published, let again, again <= .now else { return }
            register(published)
        }

        private func register(_ announcement: ServiceAnnouncement) {
            again = nil
            if let group {
                avahi.entryGroupReset(group)
            } else {
                group = avahi.entryGroupNew(
                    server,
                    { _, _, state, context in
                        guard let context else { return }
                        Unmanaged<EmbeddedPublisher>.fromOpaque(context).takeUnretainedValue().changed(to: state)
                    },
                    Unmanaged.passUnretained(self).toOpaque()
                )
            }
            guard let group else {
                failure = BackendError(sentence: "the embedded discovery cannot publish: \(reason())")
                return
            }
            let added = withTXT(announcement) { list in
                avahi.serverAddServiceList(
                    server,
                    group,
                    AvahiAny.interface,
                    AvahiAny.family,
                    Self.none,
                    announcement.instance,
                    LANDiscovery.serviceType,
                    LANDiscovery.domain,
                    host,
                    announcement.port,
                    list
                )
            }
            if added < 0 || avahi.entryGroupCommit(group) < 0 {
                failure = BackendError(sentence: "the embedded discovery cannot publish: \(reason())")
            }
        }

        /// Reports that the announcement is published, or plans another try. The library calls it inside
        /// `avahi_simple_poll_iterate` and inside `commit`.
        private func changed(to state: AvahiEntryGroupState) {
            switch state {
            case AVAHI_ENTRY_GROUP_ESTABLISHED:
                if let published { sink.isPublished(as: published.instance) }
            case AVAHI_ENTRY_GROUP_COLLISION:
                sink.note("another device publishes the instance name of this one")
                sink.nameIsTaken()
                again = .now + Self.collisionPause
            case AVAHI_ENTRY_GROUP_FAILURE:
                sink.note("the embedded discovery could not publish this device; trying again")
                again = .now + Self.collisionPause
            default: break
            }
        }

        /// Runs `body` with the TXT strings as the library's list, which keeps the last added string in front.
        private func withTXT(_ announcement: ServiceAnnouncement, _ body: (OpaqueList) -> Int32) -> Int32 {
            var list: OpaqueList
            list = nil
            for string in TXTStrings.strings(of: announcement.txt).strings {
                list = avahi.stringListAddArbitrary(list, string, string.count)
            }
            defer { avahi.stringListFree(list) }
            return body(list)
        }

        private typealias OpaqueList = UnsafeMutablePointer<AvahiStringList>?

        private func reason() -> String { avahi.sentence(avahi.serverErrno(server)) }

        /// Withdraws everything; other devices are told.
        func stop() {
            if let group { avahi.entryGroupFree(group) }
            addressGroups.values.forEach { avahi.entryGroupFree($0) }
            group = nil
            addressGroups = [:]
        }
    }
#endif
