import Testing

@testable import HTTPInterface

/// Who may ask for what, by the head of a request alone.
@Suite struct GateTests {
    private static let port = 4_711
    private static let own = "127.0.0.1:4711"

    private struct Keyed {
        var keys: Keys
        var session: Keys.Session
        var cookie: String { "hearth-4711=\(session.cookie.text)" }
    }

    private func keyed() throws -> Keyed {
        var random = SystemRandomNumberGenerator()
        var keys = Keys(&random)
        let code = keys.newCode(&random, now: .now)
        let session = try #require(keys.redeem(code.text, &random, now: .now))
        return Keyed(keys: keys, session: session)
    }

    /// The status of the refusal; 200 where the request is admitted.
    private func status(_ request: WebRequest, _ keys: Keys) -> Int {
        do throws(Refusal) {
            _ = try Gate(port: Self.port).admit(request, with: keys)
            return 200
        } catch {
            #expect(!error.message.isEmpty)
            return error.status
        }
    }

    @Test(arguments: [
        "evil.example", "evil.example:4711", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:4712", "localhost", "localhost:80",
        "[::1]", "[::1]:80", "0.0.0.0:4711", "127.0.0.2:4711", "127.1:4711", "2130706433:4711", "localhost.:4711",
        "localhost.evil.example:4711", "127.0.0.1.nip.example:4711", "192.168.1.20:4711", "[fe80::1]:4711", "",
        " 127.0.0.1:4711", "127.0.0.1:4711@evil.example", "127.0.0.1:4711,evil.example",
    ]) func aHostThatIsNotThisMachineIsRefused(_ host: String) throws {
        let keyed = try keyed()
        let token = [("host", host), ("authorization", "Bearer \(keyed.keys.token.text)")]
        for path in ["/", "/healthz", "/metrics", "/api/v1/events", "/api/v1/openapi.json"] {
            #expect(status(WebRequest("GET", path, token), keyed.keys) == 421, "\(path)")
        }
    }

    @Test(arguments: [
        "null", "http://evil.example", "https://127.0.0.1:4711", "http://127.0.0.1", "http://127.0.0.1:80",
        "http://127.0.0.1:4712", "http://localhost:4711", "http://[::1]:4711", "http://127.0.0.1:4711/",
        "http://127.0.0.1:4711.evil.example", "http://evil.example:4711", "file://", "http://127.0.0.2:4711", "",
        "chrome-extension://abc", "moz-extension://abc", "HTTP://127.0.0.1:4711", "http://127.0.0.1:4711 http://evil",
        "http://user@127.0.0.1:4711", "data:text/html",
    ]) func anotherOriginIsRefused(_ origin: String) throws {
        let keyed = try keyed()
        let headers = [
            ("host", Self.own), ("origin", origin), ("content-type", "application/json"),
            ("cookie", keyed.cookie), ("x-hearth-proof", keyed.session.proof.text),
        ]
        #expect(status(WebRequest("POST", "/api/v1/requests/status", headers), keyed.keys) == 403)
        #expect(status(WebRequest("POST", "/api/v1/session", headers), keyed.keys) == 403)
        #expect(status(WebRequest("GET", "/api/v1/events", headers), keyed.keys) == 403)
    }

    @Test(arguments: ["127.0.0.1:4711", "localhost:4711", "[::1]:4711"])
    func everyNameOfThisMachineWithItsOwnOriginIsAdmitted(_ host: String) throws {
        let keyed = try keyed()
        let headers = [
            ("Host", host), ("Origin", "http://\(host)"), ("Content-Type", "application/json; charset=utf-8"),
            ("Cookie", "other=1; \(keyed.cookie)"), ("X-Hearth-Proof", keyed.session.proof.text),
            ("Sec-Fetch-Site", "same-origin"),
        ]
        #expect(status(WebRequest("POST", "/api/v1/requests/status", headers), keyed.keys) == 200)
    }

