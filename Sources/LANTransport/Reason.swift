import HouseholdAgent
import Libc
import NIOCore
import NIOPosix
import NIOSSL

/// Turns errors of the libraries below into words for a log line. They contain no text from the peer.
enum Reason {
    /// The most characters of a library's own text that are used.
    private static let maximumCharacters = 200

    static func describe(_ error: any Error) -> String {
        switch error {
        case let error as IOError:
            return describe(code: error.errnoCode) ?? clip(error)
        case NIOSSLError.uncleanShutdown:
            return "the peer broke the connection off"
        case NIOSSLError.handshakeFailed(.sslError(let stack)) where stack.contains(.eofDuringHandshake):
            return "the peer broke off during the TLS handshake"
        case NIOSSLError.handshakeFailed(let cause):
            return "the TLS handshake failed: \(clip(cause))"
        case is NIOSSLCloseTimedOutError:
            return "the other device did not close the connection in time"
        case let error as BoringSSLError:
            return "TLS failed: \(clip(error))"
        case ChannelError.connectTimeout:
            return DialFault.noAnswer.rawValue
        case let error as NIOConnectionError:
            if let first = error.connectionErrors.first { return describe(first.error) }
            return "no address is known for the name \(error.host)"
        default:
            return clip(error)
        }
    }

    private static func describe(code: Int32) -> String? {
        switch code {
        case ECONNREFUSED: DialFault.refused.rawValue
        case ECONNRESET, EPIPE: "the peer reset the connection"
        case ETIMEDOUT: DialFault.noAnswer.rawValue
        case EHOSTUNREACH, EHOSTDOWN: DialFault.unreachable.rawValue
        case ENETUNREACH, ENETDOWN: DialFault.noNetwork.rawValue
        case EADDRNOTAVAIL: DialFault.noAddress.rawValue
        case EMFILE, ENFILE: "this process has too many files open"
        default: nil
        }
    }

    private static func clip(_ error: any Error) -> String {
        String(String(describing: error).prefix(maximumCharacters))
    }
}
