import Libc
import LosslessJSON
import TestSupport
import Testing

extension LiveAgents {
    /// The game and the agent write at the same time.
    @Suite struct WriteRaceTests {
        /// Both games save as fast as they can, and every save of one is merged on the other.
        @Test(.timeLimit(.minutes(5)), arguments: Seeds.chosen)
        func gamesSaveAsFastAsTheyCan_whileMergesComeIn(_ seed: UInt64) async throws {
            let couple = try await Couple.sharing()
            defer { couple.clear() }
            let games = [try Game(couple.a, seed: seed + 20), try Game(couple.b, seed: seed + 21)]
            let end = Flag()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for game in games {
                    group.addTask { try await game.play(until: end, limit: 400, pause: 0...2, stale: 40) }
                }
                group.addTask {
                    try? await Task.sleep(for: .seconds(10))
                    end.set()
                }
                for _ in games { try await group.next() }
                end.set()
                group.cancelAll()
            }
            var ledger = Ledger()
            for game in games {
                await ledger.add(game.ledger)
                #expect(await game.trouble == nil)
            }
            let whole = ledger
            let agreed = try await couple.agree { whole.difference(to: $0).isEmpty }
            print("seed \(seed): \(whole.saves) saves at full speed, \(whole.stale) of them from memory")
            #expect(whole.saves >= 100)
            if agreed == nil { couple.tell(whole) }
        }

        /// 20,000 writes to the file in a row, with one save at the end.
        @Test(.timeLimit(.minutes(5))) func aFloodOfFileEvents() async throws {
            let couple = try await Couple.sharing()
            defer { couple.clear() }
            var ledger = Ledger()
            var save = try #require(GameSave(at: couple.b.save))
            ledger.note(save.play("b", earning: 7))
            let file = open(couple.b.save, O_WRONLY | O_CLOEXEC)
            try #require(file >= 0)
            let bytes = save.bytes
            for number in 0..<20_000 {
                let index = number % bytes.count
                pwrite(file, bytes[index...index].map { $0 }, 1, off_t(index))
            }
            pwrite(file, bytes, bytes.count, 0)
            ftruncate(file, off_t(bytes.count))
            close(file)
            let whole = ledger
            if try await couple.agree({ whole.difference(to: $0).isEmpty }) == nil {
                couple.tell(ledger)
            }
            #expect(couple.b.log.utf8.count < 8_192, "\(couple.b.log.suffix(2_000))")
        }

        /// A game writes its save in place, slowly. The half-written save is not taken as an edit, a merge that comes
        /// in waits, and the complete save is taken up at the end.
        @Test(.timeLimit(.minutes(5))) func halfASave_isNoEdit_andTheWholeOneIs() async throws {
            let couple = try await Couple.sharing()
            defer { couple.clear() }
            var ledger = Ledger()
            for round in 1...3 {
                var first = try #require(GameSave(at: couple.a.save))
                var second = try #require(GameSave(at: couple.b.save))
                ledger.note(second.play("b\(round)", earning: 7))
                let half = second.bytes.count / 2
                let file = open(couple.b.save, O_WRONLY | O_TRUNC | O_CLOEXEC)
                try #require(file >= 0)
                Disk.append(Array(second.bytes[..<half]), to: file)
                ledger.note(first.play("a\(round)", earning: -3))
                Disk.replace(couple.a.save, with: first.bytes)
                // The half-written save is seen, and the other machine's has come in.
                let coins = first.coins
                let isSeen = try await poll { () -> Bool? in
                    guard try await couple.b.profile()["state"] == "bad" else { return nil }
                    return try await couple.b.ask("show", "RPG", "/coins").output == "\(coins)\n" ? true : nil
                }
                #expect(isSeen != nil, "the half is not seen, or nothing comes in")
                #expect(Disk.read(couple.b.save)?.count == half, "somebody else wrote into a save that was half way")
                if round == 3 {
                    // A restart in the middle makes no difference.
                    couple.b.kill()
                    try await couple.b.start(peers: [couple.a])
                    let isBad = try await poll { try await couple.b.profile()["state"] == "bad" ? true : nil }
                    #expect(isBad != nil)
                }
                Disk.append(Array(second.bytes[half...]), to: file)
                close(file)
                let whole = ledger
                let agreed = try await couple.agree { whole.difference(to: $0).isEmpty }
                if agreed == nil { couple.tell(whole) }
            }
        }
    }
}

extension Couple {
    /// Records what is wrong on either machine.
    func tell(_ ledger: Ledger) {
        for machine in [a, b] {
            let save = GameSave(at: machine.save)
            let wrong = save.map(ledger.difference(to:)) ?? ["no save"]
            Issue.record("\(machine.name): \(wrong); \(machine.log.suffix(400))")
        }
    }
}

extension GameSave {
    /// Plays a round in memory, and returns what was done.
    mutating func play(_ entry: String, earning coins: Int) -> Play {
        self.coins += coins
        level += 1
        let play = Play(earned: coins, level: level, theme: "t" + entry, entry: entry, isStale: false)
        themes.insert(play.theme)
        log.insert(play.entry)
        return play
    }
}
