import HouseholdSimulation
import Libc
import LosslessJSON
import TestSupport
import Testing

extension LiveAgents {
    /// An agent's port is open to the whole network. Devices outside the household get nothing and do no harm.
    @Suite struct HostilePortTests {
        @Test(.timeLimit(.minutes(5))) func unknownDevicesAtThePort_areRefusedQuietly_andSyncGoesOn() async throws {
            let couple = try await Couple.sharing()
            defer { couple.clear() }
            let port = couple.a.port
            var handles: [Int32] = []
            defer { for handle in handles { close(handle) } }
            var random = SeededRandom(seed: 5)
            let garbage = (0..<4_000).map { _ in UInt8.random(in: 0...255, using: &random) }
            let abuse: [[UInt8]] = [
                garbage,
                [0xFF, 0xFF, 0xFF, 0xFF] + garbage.prefix(100),
                // A TLS record that claims an illegal length, and one that never ends.
                [0x16, 0x03, 0x01, 0xFF, 0xFF, 0x01], [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xFC],
                Array("GET /v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8),
            ]
            for bytes in abuse { handles.append(try #require(Loopback.connect(port, sending: bytes))) }
            for _ in 0..<200 {
                if let handle = Loopback.connect(port) { handles.append(handle) }
            }
            #expect(handles.count > 200)
            let open = handles
            let areClosed = try await poll { open.allSatisfy(Loopback.isClosed) ? true : nil }
            #expect(
                areClosed != nil,
                "\(open.count { !Loopback.isClosed($0) }) connections of strangers are open still"
            )

            // A device of another household: its certificate is valid, but its key is not known here.
            let others = (try Machine("c", in: couple.folder.path), try Machine("d", in: couple.folder.path))
            defer {
                others.0.kill()
                others.1.kill()
            }
            try await others.0.start(peers: [couple.a])
            try await others.1.start(peers: [])
            let shown = try await Pairing.code(on: others.1)
            #expect(try await others.0.ask("pair", shown.code, "--address", others.1.address).code == 0)
            try await Task.sleep(for: .seconds(2))
            for machine in [others.0, others.1] {
                let status = try await machine.ask("status", "--json").json()
                #expect(status["household"]?.elements.count == 1)
                #expect(status["profiles"]?.elements.isEmpty == true)
            }
            #expect(try await couple.a.ask("status", "--json").json()["household"]?.elements.count == 1)

            var ledger = Ledger()
            var save = try #require(GameSave(at: couple.b.save))
            ledger.note(save.play("b1", earning: 9))
            Disk.replace(couple.b.save, with: save.bytes)
            let whole = ledger
            if try await couple.agree({ whole.difference(to: $0).isEmpty }) == nil {
                couple.tell(whole)
            }
            #expect(couple.a.running?.exitCode() == nil, "the agent is gone")
            let lines = couple.a.log.split(separator: "\n").filter { $0.contains("refused") }
            // One line a minute at most, and there were hundreds of unknown devices.
            #expect((1...6).contains(lines.count), "\(lines)")
            #expect(couple.a.log.utf8.count < 8_192, "\(couple.a.log.suffix(2_000))")
        }

        @Test(.timeLimit(.minutes(5))) func aCodeAdmitsOneDevice_once() async throws {
            let folder = TemporaryFolder()
            let machines = try ["a", "c", "d", "e"].map { try Machine($0, in: folder.path) }
            defer { for machine in machines { machine.kill() } }
            for machine in machines { try await machine.start(peers: []) }
            let (a, c, d, e) = (machines[0], machines[1], machines[2], machines[3])
            let shown = try await Pairing.code(on: a)
            // A valid code, but of another machine.
            let foreign = try await Pairing.code(on: e)
            let wrong = try await c.ask("pair", foreign.code, "--address", a.address)
            #expect(wrong.code != 0)
            #expect(shown.command.process.exitCode() == nil, "a wrong guess does not void the code")

            let racers = [
                try c.begin(["pair", shown.code, "--address", a.address, "--json"]),
                try d.begin(["pair", shown.code, "--address", a.address, "--json"]),
            ]
            var codes: [Int32?] = []
            for racer in racers { codes.append(try await racer.process.end()) }
            #expect(codes.count { $0 == 0 } == 1, "\(codes): \(racers.map { Disk.text($0.errors) })")
            #expect(try await shown.command.process.end() == 0)
            let used = try await e.ask("pair", shown.code, "--address", a.address)
            #expect(used.code != 0)
            #expect(try await a.ask("status", "--json").json()["household"]?.elements.count == 1)
        }

        @Test(.timeLimit(.minutes(5))) func unpairing_closesTheLink_andNothingArrivesAnyMore() async throws {
            let couple = try await Couple.sharing()
            defer { couple.clear() }
            #expect(try await couple.a.ask("unpair", "b", "--yes").code == 0)
            #expect(try await couple.a.ask("status", "--json").json()["household"] == [])
            let isCut = try await poll {
                let status = try await couple.b.ask("status", "--json").json()
                return status["household"]?.elements.allSatisfy { $0["connected"] != true } == true ? true : nil
            }
            #expect(isCut != nil, "B believes to be connected still")
            let before = (GameSave(at: couple.a.save), GameSave(at: couple.b.save))
            for (machine, save) in [(couple.a, before.0), (couple.b, before.1)] {
                var next = try #require(save)
                _ = next.play("after-\(machine.name)", earning: 1)
                Disk.replace(machine.save, with: next.bytes)
            }
            try await Task.sleep(for: .seconds(3))
            let after = (try #require(GameSave(at: couple.a.save)), try #require(GameSave(at: couple.b.save)))
            #expect(!after.0.log.contains("after-b") && !after.1.log.contains("after-a"))
            #expect(after.0.log.contains("after-a") && after.1.log.contains("after-b"))
        }
    }
}
