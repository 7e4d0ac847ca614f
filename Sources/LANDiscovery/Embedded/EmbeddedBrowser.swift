#if os(Linux)
    import CAvahiCore

    /// Looks for instances and keeps a follower for each, by interface and address family.
    final class EmbeddedBrowser {
        private struct Key: Hashable {
            var name: String
            var place: InstanceTable.Place
        }

        private let avahi: AvahiLibrary
        private let server: OpaquePointer
        private let sink: any InstanceSink
        private var browser: OpaquePointer?
        private var followers: [Key: RecordFollower] = [:]
        private var waste: [RecordFollower] = []

        init(_ avahi: AvahiLibrary, server: OpaquePointer, sink: any InstanceSink) {
            self.avahi = avahi
            self.server = server
            self.sink = sink
            start()
        }

        private func start() {
            browser = avahi.serviceBrowserNew(
                server,
                AvahiAny.interface,
                AvahiAny.family,
                LANDiscovery.serviceType,
                LANDiscovery.domain,
                AvahiLookupFlags(rawValue: 0),
                { _, interface, family, event, name, _, _, _, context in
                    guard let context, let name else { return }
                    let browser = Unmanaged<EmbeddedBrowser>.fromOpaque(context).takeUnretainedValue()
                    let place = InstanceTable.Place(interface: UInt32(clamping: interface), family: family)
                    switch event {
                    case AVAHI_BROWSER_NEW: browser.appeared(name, place)
                    case AVAHI_BROWSER_REMOVE: browser.vanished(name, place)
                    default: break
                    }
                },
                Unmanaged.passUnretained(self).toOpaque()
            )
            if browser == nil { sink.note("the embedded discovery cannot browse") }
        }

        private func appeared(_ rawName: UnsafePointer<CChar>, _ place: InstanceTable.Place) {
            let name = ForeignText.instanceName(rawName)
            guard case .new = sink.sighted(name, at: place) else { return }
            let key = Key(name: name, place: place)
            if let old = followers[key] { waste.append(old) }
            followers[key] = RecordFollower(
                avahi,
                server: server,
                name: name,
                rawName: rawName,
                place: place,
                sink: sink
            )
        }

        private func vanished(_ rawName: UnsafePointer<CChar>, _ place: InstanceTable.Place) {
            let name = ForeignText.instanceName(rawName)
            guard sink.vanished(name, at: place) else { return }
            if let follower = followers.removeValue(forKey: Key(name: name, place: place)) { waste.append(follower) }
        }

        /// Frees the followers that replies have made useless. Must not be called inside a reply.
        func takeOutWaste() {
            waste.forEach { $0.stop() }
            waste = []
            followers.values.forEach { $0.takeOutWaste() }
        }

        /// Starts to browse again. Must not be called inside a reply.
        func restart() {
            stop()
            start()
        }

        func stop() {
            if let browser { avahi.serviceBrowserFree(browser) }
            browser = nil
            followers.values.forEach { $0.stop() }
            followers = [:]
            takeOutWaste()
        }
    }
#endif
