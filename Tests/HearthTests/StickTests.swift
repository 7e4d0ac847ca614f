import Libc
import LosslessJSON
import TestSupport
import Testing

extension LiveAgents {
    /// Two machines without a connection, and an encrypted memory stick.
    @Suite struct StickTests {
        @Test(.timeLimit(.minutes(5))) func aStickDoesWhatTheNetworkWould_andNothingCountsTwice() async throws {
            let couple = try await Couple.sharing()
            defer { couple.clear() }
            let (a, b, stick) = (couple.a, couple.b, couple.folder.path + "/stick")
            mkdir(stick, 0o700)
            // A descriptor that the commands inherit.
            let secret = stick + "/../secret"
            Disk.write(Array("correct horse\n".utf8), secret)
            let descriptor = open(secret, O_RDONLY)
            defer { close(descriptor) }
            func carry(from: Machine, to: Machine, _ name: String) async throws -> JSONValue {
                lseek(descriptor, 0, SEEK_SET)
                let exported = try await from.ask(
                    "export",
                    "RPG",
                    "--output",
                    "\(stick)/\(name)",
                    "--passphrase-fd",
                    "\(descriptor)"
                )
                #expect(exported.code == 0, "\(exported.errors)")
                lseek(descriptor, 0, SEEK_SET)
                let imported = try await to.ask(
                    "import",
                    "\(stick)/\(name)",
                    "--passphrase-fd",
                    "\(descriptor)",
                    "--json"
                )
                #expect(imported.code == 0, "\(imported.errors)")
                return try imported.json()
            }
            // Separate the machines: each agent starts without the other's address, and discovery is off.
            #expect(try await b.stop() == 0)
            var save = try #require(GameSave(at: a.save))
            save.coins += 40
            save.themes.insert("a")
            save.log.insert("a")
            Disk.replace(a.save, with: save.bytes)
            _ = try await poll {
                try await a.ask("show", "RPG", "/coins").output.hasPrefix("140") ? true : nil
            }
            #expect(try await a.stop() == 0)
            // B plays and imports without an agent, and A exports without one.
            var other = try #require(GameSave(at: b.save))
            other.coins -= 30
            other.level = 5
            other.themes.insert("b")
            other.log.insert("b")
            Disk.replace(b.save, with: other.bytes)
            let there = try await carry(from: a, to: b, "one")
            #expect(there["source"] == "member" && there["isNew"] == .bool(false))
            #expect(GameSave(at: b.save)?.coins == 110 && GameSave(at: b.save)?.level == 5)
            _ = try await carry(from: b, to: a, "two")
            #expect(GameSave(at: a.save)?.coins == 110 && GameSave(at: a.save)?.themes == ["start", "a", "b"])
            // Both connect again: there is nothing left to sync, and play goes on.
            try await a.start(peers: [b])
            try await b.start(peers: [a])
            _ = try await carry(from: a, to: b, "three")
            save = try #require(GameSave(at: a.save))
            save.coins += 1
            save.themes.insert("c")
            save.log.insert("c")
            Disk.replace(a.save, with: save.bytes)
            let agreed = try await couple.agree { $0.coins == 111 && $0.themes.contains("c") }
            #expect(agreed?.level == 5 && agreed?.themes == ["start", "a", "b", "c"], "\(b.log.suffix(300))")
        }
    }
}
