#if os(Linux)
    import CAvahiCore
    import Logging
    import Synchronization

    /// The library's values for "any": every interface, every address family.
    enum AvahiAny {
        static let interface = AvahiIfIndex(AVAHI_IF_UNSPEC)
        static let family = AvahiProtocol(AVAHI_PROTO_UNSPEC)
    }

    /// Receives the library's own log messages, which it would otherwise write to the error output.
    enum AvahiLog {
        private static let logger = Logger(label: "hearth.discovery.embedded")
        private static let warning = Mutex<String?>(nil)
        /// The last warning or error of any responder in this process.
        static var lastWarning: String? { warning.withLock { $0 } }

        /// Directs the messages here; repeating it does nothing.
        static func install(_ avahi: AvahiLibrary) {
            avahi.setLogFunction { level, text in
                guard let text else { return }
                let sentence = ForeignText.clean(ForeignText.cBytes(text, limit: 512), limit: 512)
                if level.rawValue <= AVAHI_LOG_WARN.rawValue { AvahiLog.warning.withLock { $0 = sentence } }
                AvahiLog.logger.debug("\(sentence)")
            }
        }
    }
#endif
