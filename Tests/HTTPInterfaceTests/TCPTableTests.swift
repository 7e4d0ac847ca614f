import Libc
import Testing

@testable import HTTPInterface

/// Whose a connection is, by lists as Linux writes them.
@Suite struct TCPTableTests {
    /// 127.0.0.1:4711 and 127.0.0.1:40000, of user 1000 and 1001; the same between ::1; and a client that opened an IPv6
    /// socket to 127.0.0.1:4711 from port 40001.
    private static let text = """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 0100007F:1267 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1
           1: 0100007F:1267 0100007F:9C40 01 00000000:00000000 00:00000000 00000000  1000        0 2 1
           2: 0100007F:9C40 0100007F:1267 01 00000000:00000000 00:00000000 00000000  1001        0 3 1
           3: 0100007F:1267 0100007F:9C41 01 00000000:00000000 00:00000000 00000000  1000        0 4 1
           4: 0100007F:1267 0100007F:9C42 01 00000000:00000000 00:00000000 00000000  1000        0 5 1
           5: 0200007F:9C42 0100007F:1267 01 00000000:00000000 00:00000000 00000000  1003        0 6 1
           6: 0100007F:1267 0100007F:9C44 01 00000000:00000000 00:00000000 00000000  1000        0 10 1
           7: 0100007F:9C44 0100007F:1267 05 00000000:00000000 00:00000000 00000000     0        0 0 1
           0: 00000000000000000000000001000000:1267 00000000000000000000000001000000:9C40 01 0:0 00:0 0  1000 0 7
           1: 00000000000000000000000001000000:9C40 00000000000000000000000001000000:1267 01 0:0 00:0 0  1002 0 8
           2: 0000000000000000FFFF00000100007F:9C41 0000000000000000FFFF00000100007F:1267 01 0:0 00:0 0  1004 0 9
        """

    private func owner(_ client: String, _ port: Int, _ server: String = "127.0.0.1") throws -> TCPTable.Owner {
        TCPTable(Array(Self.text.utf8)).owner(
            of: try #require(TCPTable.End(ip: client, port: port)),
            talkingTo: try #require(TCPTable.End(ip: server, port: 4_711)))
    }

    @Test func theClientsEndSaysWhoseItIs() throws {
        #expect(try owner("127.0.0.1", 40_000) == .user(1_001))
        #expect(try owner("::1", 40_000, "::1") == .user(1_002))
        #expect(try owner("127.0.0.1", 40_001) == .user(1_004))
    }

    /// Another address of the machine at the same port is another connection.
    @Test func anotherConnectionAtTheSamePortIsNotMeant() throws {
        #expect(try owner("127.0.0.1", 40_002) == .nobody)
    }

    /// Its program has closed it, so that nobody is there; some systems list it with root's number.
    @Test func aConnectionThatItsProgramHasClosedIsNobodys() throws {
        #expect(try owner("127.0.0.1", 40_004) == .nobody)
    }

    /// The system lists connections piece by piece, and may leave one out: then it is looked for again.
    @Test func anEndThatOneReadingLeftOutIsLookedForAgain() throws {
        let client = try #require(TCPTable.End(ip: "127.0.0.1", port: 40_000))
        let server = try #require(TCPTable.End(ip: "127.0.0.1", port: 4_711))
        let lines = Self.text.split(separator: "\n")
        let whole = TCPTable(Array(Self.text.utf8))
        let others = lines.filter { !$0.contains("0100007F:9C40 0100007F:1267") }
        let withoutClient = TCPTable(Array(others.joined(separator: "\n").utf8))
        let empty = TCPTable([])
        let cases: [(tables: [TCPTable?], owner: TCPTable.Owner?)] = [
            ([withoutClient, whole], .user(1_001)), ([empty, withoutClient, whole], .user(1_001)),
            ([withoutClient, empty], .nobody), ([empty], .unknown), ([nil], nil),
        ]
        for (tables, owner) in cases {
            var readings = 0
            let found = PeerOwner.owner(of: client, talkingTo: server) {
                defer { readings += 1 }
                return tables[min(readings, tables.count - 1)]
            }
            #expect(found == owner)
            #expect(readings <= 4)
        }
    }

    @Test func onlyThisUserAndRootAreAdmitted() {
        // Where the system has no such table, the secrets alone decide.
        let expected: [(owner: TCPTable.Owner?, isAdmitted: Bool)] = [
            (.user(geteuid()), true), (.user(0), true), (.user(geteuid() + 1), false), (.nobody, false),
            (.unknown, false), (nil, true),
        ]
        for (owner, isAdmitted) in expected { #expect(PeerOwner.isAdmitted(owner) == isAdmitted) }
    }

    @Test func whoeverIsRefusedIsLoggedOnceAMinute() {
        var refusals = Refusals()
        let start = ContinuousClock.now
        #expect(refusals.note(now: start) == 1)
        for second in 1..<60 { #expect(refusals.note(now: start + .seconds(second)) == nil) }
        #expect(refusals.note(now: start + .seconds(60)) == 60)
        #expect(refusals.note(now: start + .seconds(61)) == nil)
    }

    /// They take a place while they are looked at, and do not keep the server listening.
    @Test func aRefusedConnectionIsNoUse() {
        let start = ContinuousClock.now
        var usage = Usage(idleTime: .seconds(10), now: start)
        let begun = [usage.begin(limit: 1), usage.begin(limit: 1)]
        #expect(begun == [true, false])
        usage.endRefused()
        #expect(usage.rest(now: start + .seconds(10)) == nil)
        let again = usage.begin(limit: 1)
        usage.end(now: start + .seconds(9))
        #expect(again && usage.rest(now: start + .seconds(10)) == Duration.seconds(9))
    }

    @Test func aTableThatDoesNotListTheServersOwnEndSaysNothing() throws {
        #expect(try owner("127.0.0.1", 40_003) == .unknown)
        let client = try #require(TCPTable.End(ip: "127.0.0.1", port: 40_000))
        #expect(TCPTable([]).owner(of: client, talkingTo: client) == .unknown)
    }

    @Test(arguments: [
        "", "127.0.0", "127.0.0.1.1", "127.0.0.256", "127.0.0.x", "fe80::1", "::", "localhost", "...", "-1.0.0.0",
    ])
    func whatIsNoAddressHereIsNone(_ ip: String) { #expect(TCPTable.End(ip: ip, port: 1) == nil) }
}
