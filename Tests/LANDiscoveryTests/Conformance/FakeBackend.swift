import HouseholdAgent

@testable import LANDiscovery

/// A backend in memory, with a responder that a test controls. It tells everything it knows, in any order that a test
/// wants, also what a real one should not.
final class FakeBackend: DiscoveryBackend {
    let name = "fake"
    var failure: BackendError?
    let deadline: ContinuousClock.Instant? = nil
    let sink: any InstanceSink
    /// What is told at the next `poll`.
    var queue: [(any InstanceSink) -> Void] = []
    private let hub: FakeHub

    init(_ hub: FakeHub, _ sink: any InstanceSink) {
        (self.hub, self.sink) = (hub, sink)
    }

    func publish(_ announcement: ServiceAnnouncement) { hub.publish(announcement.instance) }

    func forget(_ names: Set<String>) { hub.forgotten.formUnion(names) }

    func refresh(_ network: NetworkInterfaces) { hub.tellAll(self) }

    func poll(milliseconds: Int32) {
        let now = queue
        queue = []
        for tell in now { tell(sink) }
    }

    func stop() { hub.stopped(self) }
}

/// The network behind a ``FakeBackend``.
final class FakeHub: FakeResponder {
    var showsOwn = true
    private(set) var published: String?
    private(set) var backend: FakeBackend?
    /// The instances that the backend was told to follow no longer.
    var forgotten: Set<String> = []
    private var instances: [FakeInstance.Key: FakeInstance] = [:]
    private var isAlive = true

    func makeBackend(_ sink: any InstanceSink, _ mailbox: Mailbox, _ time: VirtualTime) throws(BackendError)
        -> any DiscoveryBackend
    {
        guard isAlive else { throw BackendError(sentence: "the fake does not answer") }
        let new = FakeBackend(self, sink)
        backend = new
        tellAll(new)
        return new
    }

    func publish(_ name: String) {
        published = name
        backend?.queue.append { $0.isPublished(as: name) }
        guard showsOwn else { return }
        backend?.queue.append { _ = $0.sighted(name, at: InstanceTable.Place(interface: 2)) }
    }

    func stopped(_ backend: FakeBackend) {
        if backend === self.backend { (self.backend, published) = (nil, nil) }
    }

    func show(_ instance: FakeInstance) {
        let former = instances.updateValue(instance, forKey: instance.key)
        guard let backend else { return }
        if let former {
            for address in former.addresses where !instance.addresses.contains(address) {
                tell(backend, address, of: instance, isThere: false)
            }
        } else {
            backend.queue.append { _ = $0.sighted(Self.name(instance), at: Self.place(instance)) }
        }
        describe(instance, to: backend)
    }

    func hide(_ name: String, interface: UInt32) {
        instances[FakeInstance.Key(name: Array(name.utf8), interface: interface)] = nil
        backend?.queue.append { _ = $0.vanished(name, at: InstanceTable.Place(interface: interface)) }
    }

    func lose(_ name: String) { instances = instances.filter { $0.key.name != Array(name.utf8) } }

    func die() {
        isAlive = false
        backend?.failure = BackendError(sentence: "the fake went away")
    }

    func rise() { isAlive = true }

    func tellAll(_ backend: FakeBackend) {
        if let published, showsOwn { backend.queue.append { _ = $0.sighted(published, at: .init(interface: 2)) } }
        for instance in instances.values {
            backend.queue.append { _ = $0.sighted(Self.name(instance), at: Self.place(instance)) }
            describe(instance, to: backend)
        }
    }

    private func describe(_ instance: FakeInstance, to backend: FakeBackend) {
        backend.queue.append {
            $0.described(Self.name(instance), txt: TXTStrings.decode(instance.txt))
            $0.described(Self.name(instance), at: Self.place(instance), port: instance.port)
        }
        for address in instance.addresses { tell(backend, address, of: instance, isThere: true) }
    }

    private func tell(_ backend: FakeBackend, _ address: [UInt8], of instance: FakeInstance, isThere: Bool) {
        guard let text = NumericAddress.text(address, interface: instance.interface) else { return }
        backend.queue.append {
            $0.address(text, of: Self.name(instance), at: Self.place(instance), isThere: isThere)
        }
    }

    private static func name(_ instance: FakeInstance) -> String {
        ForeignText.clean(instance.name, limit: ForeignText.longestName)
    }

    private static func place(_ instance: FakeInstance) -> InstanceTable.Place {
        InstanceTable.Place(interface: instance.interface)
    }
}
