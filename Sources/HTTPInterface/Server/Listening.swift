import HouseholdAgent
import Libc
import Synchronization

/// What the server has while it listens.
final class Listening: Sendable {
    let listener: Listener
    let gate: Gate
    let cookie: SessionCookie
    let feed: EventFeed
    private let keys: Mutex<Keys>

    init(_ listener: Listener) {
        self.listener = listener
        gate = Gate(port: listener.port)
        cookie = SessionCookie(port: listener.port)
        var random = SystemRandomNumberGenerator()
        feed = EventFeed(tag: String(Secret(&random).text.prefix(8)))
        keys = Mutex(Keys(&random))
    }

    var token: Secret { keys.withLock { $0.token } }

    func admit(_ request: WebRequest) throws(Refusal) -> Route {
        let keys = keys.withLock { $0 }
        return try gate.admit(request, with: keys)
    }

    /// A link that works once.
    func link() -> PageLink {
        var random = SystemRandomNumberGenerator()
        let code = keys.withLock { $0.newCode(&random, now: .now) }
        let expires = Self.milliseconds + Keys.codeTime.components.seconds * 1_000
        return PageLink(url: "http://127.0.0.1:\(listener.port)/#code=\(code.text)", expires: expires)
    }

    /// - Parameter cookies: The header of that name.
    func redeem(_ code: String, _ cookies: String?) -> Keys.Session? {
        var random = SystemRandomNumberGenerator()
        let shown = cookies.flatMap { cookie.value(in: $0) }
        return keys.withLock { $0.redeem(code, cookie: shown, &random, now: .now) }
    }

    private static var milliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
