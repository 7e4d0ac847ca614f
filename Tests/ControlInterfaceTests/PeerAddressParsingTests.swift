import HouseholdAgent
import Testing

@Suite struct PeerAddressParsingTests {
    @Test(arguments: [
        ("192.0.2.7:4000", "192.0.2.7", 4_000),
        ("0.0.0.0:1", "0.0.0.0", 1),
        ("deck:65535", "deck", 65_535),
        ("deck.local.:80", "deck.local.", 80),
        ("my_pc-2.lan:80", "my_pc-2.lan", 80),
        ("küche.local:80", "küche.local", 80),
        ("1e100.net:80", "1e100.net", 80),
        ("[::]:1", "::", 1),
        ("[::1]:9", "::1", 9),
        ("[1::]:9", "1::", 9),
        ("[2001:DB8::a:0]:80", "2001:DB8::a:0", 80),
        ("[1:2:3:4:5:6:7:8]:80", "1:2:3:4:5:6:7:8", 80),
        ("[1:2:3:4:5:6:7::]:80", "1:2:3:4:5:6:7::", 80),
        ("[1:2:3:4:5:6:192.0.2.1]:80", "1:2:3:4:5:6:192.0.2.1", 80),
        ("[::ffff:192.0.2.1]:80", "::ffff:192.0.2.1", 80),
        ("[fe80::1%eth0]:4000", "fe80::1%eth0", 4_000),
        ("[fe80::1%br-0123456789ab]:4000", "fe80::1%br-0123456789ab", 4_000),
        ("[fe80::1%2]:4000", "fe80::1%2", 4_000),
    ])
    func goodOnesAreRead(_ text: String, _ host: String, _ port: Int) throws {
        let address = try #require(PeerAddress(parsing: text))
        #expect(address == PeerAddress(host: host, port: UInt16(port)))
        #expect(address.description == text)
    }

    @Test(arguments: [
        "", ":", "deck", "deck:", ":80", "deck:0", "deck:65536", "deck:080", "deck:+80", "deck:-1", "deck:8 0",
        "deck:99999999999999999999", "deck:80:80", "deck:８０", " deck:80", "de ck:80", "deck :80", "deck/:80", "a..b:80",
        ".a:80", ".:80", "..:80", "de\u{0}ck:80", "de\u{200B}ck:80", "de\u{A0}ck:80", "user@deck:80", "fe80::1:80",
        "::1", "fe80::1%eth0:80", "192.0.2:80", "256.0.0.1:80", "192.0.2.07:80", "1.2.3.4.5:80", "4000:80", "0x7f.1:80",
        "[]:80", "[deck]:80", "[192.0.2.1]:80", "[::1]", "[::1]80", "[::1:80", "::1]:80", "[[::1]]:80", "[:]:80",
        "[:::]:80", "[1::2::3]:80", "[12345::]:80", "[g::]:80", "[1:2:3:4:5:6:7]:80", "[1:2:3:4:5:6:7:8:9]:80",
        "[1:2:3:4:5:6:7:8::]:80", "[1:2:3:4::5:6:7:8]:80", "[::192.0.2.1:1]:80", "[192.0.2.1::]:80", "[::256.0.0.1]:80",
        "[1:2:3:4:5:6:7:192.0.2.1]:80", "[:1]:80", "[1:]:80", "[fe80::1%]:80", "[fe80::1%a%b]:80", "[fe80::1%a b]:80",
        "[fe80::1%0123456789abcdef]:80", "[%eth0]:80", "[fe80::1%eth0]x:80",
    ])
    func badOnesAreRefused(_ text: String) {
        #expect(PeerAddress(parsing: text) == nil)
    }

    @Test func longOnesAreRefused() {
        let label = String(repeating: "a", count: 63)
        let longest = [label, label, label, String(repeating: "a", count: 61)].joined(separator: ".")
        #expect(PeerAddress(parsing: longest + ":80")?.host == longest)
        #expect(PeerAddress(parsing: longest + "a:80") == nil)
        #expect(PeerAddress(parsing: label + "a:80") == nil)
        #expect(PeerAddress(parsing: String(repeating: "[", count: 1_000_000)) == nil)
    }
}
