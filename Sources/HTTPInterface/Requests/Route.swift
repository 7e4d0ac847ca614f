import ControlInterface

/// The resource that a request names.
enum Route: Hashable, Sendable {
    /// A file of the page, by its path.
    case file(String)
    case health
    case metrics
    /// The OpenAPI document.
    case description
    /// Exchanges the code of a link for a session.
    case session
    /// Encrypts a signed transfer file with a passphrase.
    case seal
    /// Opens an encrypted transfer file with its passphrase.
    case unseal
    /// The stream of changes.
    case events
    /// A request of the agent, by its name in ``RequestTable``.
    case request(String)

    /// What a client has to show.
    enum Access: Hashable, Sendable {
        /// Nothing: it is the same in every home.
        case open
        /// The code of a link, in the body.
        case code
        /// The token of the home, or a session.
        case key
    }

    var access: Access {
        switch self {
        case .file, .health, .description: .open
        case .session: .code
        case .metrics, .seal, .unseal, .events, .request: .key
        }
    }

    /// The path of the interface, without the part that names what is asked for.
    static let base = "/api/v\(ControlCoding.version)/"

    /// The longest target; no path here comes near it.
    private static let limit = 1_024

    /// - Throws: ``Refusal`` where nothing is there, or it takes another method.
    init(_ request: WebRequest) throws(Refusal) {
        guard request.target.hasPrefix("/"), request.target.utf8.count <= Self.limit else {
            throw Refusal(400, "The target of a request is a path of at most \(Self.limit) bytes.")
        }
        let path = String(request.path)
        self = Self.named(path)
        guard methods.contains(request.method) else {
            throw Refusal(405, "\(path.prefix(100)) takes \(methods.joined(separator: " or ")).")
        }
    }

    private static func named(_ path: String) -> Route {
        switch path {
        case "/healthz": return .health
        case "/metrics": return .metrics
        case base + "openapi.json": return .description
        case base + "session": return .session
        case base + "seal": return .seal
        case base + "unseal": return .unseal
        case base + "events": return .events
        default:
            let requests = base + "requests/"
            return path.hasPrefix(requests) ? .request(String(path.dropFirst(requests.count))) : .file(path)
        }
    }

    /// The methods that it takes.
    var methods: [String] {
        switch self {
        case .file, .health, .metrics, .description: ["GET", "HEAD"]
        case .events: ["GET"]
        case .session, .seal, .unseal, .request: ["POST"]
        }
    }

    /// Whether a request has a body of JSON.
    var hasBody: Bool { methods == ["POST"] }
}
