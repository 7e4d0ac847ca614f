import Libc
import LosslessJSON
import TestSupport
import Testing

extension LiveAgents {
    /// The page of real agents, asked as a browser and as a program ask.
    @Suite struct PageTests {
        /// One request over one connection, and everything that comes back.
        private func exchange(_ port: UInt16, _ text: String) throws -> String {
            guard let handle = Loopback.connect(port, sending: Array(text.utf8)) else {
                throw Failure("nobody listens on port \(port)")
            }
            defer { close(handle) }
            return String(decoding: read(handle) { _ in false }, as: UTF8.self)
        }

        /// What comes until the connection ends, or enough has come.
        private func read(_ handle: Int32, until isEnough: (String) -> Bool) -> [UInt8] {
            var all: [UInt8] = []
            var part = [UInt8](repeating: 0, count: 1 << 16)
            let end = ContinuousClock.now + .seconds(20)
            while ContinuousClock.now < end {
                let count = recv(handle, &part, part.count, 0)
                if count == 0 { break }
                // Reads time out after a second.
                if count > 0 { all += part[..<count] }
                if isEnough(String(decoding: all, as: UTF8.self)) { break }
            }
            return all
        }

        private func post(_ port: UInt16, _ name: String, _ body: String, _ headers: String) throws -> String {
            try exchange(
                port,
                "POST /api/v1/\(name) HTTP/1.1\r\nhost: 127.0.0.1:\(port)\r\norigin: http://127.0.0.1:\(port)\r\n"
                    + "content-type: application/json\r\nconnection: close\r\n"
                    + "content-length: \(body.utf8.count)\r\n\(headers)\r\n\(body)")
        }

        /// The port and the code of a link.
        private func open(_ machine: Machine) async throws -> (port: UInt16, code: String) {
            let outcome = try await machine.ask("page", "--json")
            guard outcome.code == 0, let url = try outcome.json()["url"]?.text else { throw Failure(outcome.errors) }
            let parts = url.split(separator: "/#code=")
            let port = parts.first.flatMap { UInt16($0.split(separator: ":").last ?? "") }
            guard parts.count == 2, let port else { throw Failure(url) }
            return (port, String(parts[1]))
        }

        @Test(.timeLimit(.minutes(5))) func aLinkOpensThePageAndAProgramTheInterface() async throws {
            let couple = try await Couple.sharing()
            defer { couple.clear() }
            let machine = couple.a
            #expect(!Disk.names(in: machine.home).contains("page.port"), "nothing listens before it is asked for")

            let (port, code) = try await open(machine)
            #expect(Disk.text(machine.home + "/page.port") == "\(port)\n")
            let page = try exchange(
                port, "GET / HTTP/1.1\r\nhost: 127.0.0.1:\(port)\r\nconnection: close\r\n\r\n")
            #expect(page.hasPrefix("HTTP/1.1 200 OK\r\n") && page.contains("<title>Hearth</title>"))
            let session = try post(port, "session", "{\"code\":\"\(code)\"}", "")
            #expect(session.lowercased().contains("set-cookie: hearth-\(port)="), "\(session)")
            #expect(try post(port, "session", "{\"code\":\"\(code)\"}", "").hasPrefix("HTTP/1.1 403 "))

            let token = Disk.text(machine.home + "/page.token").filter { $0 != "\n" }
            let key = "authorization: Bearer \(token)\r\n"
            let status = try post(port, "requests/status", "{}", key)
            #expect(status.contains(#"{"event":"status","#) && status.contains(#""name":"RPG""#), "\(status)")
            #expect(try post(port, "requests/status", "{}", "").hasPrefix("HTTP/1.1 401 "))
            let metrics = try exchange(
                port, "GET /metrics HTTP/1.1\r\nhost: 127.0.0.1:\(port)\r\nconnection: close\r\n\(key)\r\n")
            #expect(metrics.contains("\nhearth_requests_total "), "\(metrics)")
            #expect(!machine.log.contains(token) && !machine.log.contains(code))

            #expect(try await machine.stop() == 0)
            let names = Disk.names(in: machine.home)
            #expect(!names.contains("page.port") && !names.contains("page.token"))
        }

        /// What is played on one machine is told on the page of the other.
        @Test(.timeLimit(.minutes(5))) func anEditElsewhereComesByItself() async throws {
            let couple = try await Couple.sharing()
            defer { couple.clear() }
            let (port, _) = try await open(couple.b)
            let token = Disk.text(couple.b.home + "/page.token").filter { $0 != "\n" }
            let text =
                "GET /api/v1/events HTTP/1.1\r\nhost: 127.0.0.1:\(port)\r\nauthorization: Bearer \(token)\r\n\r\n"
            let handle = try #require(Loopback.connect(port, sending: Array(text.utf8)))
            defer { close(handle) }
            let first = String(decoding: read(handle) { $0.contains("\"moved\":[") }, as: UTF8.self)
            #expect(first.contains("event: changed\n"), "\(first)")

            var save = GameSave()
            save.coins += 7
            Disk.replace(couple.a.save, with: save.bytes)
            let isMoved = { (text: String) in text.split(separator: "\n").contains { $0.contains("\"moved\":[\"") } }
            let told = String(decoding: read(handle, until: isMoved), as: UTF8.self)
            #expect(isMoved(told), "\(told)")
            #expect(try await couple.agree { $0.coins == save.coins } != nil)
        }

        @Test(.timeLimit(.minutes(5))) func withoutAnAgentTheCommandSaysSo() async throws {
            let folder = TemporaryFolder()
            let machine = try Machine("a", in: folder.path)
            let outcome = try await machine.ask("page")
            #expect(outcome.code == 4 && outcome.errors.contains("hearth agent"), "\(outcome.errors)")
        }
    }
}