    /// What a page of another site can have a browser send: a form, a picture, a script, an EventSource, a fetch without a
    /// question before, each with the cookie, though no browser would send that.
    @Test func whatAPageOfAnotherSiteCanSendIsRefused() throws {
        let keyed = try keyed()
        let cookie = [("host", Self.own), ("cookie", keyed.cookie)]
        let site = ("sec-fetch-site", "cross-site")
        let form =
            cookie + [site, ("origin", "http://evil.example"), ("content-type", "application/x-www-form-urlencoded")]
        #expect(status(WebRequest("POST", "/api/v1/requests/reset", form), keyed.keys) == 403)
        // A browser that says nothing of sites and origins.
        for type in ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"] {
            let old = cookie + [("content-type", type)]
            #expect(status(WebRequest("POST", "/api/v1/requests/reset", old), keyed.keys) == 415)
        }
        let json = cookie + [("content-type", "application/json")]
        #expect(status(WebRequest("POST", "/api/v1/requests/reset", json), keyed.keys) == 403)
        #expect(status(WebRequest("GET", "/api/v1/events", cookie), keyed.keys) == 403)
        #expect(status(WebRequest("GET", "/api/v1/events", cookie + [site]), keyed.keys) == 403)
        let script = [("host", Self.own), site, ("sec-fetch-mode", "no-cors")]
        #expect(status(WebRequest("GET", "/app/main.js", script), keyed.keys) == 403)
        #expect(status(WebRequest("OPTIONS", "/api/v1/requests/reset", json), keyed.keys) == 405)
        // Another port of this machine is the same site, and is refused as well.
        let near = [("host", Self.own), ("sec-fetch-site", "same-site"), ("sec-fetch-mode", "cors")]
        #expect(status(WebRequest("GET", "/api/v1/openapi.json", near), keyed.keys) == 403)
        let link = [("host", Self.own), site, ("sec-fetch-mode", "navigate")]
        #expect(status(WebRequest("GET", "/", link), keyed.keys) == 200)
    }

    @Test(arguments: ["", "Bearer ", "Bearer x", "bearer", "Basic YTpi", "Token"])
    func aWrongTokenIsRefused(_ shown: String) throws {
        let keyed = try keyed()
        // Also beside a good session: whoever shows a token is judged by it.
        let headers = [
            ("host", Self.own), ("authorization", shown), ("cookie", keyed.cookie),
            ("x-hearth-proof", keyed.session.proof.text),
        ]
        #expect(status(WebRequest("GET", "/metrics", headers), keyed.keys) == 401)
        let near = "Bearer " + keyed.keys.token.text.dropLast() + (keyed.keys.token.text.hasSuffix("0") ? "1" : "0")
        let wrong = [("host", Self.own), ("authorization", near)]
        #expect(status(WebRequest("GET", "/metrics", wrong), keyed.keys) == 401)
    }

    @Test func withoutAKeyOnlyWhatIsTheSameEverywhereIsGiven() throws {
        let keyed = try keyed()
        let bare = [("host", Self.own)]
        for path in ["/", "/style.css", "/healthz", "/api/v1/openapi.json", "/api/v1/nothing"] {
            #expect(status(WebRequest("GET", path, bare), keyed.keys) == 200, "\(path)")
        }
        for path in ["/metrics", "/api/v1/events"] {
            #expect(status(WebRequest("GET", path, bare), keyed.keys) == 401, "\(path)")
        }
        let json = bare + [("content-type", "application/json")]
        #expect(status(WebRequest("POST", "/api/v1/requests/status", json), keyed.keys) == 401)
    }

    @Test func halfASessionIsNone() throws {
        let keyed = try keyed()
        let other = try self.keyed()
        let pairs = [
            [("cookie", keyed.cookie)], [("x-hearth-proof", keyed.session.proof.text)],
            [("cookie", keyed.cookie), ("x-hearth-proof", "")],
            [("cookie", keyed.cookie), ("x-hearth-proof", other.session.proof.text)],
            [("cookie", other.cookie), ("x-hearth-proof", keyed.session.proof.text)],
            [("cookie", "\(keyed.cookie); \(keyed.cookie)"), ("x-hearth-proof", keyed.session.proof.text)],
            [("cookie", "hearth-4712=\(keyed.session.cookie.text)"), ("x-hearth-proof", keyed.session.proof.text)],
        ]
        for headers in pairs {
            let request = WebRequest("GET", "/api/v1/events", [("host", Self.own)] + headers)
            #expect([401, 403].contains(status(request, keyed.keys)), "\(headers)")
        }
    }

    @Test(arguments: ["host", "origin", "cookie", "authorization", "x-hearth-proof", "content-type", "sec-fetch-site"])
    func aHeaderThatDecidesIsThereOnce(_ name: String) throws {
        let keyed = try keyed()
        var headers = [
            ("host", Self.own), ("origin", "http://\(Self.own)"), ("content-type", "application/json"),
            ("sec-fetch-site", "same-origin"),
        ]
        headers +=
            name == "authorization"
            ? [(name, "Bearer \(keyed.keys.token.text)")]
            : [("cookie", keyed.cookie), ("x-hearth-proof", keyed.session.proof.text)]
        #expect(status(WebRequest("POST", "/api/v1/requests/status", headers), keyed.keys) == 200)
        headers += headers.filter { $0.0 == name }
        #expect(status(WebRequest("POST", "/api/v1/requests/status", headers), keyed.keys) == 400)
    }

    @Test(arguments: [
        "", "*", "http://127.0.0.1:4711/", "//evil.example/", "status", "/" + String(repeating: "x", count: 1_100),
    ]) func aTargetThatIsNoPathGetsNothing(_ target: String) throws {
        let keyed = try keyed()
        let request = WebRequest("GET", target, [("host", Self.own)])
        // A path of two slashes is a path, and no file is there.
        let route = try? Gate(port: Self.port).admit(request, with: keyed.keys)
        #expect(route == nil || route == .file("//evil.example/"))
    }
}
