/// The keys of the interface: the token of the home, for programs, and the sessions of the page. A session begins with a
/// code that works once.
///
/// A session has two halves. The cookie is kept by the browser, out of reach of any script; browsers send it to every port
/// of the address, so a server of another user may come to see it. The proof is kept by the page, out of reach of any
/// other origin, other ports among them, and it is sent as a header, which pages of other sites cannot have sent. Each is
/// nothing without the other.
struct Keys: Sendable {
    /// How long the code of a link works.
    static let codeTime = Duration.seconds(120)
    /// The most codes and the most sessions; the oldest one goes.
    static let limit = 16

    struct Session: Hashable, Sendable {
        let cookie: Secret
        let proof: Secret
    }

    let token: Secret
    private var codes: [(code: Secret, end: ContinuousClock.Instant)] = []
    private var sessions: [Session] = []

    init(_ random: inout some RandomNumberGenerator) { token = Secret(&random) }

    /// A code for one link.
    mutating func newCode(_ random: inout some RandomNumberGenerator, now: ContinuousClock.Instant) -> Secret {
        let code = Secret(&random)
        codes.append((code, now + Self.codeTime))
        if codes.count > Self.limit { codes.removeFirst() }
        return code
    }

    /// Begins a session for a code; `nil` where it is none, was used, or has expired.
    ///
    /// - Parameter shown: The cookie that the browser has. One of a session is used again: a browser keeps one for all its
    ///   tabs, and with another one those that are open would have no session any more.
    mutating func redeem(
        _ code: String, cookie shown: String? = nil, _ random: inout some RandomNumberGenerator,
        now: ContinuousClock.Instant
    ) -> Session? {
        codes.removeAll { $0.end <= now }
        guard let index = codes.firstIndex(where: { $0.code.matches(code) }) else { return nil }
        codes.remove(at: index)
        let known = shown.flatMap { shown in sessions.filter { $0.cookie.matches(shown) }.first?.cookie }
        let cookie = if let known { known } else { Secret(&random) }
        let session = Session(cookie: cookie, proof: Secret(&random))
        sessions.append(session)
        if sessions.count > Self.limit { sessions.removeFirst() }
        return session
    }

    func admits(token shown: String) -> Bool { token.matches(shown) }

    /// Whether both halves belong to one session. All sessions are compared, so that the time says nothing.
    func admits(cookie: String, proof: String) -> Bool {
        sessions.reduce(false) { found, session in
            let matches = session.cookie.matches(cookie)
            let proves = session.proof.matches(proof)
            return found || (matches && proves)
        }
    }
}
