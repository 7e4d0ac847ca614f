/// What the discovery loop finds around it: clocks, network interfaces and the two backends. Tests put others in their
/// place.
struct Surroundings {
    typealias Clock = () -> ContinuousClock.Instant
    /// The answer to a question; `nil` while it is not there.
    typealias Answer = () -> Bool?

    var now: Clock = { .now }
    /// The clock that stands still while the machine sleeps.
    var awake: () -> SuspendingClock.Instant = { .now }
    var network: () -> NetworkInterfaces
    var system: (any InstanceSink) throws(BackendError) -> any DiscoveryBackend
    var embedded: (NetworkInterfaces, any InstanceSink) throws(BackendError) -> any DiscoveryBackend
    /// Asks whether multicast brings this device the announcement that it shows under a name.
    var echo: (String, NetworkInterfaces) -> Answer

    /// The network and the responders of this machine.
    static func real(interfaces: [String], mailbox: Mailbox) -> Surroundings {
        Surroundings(
            network: { NetworkInterfaces.read(restrictedTo: interfaces) },
            system: { sink throws(BackendError) in
                try SystemBackend(interfaces: interfaces, sink: sink, mailbox: mailbox)
            },
            embedded: { network, sink throws(BackendError) in
                #if os(Linux)
                    return try EmbeddedBackend(interfaces: interfaces, network: network, sink: sink, mailbox: mailbox)
                #else
                    throw BackendError(
                        sentence: "there is no embedded responder on this system; use --discovery system")
                #endif
            },
            echo: { name, network in
                let question = SlowQuestion(mailbox) { OwnEcho.isHeard(name, on: network) }
                return { question.answer }
            })
    }
}
