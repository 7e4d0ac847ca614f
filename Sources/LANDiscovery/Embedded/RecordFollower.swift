#if os(Linux)
    import CAvahiCore

    /// Follows the SRV and TXT records of one instance at one place, and the addresses of the host it points at.
    final class RecordFollower {
        private let avahi: AvahiLibrary
        private let server: OpaquePointer
        private let name: String
        private let place: InstanceTable.Place
        private let sink: any InstanceSink
        private var browsers: [OpaquePointer] = []
        private var addressBrowsers: [OpaquePointer] = []
        private var waste: [OpaquePointer] = []
        private var host: [UInt8] = []
        private var texts = StandingTexts()

        init(
            _ avahi: AvahiLibrary,
            server: OpaquePointer,
            name: String,
            rawName: UnsafePointer<CChar>,
            place: InstanceTable.Place,
            sink: any InstanceSink
        ) {
            self.avahi = avahi
            self.server = server
            self.name = name
            self.place = place
            self.sink = sink
            var full = [CChar](repeating: 0, count: 1_014)
            guard
                avahi.serviceNameJoin(&full, full.count, rawName, LANDiscovery.serviceType, LANDiscovery.domain) >= 0
            else { return }
            browsers = [AVAHI_DNS_TYPE_SRV, AVAHI_DNS_TYPE_TXT].compactMap { browse(full, UInt16($0)) }
        }

        private func browse(_ recordName: UnsafePointer<CChar>, _ type: UInt16) -> OpaquePointer? {
            guard let key = avahi.keyNew(recordName, UInt16(AVAHI_DNS_CLASS_IN), type) else { return nil }
            defer { avahi.keyUnref(key) }
            return avahi.recordBrowserNew(
                server,
                AvahiIfIndex(clamping: place.interface),
                place.family,
                key,
                AVAHI_LOOKUP_USE_MULTICAST,
                { browser, interface, _, event, record, _, context in
                    guard let browser, let record, let context else { return }
                    guard event == AVAHI_BROWSER_NEW || event == AVAHI_BROWSER_REMOVE else { return }
                    Unmanaged<RecordFollower>.fromOpaque(context).takeUnretainedValue()
                        .changed(record, isThere: event == AVAHI_BROWSER_NEW, by: browser)
                },
                Unmanaged.passUnretained(self).toOpaque()
            )
        }

        private func changed(_ record: UnsafeMutablePointer<AvahiRecord>, isThere: Bool, by browser: OpaquePointer) {
            guard !waste.contains(browser), let key = record.pointee.key else { return }
            let data = record.pointee.data
            switch Int(key.pointee.type) {
            case AVAHI_DNS_TYPE_SRV where isThere:
                sink.described(name, at: place, port: data.srv.port)
                if let target = data.srv.name { follow(target) }
            case AVAHI_DNS_TYPE_TXT:
                let text = TXTStrings.read(strings(data.txt.string_list))
                if let present = isThere ? texts.came(text) : texts.went(text) { sink.described(name, txt: present) }
            case AVAHI_DNS_TYPE_A:
                address(withUnsafeBytes(of: data.a.address) { Array($0) }, isThere)
            case AVAHI_DNS_TYPE_AAAA:
                address(withUnsafeBytes(of: data.aaaa.address) { Array($0) }, isThere)
            default: break
            }
        }

        private func follow(_ target: UnsafePointer<CChar>) {
            let host = ForeignText.cBytes(target, limit: 1_013)
            guard host != self.host else { return }
            self.host = host
            waste += addressBrowsers
            addressBrowsers = [AVAHI_DNS_TYPE_A, AVAHI_DNS_TYPE_AAAA].compactMap { browse(target, UInt16($0)) }
        }

        private func address(_ bytes: [UInt8], _ isThere: Bool) {
            guard let text = NumericAddress.text(bytes, interface: place.interface) else { return }
            sink.address(text, of: name, at: place, isThere: isThere)
        }

        /// The strings of a TXT record; the library has bounded the record by the size of a packet.
        private func strings(_ list: UnsafeMutablePointer<AvahiStringList>?) -> [ArraySlice<UInt8>] {
            var strings: [ArraySlice<UInt8>] = []
            var next = list
            while let item = next, strings.count < TXTStrings.largestRecord {
                if let text = avahi.stringListGetText(item) {
                    strings.append(Array(UnsafeBufferPointer(start: text, count: avahi.stringListGetSize(item)))[...])
                }
                next = avahi.stringListGetNext(item)
            }
            return strings
        }

        /// Frees the browsers that replies have made useless. Must not be called inside a reply.
        func takeOutWaste() {
            waste.forEach { avahi.recordBrowserFree($0) }
            waste = []
        }

        /// Ends all browsers. Must not be called inside a reply.
        func stop() {
            (browsers + addressBrowsers).forEach { avahi.recordBrowserFree($0) }
            (browsers, addressBrowsers) = ([], [])
            takeOutWaste()
        }
    }
#endif
