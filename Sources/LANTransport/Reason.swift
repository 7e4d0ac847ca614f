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
            let code = code(of: cause)
            // These codes mean that the answer was no TLS: another program, such as a web server, listens at the port.
            if ["WRONG_VERSION_NUMBER", "HTTP_REQUEST", "HTTPS_PROXY_REQUEST"].contains(code) {
                return "another program than Hearth answers there"
            }
            return "the TLS handshake failed" + (code.map { " (\($0))" } ?? "")
        case is NIOSSLCloseTimedOutError:
            return "the other device did not close the connection in time"
        case let error as BoringSSLError:
            return "TLS failed" + (code(of: error).map { " (\($0))" } ?? "")
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

    /// The name of an error of BoringSSL. Its own text has a path of the machine on which it was built.
    private static func code(of error: BoringSSLError) -> String? {
        let text = String(describing: error)
        guard let mark = text.firstRange(of: "OPENSSL_internal:") else { return nil }
        let name = text[mark.upperBound...].prefix { $0 == "_" || $0.isASCII && ($0.isUppercase || $0.isNumber) }
        return name.isEmpty ? nil : String(name)
    }

    private static func clip(_ error: any Error) -> String {
        String(String(describing: error).prefix(maximumCharacters))
    }
}
