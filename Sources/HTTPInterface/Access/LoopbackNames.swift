/// The names by which this machine itself reaches the server, and the origin that its page has under each of them.
///
/// A page of another site can have a name of its own lead to this machine (DNS rebinding), and then asks with that name;
/// or it asks under one of these names from its own origin. Both are refused.
struct LoopbackNames: Hashable, Sendable {
    private let hosts: Set<String>

    init(port: Int) { hosts = Set(["127.0.0.1", "[::1]", "localhost"].map { "\($0):\(port)" }) }

    /// - Throws: ``Refusal`` unless the request names this machine, and comes from the page itself or from no page.
    func check(_ request: WebRequest) throws(Refusal) {
        guard let host = try request.value("host") else { throw Refusal(400, "The header host is missing.") }
        guard hosts.contains(host) else {
            throw Refusal(421, "This is not \(host.prefix(100)): Hearth's page has an address of this machine.")
        }
        if let origin = try request.value("origin"), origin != "http://\(host)" {
            throw Refusal(403, "Pages of \(origin.prefix(100)) get nothing here.")
        }
        guard let site = try request.value("sec-fetch-site"), site != "same-origin", site != "none" else { return }
        // A link that leads here from elsewhere is followed, as any link is; it brings nothing but the page.
        let mode = try request.value("sec-fetch-mode")
        guard mode == "navigate", request.method == "GET", request.path == "/" else {
            throw Refusal(403, "Pages of other sites get nothing here.")
        }
    }
}
