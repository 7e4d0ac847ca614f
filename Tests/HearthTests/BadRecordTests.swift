import Libc
import LosslessJSON
import TestSupport
import Testing

extension LiveAgents {
    /// A household in which one machine's record is damaged, older than it should be, or missing.
    @Suite struct BadRecordTests {
        /// The restored record is older than what the other machine was told. Nothing counts twice and nothing is
        /// missing.
        @Test(.timeLimit(.minutes(5))) func anOldCopyOfTheRecord() async throws {
            let couple = try await Couple.sharing()
            defer { couple.clear() }
            var ledger = Ledger()
            try await couple.bothPlay("1", &ledger)
            #expect(try await couple.b.stop() == 0)
            let copy = couple.folder.path + "/copy"
            Disk.write(try #require(Disk.read(couple.b.record)), copy)
            try await couple.b.start(peers: [couple.a])
            try await couple.bothPlay("2", &ledger)
            #expect(try await couple.b.stop() == 0)
            Disk.write(try #require(Disk.read(copy)), couple.b.record)
            try await couple.b.start(peers: [couple.a])
            try await couple.bothPlay("3", &ledger)
        }

        /// The write-ahead log is deleted after a crash, and with it everything that was not in the record yet.
        @Test(.timeLimit(.minutes(5))) func theWriteAheadLogIsRemoved() async throws {
            let couple = try await Couple.sharing()
            defer { couple.clear() }
            var ledger = Ledger()
            #expect(try await couple.b.stop() == 0)
            try await couple.b.start(peers: [couple.a])
            try await couple.bothPlay("1", &ledger)
            couple.b.kill()
            #expect(Disk.names(in: couple.b.home).contains("hearth.sqlite-wal"))
            unlink(couple.b.record + "-wal")
            unlink(couple.b.record + "-shm")
            try await couple.b.start(peers: [couple.a])
            try await couple.bothPlay("2", &ledger)
        }

        /// A damaged record is refused with a message that says what to do. Doing that restores everything, and no coin
        /// that the household has already counts twice.
        @Test(.timeLimit(.minutes(5)), arguments: [false, true])
        func aDamagedOrMissingRecord(_ isMissing: Bool) async throws {
            let couple = try await Couple.sharing()
            defer { couple.clear() }
            var ledger = Ledger()
            try await couple.bothPlay("1", &ledger)
            #expect(try await couple.b.stop() == 0)
            // The game plays on meanwhile.
            var save = try #require(GameSave(at: couple.b.save))
            ledger.note(save.play("alone", earning: 13))
            Disk.replace(couple.b.save, with: save.bytes)
            if !isMissing {
                var bytes = try #require(Disk.read(couple.b.record))
                for index in 4_096..<8_192 { bytes[index] ^= 0x10 }
                Disk.write(bytes, couple.b.record)
                let refused = try await couple.b.ask("agent", "--discovery", "off", "--host", "127.0.0.1")
                #expect(refused.code == 1)
                #expect(refused.errors.contains(couple.b.record) && refused.errors.contains("move the record away"))
                #expect(Disk.read(couple.b.record) == bytes, "it was to be left as it is")
            }
            #expect(rename(couple.b.record, couple.folder.path + "/moved") == 0)
            #expect(GameSave(at: couple.b.save) == save)
            try await couple.b.start(peers: [couple.a])
            // The pairing was in the record too, so pair again.
            try await couple.pair()
            let restored = try await couple.b.ask("restore", "RPG", "--to", couple.b.save, "--yes", "--json")
            #expect(restored.code == 0, "\(restored.errors)")
            #expect(GameSave(at: couple.b.save)?.log.isSuperset(of: save.log) == true)
            let whole = ledger
            let agreed = try await couple.agree {
                $0.log == whole.log && $0.themes == whole.themes && $0.level == whole.level
            }
            if agreed == nil { couple.tell(ledger) }
            #expect(agreed?.coins == whole.coins)
            let names = Disk.names(in: couple.b.home + "/backups").flatMap {
                Disk.names(in: couple.b.home + "/backups/" + $0)
            }
            #expect(!names.isEmpty, "what stood there was backed up")
        }
    }
}

extension Machine {
    var record: String { home + "/hearth.sqlite" }
}

extension Couple {
    /// Each game saves once, and both files get everything.
    fileprivate func bothPlay(
        _ round: String, _ ledger: inout Ledger
    ) async throws {
        for (machine, coins) in [(a, 5), (b, 11)] {
            var save = try #require(GameSave(at: machine.save))
            ledger.note(save.play(machine.name + round, earning: coins))
            Disk.replace(machine.save, with: save.bytes)
        }
        let whole = ledger
        if try await agree({ whole.difference(to: $0).isEmpty }) == nil { tell(ledger) }
    }
}
