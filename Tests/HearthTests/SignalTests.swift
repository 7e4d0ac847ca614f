import TestSupport

#if os(Linux)
    import Glibc
    import LosslessJSON
    import Testing

    extension LiveAgents {
        /// Signals in the middle of a projection, right before its swap.
        @Suite(.enabled(if: StoreScene.isPossible, StoreScene.missing)) struct SignalTests {
            @Test(.timeLimit(.minutes(5))) func sigterm_rightBeforeTheSwap() async throws {
                let couple = try await Couple.sharing()
                defer { couple.clear() }
                var ledger = Ledger()
                try await couple.startBThatStopsAtTheSwap()
                try couple.a.play("a", 5, &ledger)
                try await couple.waitForTheSwap()
                couple.b.running?.signal(SIGTERM)
                couple.b.running?.signal(SIGCONT)
                #expect(try await couple.b.running?.end() == 0, "\(couple.b.log.suffix(400))")
                let ready = try await couple.b.start(peers: [couple.a])
                #expect(ready["recovered"] == [], "a clean stop leaves nothing to recover")
                let whole = ledger
                if try await couple.agree({ whole.difference(to: $0).isEmpty }) == nil {
                    couple.tell(ledger)
                }
            }

            /// The game saves while the agent is stopped between its last read and the swap.
            @Test(.timeLimit(.minutes(5))) func sigstop_rightBeforeTheSwap_whileBothGamesSave() async throws {
                let couple = try await Couple.sharing()
                defer { couple.clear() }
                var ledger = Ledger()
                try await couple.startBThatStopsAtTheSwap()
                try couple.a.play("a", 5, &ledger)
                try await couple.waitForTheSwap()
                let game = couple.b.folder + "/game"
                try couple.b.play("b1", 7, &ledger)
                try couple.a.play("a2", 3, &ledger)
                try await Task.sleep(for: .milliseconds(1_200))
                #expect(Disk.names(in: game).count == 2, "it was to stand still: \(Disk.names(in: game))")
                try couple.b.play("b2", 11, &ledger)
                couple.b.running?.signal(SIGCONT)
                let whole = ledger
                if try await couple.agree({ whole.difference(to: $0).isEmpty }) == nil {
                    couple.tell(ledger)
                }
                let isClean = try await poll { Disk.names(in: game) == ["save.json"] ? true : nil }
                #expect(isClean != nil, "left behind: \(Disk.names(in: game))")
            }
        }
    }

    extension Couple {
        /// Starts B again under `strace`, which stops it (SIGSTOP) right before its first swap.
        fileprivate func startBThatStopsAtTheSwap() async throws {
            guard try await b.stop() == 0 else { throw Failure("B does not stop") }
            try await b.start(
                peers: [a],
                // `-D` makes strace a grandchild, so that the agent is our own child.
                under: [
                    "strace", "-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=renameat2", "-e",
                    "inject=renameat2:signal=SIGSTOP:when=1",
                ])
        }

        fileprivate func waitForTheSwap() async throws {
            let id = b.running?.id ?? 0
            // The state is "t" under the tracer, and "T" when the tracer has let it go.
            let isStill = try await poll {
                Disk.text("/proc/\(id)/status").split(separator: "\n").contains {
                    $0.hasPrefix("State:") && ($0.contains("T (") || $0.contains("t ("))
                } && Disk.names(in: b.folder + "/game").count == 2 ? true : nil
            }
            if isStill == nil { throw Failure("B does not come to a projection: \(b.log.suffix(400))") }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    extension Machine {
        /// The game reads its save, plays and saves.
        fileprivate func play(_ entry: String, _ coins: Int, _ ledger: inout Ledger) throws {
            var save = try #require(GameSave(at: self.save))
            ledger.note(save.play(entry, earning: coins))
            Disk.replace(self.save, with: save.bytes)
        }
    }
#endif
