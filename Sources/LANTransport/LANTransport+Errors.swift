import HouseholdAgent
import Libc
import NIOCore

extension LANTransport {
    /// The error for a failed listen, with a sentence for a person.
    static func explain(_ error: any Error, _ place: PeerAddress) -> TransportError {
        if let error = error as? TransportError { return error }
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE:
            return TransportError(
                code: .portInUse,
                message: "Port \(place.port) is in use by another program: stop that program or choose another port."
            )
        case EACCES, EPERM:
            return TransportError(
                code: .notPermitted,
                message: "This user may not listen on port \(place.port): choose a port above 1023."
            )
        case EADDRNOTAVAIL, EAFNOSUPPORT:
            return TransportError(
                code: .addressUnavailable,
                message: "This device has no address \(place.host): choose one that it has, or none to listen on all."
            )
        default:
            return TransportError(
                code: .other,
                message: "Cannot listen on \(place): \(Reason.describe(error))."
            )
        }
    }
}
