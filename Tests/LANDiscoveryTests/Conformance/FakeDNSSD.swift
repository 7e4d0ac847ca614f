import CDNSSD
import Libc

@testable import LANDiscovery

/// A libdns_sd in memory: the functions of the system's library, with the replies of a responder that a test controls.
///
/// Like the real ones, replies come inside `DNSServiceProcessResult`, several in a row, also to an operation that a
/// reply before has given up. Functions of C carry no context, so one is in force at a time.
final class FakeDNSSD: FakeResponder {
    nonisolated(unsafe) private static var current: FakeDNSSD?
    /// The number of the next operation; none is used twice, whichever library is in force.
    nonisolated(unsafe) private static var nextNumber = 1

    enum Kind {
        case register(name: [UInt8], DNSServiceRegisterReply?)
        case browse(DNSServiceBrowseReply?)
        case resolve(name: [UInt8], DNSServiceResolveReply?)
        case query(host: String, type: UInt16, DNSServiceQueryRecordReply?)
    }

    final class Operation {
        let kind: Kind
        let interface: UInt32
        let context: UnsafeMutableRawPointer?
        /// The ends of a pipe, which is readable while replies wait.
        var ends: [Int32] = [-1, -1]
        var replies: [() -> Void] = []
        var isDead = false

        init(_ kind: Kind, _ interface: UInt32, _ context: UnsafeMutableRawPointer?) {
            (self.kind, self.interface, self.context) = (kind, interface, context)
            _ = pipe(&ends)
            for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        }

        func reply(_ reply: @escaping () -> Void) {
            replies.append(reply)
            _ = write(ends[1], [0], 1)
        }
    }

    var showsOwn = true
    /// Names whose resolve is never answered.
    var silent: Set<String> = []
    /// The name that the responder publishes instead of the asked one; `nil` for that one.
    var rename: String?
    private(set) var operations: [Int: Operation] = [:]
    private var instances: [FakeInstance.Key: FakeInstance] = [:]
    /// The names of the instances on a host.
    private var names: [String: [UInt8]] = [:]
    private var isAlive = true

    init() { Self.current = self }

    var published: String? {
        for operation in operations.values {
            if case .register(let name, _) = operation.kind { return String(decoding: name, as: UTF8.self) }
        }
        return nil
    }

    func makeBackend(_ sink: any InstanceSink, _ mailbox: Mailbox, _ time: VirtualTime) throws(BackendError)
        -> any DiscoveryBackend
    {
        try SystemBackend(
            interfaces: [], sink: sink, mailbox: mailbox, library: Self.library(), clock: { time.now })
    }

    // MARK: The network

    func show(_ instance: FakeInstance) {
        let former = instances.updateValue(instance, forKey: instance.key)
        names[instance.host] = instance.name
        for (number, operation) in operations {
            switch operation.kind {
            case .browse where former == nil: answer(operation, number, instance, isThere: true)
            case .resolve(instance.name, _) where operation.interface == instance.interface:
                answer(operation, number, instance, isThere: true)
            case .query(instance.host, _, _) where operation.interface == instance.interface:
                if let former { answer(operation, number, former, isThere: false) }
                answer(operation, number, instance, isThere: true)
            default: break
            }
        }
    }

    func hide(_ name: String, interface: UInt32) {
        let key = FakeInstance.Key(name: Array(name.utf8), interface: interface)
        guard let gone = instances.removeValue(forKey: key) else { return }
        for (number, operation) in operations {
            if case .browse = operation.kind { answer(operation, number, gone, isThere: false) }
        }
    }

    func lose(_ name: String) { instances = instances.filter { $0.key.name != Array(name.utf8) } }

    /// As Avahi's library when its daemon ends: one callback with an error and NULL in place of every text, and no more.
    func die() {
        isAlive = false
        for (number, operation) in operations {
            operation.isDead = true
            operation.replies = []
            fail(operation, number)
        }
    }

    func rise() { isAlive = true }

    /// Fails an operation with NULL in place of every text.
    func failResolves() {
        for (number, operation) in operations {
            if case .resolve = operation.kind { fail(operation, number) }
        }
    }

    private func fail(_ operation: Operation, _ number: Int) {
        operation.reply {
            let (reference, context) = (OpaquePointer(bitPattern: number), operation.context)
            switch operation.kind {
            case .register(_, let reply): reply?(reference, 0, -65_537, nil, nil, nil, context)
            case .browse(let reply): reply?(reference, 0, 0, -65_537, nil, nil, nil, context)
            case .resolve(_, let reply): reply?(reference, 0, 0, -65_537, nil, nil, 0, 0, nil, context)
            case .query(_, _, let reply): reply?(reference, 0, 0, -65_537, nil, 0, 0, 0, nil, 0, context)
            }
        }
    }

