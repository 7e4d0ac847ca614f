import CDNSSD
import Libc

/// One operation of the system's responder, with its socket.
///
/// It lives on the discovery thread; its replies come inside `process`. Flags are always 0, because Avahi's
/// compatibility library refuses every other value.
///
/// On macOS the same header comes from the system. That path is written to compile there and has not been run yet.
final class ServiceHandle {
    /// A reply of the responder.
    enum Reply {
        case registered(name: String)
        case browsed(isThere: Bool, name: [CChar], interface: UInt32)
        case resolved(interface: UInt32, host: [CChar], port: UInt16, txt: [UInt8])
        case record(isThere: Bool, interface: UInt32, data: [UInt8])
        /// An error code; the handle cannot be used any more.
        case failed(Int32)
    }

    /// The largest number of bytes that are copied from a record. A TXT record that is used has at most 1,300 bytes.
    private static let largestData = 4_096

    private let library: DNSSDLibrary
    private var reference: DNSServiceRef?
    private let onReply: (Reply) -> Void
    /// Whether the handle was given up: replies that still come are dropped.
    var isOver = false

    private init(_ library: DNSSDLibrary, onReply: @escaping (Reply) -> Void) {
        self.library = library
        self.onReply = onReply
    }

    /// The socket to poll.
    var descriptor: Int32 { reference.map { library.socket($0) } ?? -1 }

    /// Reads the replies that have arrived and calls `onReply`. Returns false when the responder is gone.
    func process() -> Bool {
        guard let reference else { return false }
        return library.process(reference) == 0
    }

    /// Ends the operation. Must not be called inside a reply.
    func deallocate() {
        isOver = true
        if let reference { library.deallocate(reference) }
        reference = nil
    }

    deinit { deallocate() }

    private func give(_ error: DNSServiceErrorType, _ reply: @autoclosure () -> Reply?) {
        guard !isOver else { return }
        guard error == 0, let reply = reply() else { return onReply(.failed(error)) }
        onReply(reply)
    }

    /// Starts an operation and makes its socket non-blocking, because reading it would otherwise wait for ever.
    private static func make(
        _ library: DNSSDLibrary,
        onReply: @escaping (Reply) -> Void,
        _ start: (inout DNSServiceRef?, UnsafeMutableRawPointer) -> DNSServiceErrorType
    ) throws(BackendError) -> ServiceHandle {
        let handle = ServiceHandle(library, onReply: onReply)
        let error = start(&handle.reference, Unmanaged.passUnretained(handle).toOpaque())
        guard error == 0, handle.reference != nil, handle.descriptor >= 0 else {
            if error != 0 { handle.reference = nil }
            throw SystemService.error("does not answer (dns_sd error \(error))")
        }
        let flags = fcntl(handle.descriptor, F_GETFL)
        _ = fcntl(handle.descriptor, F_SETFL, flags | O_NONBLOCK)
        return handle
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> ServiceHandle? {
        // The owner keeps every handle until it is deallocated, and no reply comes after that.
        context.map { Unmanaged<ServiceHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Publishes an instance.
    static func register(
        _ library: DNSSDLibrary,
        name: String,
        interface: UInt32,
        port: UInt16,
        txt: [UInt8],
        onReply: @escaping (Reply) -> Void
    ) throws(BackendError) -> ServiceHandle {
        try make(library, onReply: onReply) { reference, context in
            library.register(
                &reference,
                0,
                interface,
                name,
                LANDiscovery.serviceType,
                LANDiscovery.domain,
                nil,
                port.bigEndian,
                UInt16(clamping: txt.count),
                txt,
                { _, _, error, name, _, _, context in
                    ServiceHandle.of(context)?.give(error, name.map { .registered(name: ForeignText.instanceName($0)) })
                },
                context
            )
        }
    }

    /// Replaces the TXT record of an instance that this handle publishes.
    func update(txt: [UInt8]) -> Bool {
        guard let reference else { return false }
        return library.update(reference, nil, 0, UInt16(clamping: txt.count), txt, 0) == 0
    }

    /// Looks for instances.
    static func browse(
        _ library: DNSSDLibrary,
        interface: UInt32,
        onReply: @escaping (Reply) -> Void
    ) throws(BackendError) -> ServiceHandle {
        try make(library, onReply: onReply) { reference, context in
            library.browse(
                &reference,
                0,
                interface,
                LANDiscovery.serviceType,
                LANDiscovery.domain,
                { _, flags, interface, error, name, _, _, context in
                    ServiceHandle.of(context)?.give(
                        error,
                        name.map {
                            .browsed(
                                isThere: flags & DNSServiceFlags(kDNSServiceFlagsAdd) != 0,
                                name: ForeignText.cBytes($0, limit: 255).map { CChar(bitPattern: $0) } + [0],
                                interface: interface
                            )
                        }
                    )
                },
                context
            )
        }
    }

    /// Asks for the host, port and TXT record of an instance, and follows their changes.
    static func resolve(
        _ library: DNSSDLibrary,
        name: [CChar],
        interface: UInt32,
        onReply: @escaping (Reply) -> Void
    ) throws(BackendError) -> ServiceHandle {
        try make(library, onReply: onReply) { reference, context in
            library.resolve(
                &reference,
                0,
                interface,
                name,
                LANDiscovery.serviceType,
                LANDiscovery.domain,
                { _, _, interface, error, _, host, port, length, txt, context in
                    ServiceHandle.of(context)?.give(
                        error,
                        host.map {
                            .resolved(
                                interface: interface,
                                host: ForeignText.cBytes($0, limit: 1_024).map { CChar(bitPattern: $0) } + [0],
                                port: UInt16(bigEndian: port),
                                txt: ServiceHandle.copy(txt, Int(length))
                            )
                        }
                    )
                },
                context
            )
        }
    }

    /// Asks for the IPv4 (`kDNSServiceType_A`) or IPv6 addresses of a host, and follows their changes.
    static func addresses(
        _ library: DNSSDLibrary,
        host: [CChar],
        type: Int,
        interface: UInt32,
        onReply: @escaping (Reply) -> Void
    ) throws(BackendError) -> ServiceHandle {
        try make(library, onReply: onReply) { reference, context in
            library.query(
                &reference,
                0,
                interface,
                host,
                UInt16(clamping: type),
                UInt16(clamping: kDNSServiceClass_IN),
                { _, flags, interface, error, name, _, _, length, data, _, context in
                    ServiceHandle.of(context)?.give(
                        error,
                        name.map { _ in
                            .record(
                                isThere: flags & DNSServiceFlags(kDNSServiceFlagsAdd) != 0,
                                interface: interface,
                                data: ServiceHandle.copy(data, Int(length))
                            )
                        }
                    )
                },
                context
            )
        }
    }

    private static func copy(_ data: UnsafeRawPointer?, _ length: Int) -> [UInt8] {
        guard let data, length > 0 else { return [] }
        return Array(UnsafeRawBufferPointer(start: data, count: min(length, largestData)))
    }
}
