import CDNSSD
import Libc

/// The functions of the system's DNS-SD interface: linked on macOS, found at run time on Linux.
///
/// CDNSSD/shim.h says why. The macOS half is written to compile and has not been run yet.
struct DNSSDLibrary {
    let socket: DNSServiceRefSockFDFunction
    let process: DNSServiceProcessResultFunction
    let deallocate: DNSServiceRefDeallocateFunction
    let register: DNSServiceRegisterFunction
    let update: DNSServiceUpdateRecordFunction
    let browse: DNSServiceBrowseFunction
    let resolve: DNSServiceResolveFunction
    let query: DNSServiceQueryRecordFunction
}

extension DNSSDLibrary {
    #if canImport(Darwin)
        init() throws(BackendError) {
            self.init(
                socket: DNSServiceRefSockFD,
                process: DNSServiceProcessResult,
                deallocate: DNSServiceRefDeallocate,
                register: DNSServiceRegister,
                update: DNSServiceUpdateRecord,
                browse: DNSServiceBrowse,
                resolve: DNSServiceResolve,
                query: DNSServiceQueryRecord
            )
        }
    #else
        init() throws(BackendError) {
            // Avahi's library otherwise writes a warning to the error output of every program that uses it.
            setenv("AVAHI_COMPAT_NOWARN", "1", 1)
            let library = try SharedLibrary("libdns_sd.so.1", package: "libavahi-compat-libdnssd1")
            try ZeroedMemory.serve(library)
            self.init(
                socket: try library.function("DNSServiceRefSockFD"),
                process: try library.function("DNSServiceProcessResult"),
                deallocate: try library.function("DNSServiceRefDeallocate"),
                register: try library.function("DNSServiceRegister"),
                update: try library.function("DNSServiceUpdateRecord"),
                browse: try library.function("DNSServiceBrowse"),
                resolve: try library.function("DNSServiceResolve"),
                query: try library.function("DNSServiceQueryRecord")
            )
        }
    #endif
}