    /// Queues what an operation is told of an instance.
    private func answer(_ operation: Operation, _ number: Int, _ instance: FakeInstance, isThere: Bool) {
        let (reference, context) = (OpaquePointer(bitPattern: number), operation.context)
        let flags = isThere ? DNSServiceFlags(kDNSServiceFlagsAdd) : 0
        let (name, host) = (Self.text(instance.name), Self.text(Array(instance.host.utf8)))
        switch operation.kind {
        case .register: break
        case .browse(let reply):
            operation.reply { reply?(reference, flags, instance.interface, 0, name, nil, nil, context) }
        case .resolve(_, let reply):
            guard !silent.contains(String(decoding: instance.name, as: UTF8.self)) else { return }
            operation.reply {
                reply?(
                    reference, 0, instance.interface, 0, name, host, instance.port.bigEndian,
                    UInt16(instance.txt.count), instance.txt, context)
            }
        case .query(_, let type, let reply):
            let size = type == UInt16(kDNSServiceType_A) ? 4 : 16
            for address in instance.addresses where address.count == size || address.count < 4 {
                operation.reply {
                    reply?(
                        reference, flags, instance.interface, 0, host, type, 1, UInt16(address.count), address, 120,
                        context)
                }
            }
        }
    }

    private static func text(_ bytes: [UInt8]) -> [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }

    // MARK: The library

    static func library() -> DNSSDLibrary {
        DNSSDLibrary(
            socket: { FakeDNSSD.operation($0)?.ends[0] ?? -1 },
            process: { FakeDNSSD.process($0) },
            deallocate: { FakeDNSSD.deallocate($0) },
            register: { reference, _, interface, name, _, _, _, _, _, _, reply, context in
                let name = name.map { ForeignText.cBytes($0, limit: 255) } ?? []
                return FakeDNSSD.start(.register(name: name, reply), interface, context) { reference?.pointee = $0 }
            },
            update: { reference, _, _, _, _, _ in FakeDNSSD.operation(reference)?.isDead == false ? 0 : -65_537 },
            browse: { reference, _, interface, _, _, reply, context in
                FakeDNSSD.start(.browse(reply), interface, context) { reference?.pointee = $0 }
            },
            resolve: { reference, _, interface, name, _, _, reply, context in
                let name = name.map { ForeignText.cBytes($0, limit: 255) } ?? []
                return FakeDNSSD.start(.resolve(name: name, reply), interface, context) { reference?.pointee = $0 }
            },
            query: { reference, _, interface, host, type, _, reply, context in
                let host = host.map { String(cString: $0) } ?? ""
                return FakeDNSSD.start(.query(host: host, type: type, reply), interface, context) {
                    reference?.pointee = $0
                }
            }
        )
    }

    private static func operation(_ reference: OpaquePointer?) -> Operation? {
        current?.operations[Int(bitPattern: reference)]
    }

    private static func process(_ reference: OpaquePointer?) -> DNSServiceErrorType {
        guard let operation = operation(reference) else { return -65_537 }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while read(operation.ends[0], &bytes, bytes.count) == bytes.count {}
        let replies = operation.replies
        operation.replies = []
        for reply in replies { reply() }
        return operation.isDead ? -65_537 : 0
    }

    private static func deallocate(_ reference: OpaquePointer?) {
        guard let operation = current?.operations.removeValue(forKey: Int(bitPattern: reference)) else { return }
        for end in operation.ends { close(end) }
    }

    private static func start(
        _ kind: Kind, _ interface: UInt32, _ context: UnsafeMutableRawPointer?, _ give: (OpaquePointer?) -> Void
    ) -> DNSServiceErrorType {
        guard let current, current.isAlive else { return -65_537 }
        let (number, operation) = (nextNumber, Operation(kind, interface, context))
        nextNumber += 1
        current.operations[number] = operation
        give(OpaquePointer(bitPattern: number))
        current.greet(operation, number)
        return 0
    }

    /// Queues what a new operation is told at once.
    private func greet(_ operation: Operation, _ number: Int) {
        switch operation.kind {
        case .register(let name, let reply):
            let reference = OpaquePointer(bitPattern: number)
            let (published, context) = (Self.text(rename.map { Array($0.utf8) } ?? name), operation.context)
            operation.reply { reply?(reference, 0, 0, published, nil, nil, context) }
            guard showsOwn else { return }
            var own = FakeInstance("")
            own.name = rename.map { Array($0.utf8) } ?? name
            for (number, browse) in operations {
                if case .browse = browse.kind { answer(browse, number, own, isThere: true) }
            }
        case .browse:
            if showsOwn, let published { answer(operation, number, FakeInstance(published), isThere: true) }
            for instance in instances.values { answer(operation, number, instance, isThere: true) }
        case .resolve(let name, _):
            answer(operation, number, name)
        case .query(let host, _, _):
            if let name = names[host] { answer(operation, number, name) }
        }
    }

    private func answer(_ operation: Operation, _ number: Int, _ name: [UInt8]) {
        guard let instance = instances[FakeInstance.Key(name: name, interface: operation.interface)] else { return }
        answer(operation, number, instance, isThere: true)
    }
}
