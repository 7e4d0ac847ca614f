#if os(Linux)
    import CAvahiCore

    /// Looks for instances and follows each, by interface and address family: as many as there are places for.
    final class EmbeddedBrowser {
        private struct Key: Hashable {
            var name: String
            var place: InstanceTable.Place
        }

        private let avahi: AvahiLibrary
        private let server: OpaquePointer
        private let sink: any InstanceSink
        private var browser: OpaquePointer?
        /// The names as they came, of all instances that are known.
        private var names: [Key: [CChar]] = [:]
        private var followers: [Key: RecordFollower] = [:]
        private var turns = Turns<Key>(places: 256)
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
            // What is followed since before the browse was restarted is asked anew.
            leave(key)
            names[key] = ForeignText.cBytes(rawName, limit: 255).map { CChar(bitPattern: $0) } + [0]
            turns.join(key)
        }

        private func leave(_ key: Key) {
            turns.leave(key)
            names[key] = nil
            if let follower = followers.removeValue(forKey: key) { waste.append(follower) }
        }

        /// Stops following some instances.
        func forget(_ gone: Set<String>) {
            for key in names.keys where gone.contains(key.name) { leave(key) }
            takeOutWaste()
        }

        /// When ``takeTurns(_:)`` has something to do.
        var deadline: ContinuousClock.Instant? { turns.deadline { sink.standing(of: $0.name) } }

        /// Gives places to those that wait. Must not be called inside a reply.
        func takeTurns(_ now: ContinuousClock.Instant) {
            let (begin, end) = turns.next(now) { sink.standing(of: $0.name) }
            for key in end { if let follower = followers.removeValue(forKey: key) { waste.append(follower) } }
            for key in begin {
                guard let rawName = names[key] else { continue }
                followers[key] = RecordFollower(
                    avahi,
                    server: server,
                    name: key.name,
                    rawName: rawName,
                    place: key.place,
                    sink: sink
                )
            }
            takeOutWaste()
        }

        private func vanished(_ rawName: UnsafePointer<CChar>, _ place: InstanceTable.Place) {
            let name = ForeignText.instanceName(rawName)
            guard sink.vanished(name, at: place) else { return }
            leave(Key(name: name, place: place))
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
            (followers, names, turns) = ([:], [:], Turns(places: turns.places))
            takeOutWaste()
        }
    }
#endif
