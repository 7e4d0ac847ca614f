import Libc
import LosslessJSON
import TestSupport
import Testing

extension LiveAgents {
    /// A damaged file on one machine does not harm the other's save, and everything goes on when the file is good
    /// again.
    @Suite struct DamageTests {
        enum Damage: String, CaseIterable, Sendable {
            case empty, truncated, folder, fifo, socket, deleted, array, invalid

            func strike(_ path: String, _ save: GameSave) {
                switch self {
                case .empty: Disk.replace(path, with: [])
                case .truncated: Disk.replace(path, with: Array(save.bytes.prefix(20)))
                case .folder:
                    unlink(path)
                    mkdir(path, 0o700)
                case .fifo:
                    // A FIFO also stands for a file that cannot be read, because root can read files of mode 0000.
                    unlink(path)
                    mkfifo(path, 0o600)
                case .socket:
                    unlink(path)
                    Loopback.bindSocket(at: path)
                case .deleted: unlink(path)
                case .array: Disk.replace(path, with: Array("[]".utf8))
                case .invalid: Disk.replace(path, with: Array("{\n  \"coins\": 1e\n}\n".utf8))
                }
            }

            /// What status must say besides the path.
            var words: String {
                switch self {
                case .empty: "is empty"
                case .truncated: ":3:"
                case .folder: "folder"
                case .fifo: "FIFO"
                case .socket: "socket"
                case .deleted, .array: ""
                case .invalid: ":2:"
                }
            }
        }

        @Test(.timeLimit(.minutes(5))) func aDamagedFile_isNamed_andNothingIsLost() async throws {
            let couple = try await Couple.sharing()
            defer { couple.clear() }
            var ledger = Ledger()
            for damage in Damage.allCases {
                try await strike(damage, couple, &ledger)
            }
        }

        private func strike(_ damage: Damage, _ couple: Couple, _ ledger: inout Ledger) async throws {
            let good = try #require(GameSave(at: couple.b.save), "\(damage)")
            damage.strike(couple.b.save, good)
            let told = try await poll {
                try await couple.b.profile().tells(of: damage, at: couple.b.save) ? true : nil
            }
            if told == nil { Issue.record("\(damage): \(try await couple.b.profile())") }
            // The other machine plays on.
            var first = try #require(GameSave(at: couple.a.save))
            #expect(ledger.difference(to: first).isEmpty, "\(damage) reached the other machine")
            ledger.note(first.play("a-\(damage)", earning: 5))
            Disk.replace(couple.a.save, with: first.bytes)
            let coins = first.coins
            let isIn = try await poll {
                try await couple.b.ask("show", "RPG", "/coins").output == "\(coins)\n" ? true : nil
            }
            #expect(isIn != nil, "what the other machine plays does not come in while there is \(damage)")
            var whole = ledger
            #expect(whole.difference(to: try #require(GameSave(at: couple.a.save))).isEmpty, "\(damage)")
            // The file is good again: the game saves from its memory.
            if damage == .folder || damage == .fifo || damage == .socket { Disk.remove(couple.b.save) }
            var second = good
            ledger.note(second.play("b-\(damage)", earning: 11))
            second.volume = good.volume
            Disk.replace(couple.b.save, with: second.bytes)
            whole = ledger
            let agreed = try await couple.agree { whole.difference(to: $0).isEmpty }
            if agreed == nil {
                Issue.record("after \(damage): \(try await couple.b.profile())")
                couple.tell(whole)
            }
            let state = try await poll {
                try await couple.b.profile()["state"] == "good" ? true : nil
            }
            if state == nil { Issue.record("\(damage): \(try await couple.b.profile())") }
        }
    }
}

extension JSONValue {
    /// Whether the status of a profile names the damage and its place.
    fileprivate func tells(of damage: LiveAgents.DamageTests.Damage, at path: String) -> Bool {
        let reason = self["reason"]?.text ?? ""
        switch damage {
        case .deleted: return self["state"] == "missing"
        case .array: return self["decisions"]?.elements.first?.text?.contains("lacks over half") == true
        default: return self["state"] == "bad" && reason.contains(path) && reason.contains(damage.words)
        }
    }
}
