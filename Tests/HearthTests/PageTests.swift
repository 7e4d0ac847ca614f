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
            #expect(try metrics(port, key)["hearth_requests_total"] ?? 0 > 0)
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

        /// The samples of `/metrics`. Each line of it is a comment, or a name and a value, and the type of a counter stands
        /// before its value.
        private func metrics(_ port: UInt16, _ key: String) throws -> [String: Int] {
            let reply = try exchange(
                port, "GET /metrics HTTP/1.1\r\nhost: 127.0.0.1:\(port)\r\nconnection: close\r\n\(key)\r\n")
            let parts = reply.split(separator: "\r\n\r\n", maxSplits: 1)
            guard parts.count == 2, parts[0].hasPrefix("HTTP/1.1 200 OK") else { throw Failure("no metrics: \(reply)") }
            var (values, types): ([String: Int], Set<String>) = ([:], [])
            for line in parts[1].split(separator: "\n") {
                let words = line.split(separator: " ").map(String.init)
                if words[0] == "#" {
                    #expect(words.count > 3 && ["HELP", "TYPE"].contains(words[1]), "\(line)")
                    if words[1] == "TYPE" {
                        #expect(words[3] == "counter" && types.insert(words[2]).inserted, "\(line)")
                    }
                    continue
                }
                guard words.count == 2, let value = Int(words[1]) else { throw Failure("no sample: \(line)") }
                #expect(types.contains(words[0]) && values.updateValue(value, forKey: words[0]) == nil, "\(line)")
            }
            return values
        }

        /// The counters of a real agent go on with what happens to it.
        @Test(.timeLimit(.minutes(5))) func theCountersGoOnWithWhatHappens() async throws {
            let couple = try await Couple.sharing()
            defer { couple.clear() }
            let machine = couple.a
            let (port, _) = try await open(machine)
            let key = "authorization: Bearer \(Disk.text(machine.home + "/page.token").filter { $0 != "\n" })\r\n"

            let before = try metrics(port, key)
            let names = ["connections", "file_events", "received_bytes", "refused_connections", "requests"]
            #expect(before.keys.sorted() == names.map { "hearth_\($0)_total" })
            // The two are linked, and it was asked to pair, to add and for the page.
            for name in ["connections", "received_bytes"] {
                #expect(before["hearth_\(name)_total"] ?? 0 > 0, "\(name): \(before)")
            }
            #expect(before["hearth_requests_total"] ?? 0 >= 3, "\(before)")
            #expect(before["hearth_refused_connections_total"] == 0, "\(before)")

            #expect(try post(port, "requests/status", "{}", key).hasPrefix("HTTP/1.1 200 "))
            #expect(try metrics(port, key)["hearth_requests_total"] == (before["hearth_requests_total"] ?? 0) + 1)

            let stranger = try #require(Loopback.connect(machine.port, sending: Array("no TLS\r\n".utf8)))
            defer { close(stranger) }
            let refused = try await poll {
                try metrics(port, key)["hearth_refused_connections_total"] == 1 ? true : nil
            }
            #expect(refused == true)

            var save = GameSave()
            save.coins += 7
            Disk.replace(machine.save, with: save.bytes)
            let noticed = try await poll {
                let now = try metrics(port, key)["hearth_file_events_total"] ?? 0
                return now > before["hearth_file_events_total"] ?? 0 ? true : nil
            }
            #expect(noticed == true)
        }

        @Test(.timeLimit(.minutes(5))) func withoutAnAgentTheCommandSaysSo() async throws {
            let folder = TemporaryFolder()
            let machine = try Machine("a", in: folder.path)
            let outcome = try await machine.ask("page")
            #expect(outcome.code == 4 && outcome.errors.contains("hearth agent"), "\(outcome.errors)")
        }
    }
}
