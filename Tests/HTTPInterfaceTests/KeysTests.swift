import Testing

@testable import HTTPInterface

/// The token, codes and sessions, without a server and without waiting.
@Suite struct KeysTests {
    private var random = SystemRandomNumberGenerator()

    @Test mutating func aCodeWorksOnce() {
        var keys = Keys(&random)
        let code = keys.newCode(&random, now: .now)
        #expect(code.text.utf8.count == 64)
        let session = keys.redeem(code.text, &random, now: .now)
        #expect(session != nil)
        #expect(keys.redeem(code.text, &random, now: .now) == nil)
    }

    @Test mutating func aCodeExpires() {
        var keys = Keys(&random)
        let now = ContinuousClock.now
        let code = keys.newCode(&random, now: now)
        let late = keys.newCode(&random, now: now + .seconds(1))
        #expect(keys.redeem(code.text, &random, now: now + Keys.codeTime) == nil)
        #expect(keys.redeem(late.text, &random, now: now + Keys.codeTime) != nil)
    }

    @Test mutating func aWrongCodeLeavesTheOthers() {
        var keys = Keys(&random)
        let code = keys.newCode(&random, now: .now)
        for wrong in ["", "0", code.text.uppercased() + "0", String(code.text.dropLast()), keys.token.text] {
            #expect(keys.redeem(wrong, &random, now: .now) == nil)
        }
        #expect(keys.redeem(code.text, &random, now: .now) != nil)
    }

    @Test mutating func codesAndSessionsAreBounded() throws {
        var keys = Keys(&random)
        let first = keys.newCode(&random, now: .now)
        for _ in 0..<Keys.limit { _ = keys.newCode(&random, now: .now) }
        #expect(keys.redeem(first.text, &random, now: .now) == nil)
        var sessions: [Keys.Session] = []
        for _ in 0...Keys.limit {
            let code = keys.newCode(&random, now: .now)
            sessions.append(try #require(keys.redeem(code.text, &random, now: .now)))
        }
        #expect(!keys.admits(cookie: sessions[0].cookie.text, proof: sessions[0].proof.text))
        for session in sessions.dropFirst() {
            #expect(keys.admits(cookie: session.cookie.text, proof: session.proof.text))
        }
    }

    /// A browser has one cookie for all its tabs: a second link opens a second tab, and the first one goes on.
    @Test func anotherSessionOfOneBrowserHasItsCookie() {
        var random = SystemRandomNumberGenerator()
        var keys = Keys(&random)
        func begin(_ shown: String?) -> Keys.Session? {
            let code = keys.newCode(&random, now: .now)
            return keys.redeem(code.text, cookie: shown, &random, now: .now)
        }
        guard let first = begin(nil), let second = begin(first.cookie.text), let other = begin(keys.token.text) else {
            Issue.record("no session")
            return
        }
        #expect(second.cookie == first.cookie && second.proof != first.proof)
        for session in [first, second] { #expect(keys.admits(cookie: first.cookie.text, proof: session.proof.text)) }
        // What is no cookie of a session is not taken over.
        #expect(other.cookie != first.cookie && other.cookie != keys.token)
        #expect(!keys.admits(cookie: other.cookie.text, proof: first.proof.text))
    }

    @Test mutating func aSecretIsMatchedWholeAndNeverTheSame() {
        let secrets = (0..<100).map { _ in Secret(&random) }
        #expect(Set(secrets.map(\.text)).count == 100)
        let secret = secrets[0]
        #expect(secret.matches(secret.text))
        #expect(!secret.matches(""))
        #expect(!secret.matches(secret.text + "0"))
        for index in 0..<64 {
            var digits = Array(secret.text)
            digits[index] = digits[index] == "0" ? "1" : "0"
            #expect(!secret.matches(String(digits)))
        }
    }

    @Test func theCookieIsKeptFromScriptsAndOtherSites() {
        let cookie = SessionCookie(port: 4_711)
        let header = cookie.header("abc")
        #expect(header.hasPrefix("hearth-4711=abc;"))
        for word in ["HttpOnly", "SameSite=Strict", "Path=/api/"] { #expect(header.contains(word)) }
        #expect(!header.contains("Domain") && !header.contains("Max-Age") && !header.contains("Expires"))
        #expect(cookie.value(in: "a=1; hearth-4711=x; b=2") == "x")
        #expect(cookie.value(in: "xhearth-4711=x") == nil)
        #expect(cookie.value(in: "hearth-4711=x; hearth-4711=y") == nil)
    }
}
