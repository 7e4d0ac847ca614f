import LosslessJSON
import TestSupport
import Testing

/// `hearth doctor` as a process where no agent runs.
@Suite(.enabled(if: Command.isBuilt, "the built hearth is not beside the tests"))
struct DoctorCommandTests {
    private let folder = Folder()

    /// The output as one line: where it is wrapped depends on the folder's path.
    private func words(_ outcome: Command.Outcome) -> String {
        outcome.output.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    }

    @Test func withoutAnAgent_thatIsSaidFirst_andTheMachineIsLookedAt() throws {
        let outcome = try Command.run("doctor", in: folder)
        #expect(outcome.code == 1 && outcome.errors == "", "\(outcome.errors)")
        #expect(outcome.output.hasPrefix("✗ no agent is running here"), "\(outcome.output)")
        #expect(outcome.output.contains("\n      hearth agent\n"))
        #expect(words(outcome).contains("✓ files can be written in \(folder.path("home"))"))
        #expect(Disk.read(folder.path("home/.try")) == nil, "what was tried is gone")
    }

    @Test func aHomeThatCannotBeUsedIsNamed() throws {
        let home = folder.write("", "home")
        let outcome = try Command.run("doctor", in: folder)
        #expect(outcome.code == 1 && outcome.output.hasPrefix("✗ no agent is running here"), "\(outcome.errors)")
        #expect(words(outcome).contains("\(home) is a file where a folder is needed"), "\(outcome.output)")
        #expect(outcome.output.hasSuffix("2 things are wrong.\n"))
    }

    /// The version stands in the header of the record, at offset 60.
    @Test func aRecordOfANewerHearthIsNamed() throws {
        #expect(try Command.run("status", in: folder).code == 0)
        let record = folder.path("home/hearth.sqlite")
        var bytes = try #require(Disk.read(record))
        try #require(bytes.count >= 100)
        bytes[63] = 99
        // The write-ahead log of the other version would bring the old header back.
        for file in ["home/hearth.sqlite-wal", "home/hearth.sqlite-shm"] where Disk.read(folder.path(file)) != nil {
            folder.write([UInt8](), folder.path(file))
        }
        folder.write(bytes, record)
        let outcome = try Command.run("doctor", "--json", in: folder)
        #expect(outcome.code == 1, "\(outcome.errors)")
        let object = try JSONValue(parsing: Array(outcome.output.utf8))
        #expect(object["event"] == "diagnosed" && object["ok"] == false)
        #expect(outcome.output.contains("was written by a newer Hearth"), "\(outcome.output)")
        #expect(outcome.output.contains("update Hearth here"))
    }
}
