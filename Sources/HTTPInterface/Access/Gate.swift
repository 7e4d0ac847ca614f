/// Decides by the head of a request, before its body is read, whether its sender may ask for this.
struct Gate: Sendable {
    private let names: LoopbackNames
    private let cookie: SessionCookie

    init(port: Int) {
        names = LoopbackNames(port: port)
        cookie = SessionCookie(port: port)
    }

    /// The header by which the page proves that it is the page.
    static let proofHeader = "x-hearth-proof"

    /// - Returns: What the request is about.
    /// - Throws: ``Refusal`` unless the client may ask for it.
    func admit(_ request: WebRequest, with keys: Keys) throws(Refusal) -> Route {
        try names.check(request)
        let route = try Route(request)
        if route.hasBody { try checkBody(request) }
        switch route.access {
        case .open: break
        case .code:
            // Every browser says where such a request comes from, and nothing else has a use for a session.
            guard try request.value("origin") != nil else {
                throw Refusal(403, "Sessions are for the page; programs send the token of the home.")
            }
        case .key: try checkKey(request, keys)
        }
        return route
    }

    /// A form cannot send JSON, and no page of another site may: its browser would have to ask first, and is refused.
    private func checkBody(_ request: WebRequest) throws(Refusal) {
        let type = try request.value("content-type")?.prefix { $0 != ";" }.lowercased()
        guard type == "application/json" else {
            throw Refusal(415, "A request is sent as JSON, with the header content-type: application/json.")
        }
    }

    private func checkKey(_ request: WebRequest, _ keys: Keys) throws(Refusal) {
        if let shown = try request.value("authorization") {
            guard shown.hasPrefix("Bearer "), keys.admits(token: String(shown.dropFirst(7))) else {
                throw Refusal(401, "This is not the token of the home.")
            }
            return
        }
        guard let header = try request.value("cookie"), let value = cookie.value(in: header) else {
            throw Refusal(401, "Open the page with \"hearth page\"; programs send the token of the home.")
        }
        guard let proof = try request.value(Self.proofHeader), keys.admits(cookie: value, proof: proof) else {
            throw Refusal(403, "This tab has no session, or it has ended: open the page with \"hearth page\".")
        }
    }
}
