import LosslessJSON
import TestSupport

/// Two paired machines.
struct Couple {
    let folder: TemporaryFolder
    let a: Machine
    let b: Machine

    /// Starts two agents on the loopback interface and pairs them.
    static func paired() async throws -> Couple {
        let folder = TemporaryFolder()
        let couple = Couple(
            folder: folder, a: try Machine("a", in: folder.path), b: try Machine("b", in: folder.path))
        try await couple.a.start(peers: [couple.b])
        try await couple.b.start(peers: [couple.a])
        try await couple.pair()
        return couple
    }

    func pair() async throws {
        let shown = try await Pairing.code(on: a)
        let typed = try await b.ask("pair", shown.code, "--address", a.address, "--json")
        guard typed.code == 0, try await shown.command.process.end() == 0 else {
            throw Failure("the two could not be paired: \(typed.errors)")
        }
    }

    /// The same, with a save that was added on A and restored on B.
    static func sharing() async throws -> Couple {
        let couple = try await paired()
        Disk.replace(couple.a.save, with: GameSave().bytes)
        let rules = couple.folder.path + "/rules.yaml"
        Disk.write(Array(GameSave.rules.utf8), rules)
        let added = try await couple.a.ask("add", couple.a.save, "--rules", rules, "--json")
        guard added.code == 0 else { throw Failure("add: \(added.errors)") }
        let restored = try await poll {
            try await couple.b.ask("restore", "RPG", "--to", couple.b.save, "--json").code == 0 ? true : nil
        }
        guard restored != nil, try await couple.agree() != nil else {
            throw Failure("the save did not reach B: \(couple.b.log.suffix(500))")
        }
        return couple
    }

    /// The content of both files, as soon as they are equal and `isRight`; `nil` at the limit.
    func agree(_ isRight: (GameSave) -> Bool = { _ in true }) async throws -> GameSave? {
        try await poll {
            guard let first = GameSave(at: a.save)?.shared, let second = GameSave(at: b.save)?.shared else {
                return nil
            }
            return first == second && isRight(first) ? first : nil
        }
    }

    /// Kills both agents.
    func clear() {
        a.kill()
        b.kill()
    }
}

enum Pairing {
    /// Shows a code; the command keeps waiting.
    static func code(on machine: Machine) async throws -> (command: Machine.Command, code: String) {
        let command = try machine.begin(["pair", "--json"])
        let line = try await poll {
            Disk.text(command.output).split(separator: "\n").first.flatMap { try? JSONValue(parsing: Array($0.utf8)) }
        }
        guard let line, line["event"] == "code", let code = line["code"]?.text else {
            throw Failure("no code on \(machine.name): \(Disk.text(command.output)) \(Disk.text(command.errors))")
        }
        return (command, code)
    }
}
