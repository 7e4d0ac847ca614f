/// The cookie of a session.
struct SessionCookie: Hashable, Sendable {
    /// The name of the cookie, which has the port in it: a browser sends the cookies of an address to all its ports, and
    /// each home listens on another one.
    let name: String

    init(port: Int) { name = "hearth-\(port)" }

    /// The header that has a browser keep it: no script can read it, no other site has it sent, and it ends with the
    /// browser.
    func header(_ value: String) -> String { "\(name)=\(value); Path=/api/; HttpOnly; SameSite=Strict" }

    /// The value in the header of a request; `nil` where it is not there, or twice.
    func value(in header: String) -> String? {
        let found = header.split(separator: ";").compactMap { part -> String? in
            let part = part.drop { $0 == " " }
            guard part.hasPrefix(name + "=") else { return nil }
            return String(part.dropFirst(name.count + 1))
        }
        return found.count == 1 ? found[0] : nil
    }
}
