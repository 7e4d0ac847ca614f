import ControlInterface
import Libc
import MergeCore
import TestSupport
import Testing

@testable import AgentRuntime
@testable import HouseholdAgent

/// What a player hears of the agent without asking: messages on the desktop.
@Suite(
    .enabled(if: FakeDesktop.isPossible, FakeDesktop.missing),
    .enabled(if: Command.isBuilt, "the built hearth is not beside the tests"))
struct DesktopTests {
    private let folder = Folder()

    private func run(_ words: String...) throws -> Command.Outcome { try Command.run(words, in: folder) }

    private func agent(_ variables: [String]) async throws -> ChildProcess {
        let agent = try Command.start(
            ["agent", "--host", "127.0.0.1", "--discovery", "off"], in: folder, input: "/dev/null",
            output: folder.path("agent.out"), errors: folder.path("agent.err"),
            program: (try #require(BuiltProgram.hearth), variables))
        #expect(await eventually { Disk.text(folder.path("agent.out")).contains("is ready") })
        return agent
    }

    /// A save that holds more than the games of the tests write afterwards.
    private func added(_ name: String) throws -> String {
        let text = #"{"coins": 100, "level": 3, "themes": ["day", "night", "dusk"], "a": 1, "b": 2}"#
        let save = folder.write(text, name)
        let added = try run("add", save, "--name", name)
        #expect(added.code == 0, "\(added.errors)")
        return save
    }

    @Test(.timeLimit(.minutes(20))) func aQuestionIsSaidOnce_andGoesWhenItIsAnswered() async throws {
        let desktop = try await FakeDesktop(folder)
        defer { desktop.end() }
        let agent = try await agent(["DBUS_SESSION_BUS_ADDRESS=\(desktop.address)"])
        let (tale, quest) = (try added("A<b> & Tale"), try added("Quest"))
        #expect(try run("status").code == 0 && desktop.told.isEmpty, "nothing is asked yet")
        Disk.replace(tale, with: Array(#"{"coins": 4}"#.utf8))
        #expect(await eventually { desktop.told.count == 1 }, "\(desktop.told)")
        guard case .shown(let title, let text, 0) = desktop.told.first else {
            Issue.record("\(desktop.told)")
            return
        }
        #expect(title == "A<b> & Tale: a decision waits for you")
        #expect(text.contains("hearth") && text.contains("A&lt;b&gt; &amp; Tale") && !text.contains("<"), "\(text)")
        // Another save's question is another message; what goes on meanwhile says nothing more of the first one.
        Disk.replace(quest, with: Array(#"{"coins": 5}"#.utf8))
        #expect(await eventually { desktop.told.count == 2 }, "\(desktop.told)")
        #expect(try run("status").code == 3)
        #expect(try run("keep", "Quest", "--yes").code == 0)
        #expect(await eventually { desktop.told.last == .closed(2) }, "\(desktop.told)")
        #expect(desktop.told.count == 3)
        agent.signal(SIGTERM)
        #expect(agent.waitForEnd() == 0)
    }

    /// What a running game asks is recorded nowhere, and nobody says that the game has ended.
    @Test(.timeLimit(.minutes(20))) func whatAGameAsksGoesWithTheGame() async throws {
        let desktop = try await FakeDesktop(folder)
        defer { desktop.end() }
        let agent = try await agent(["DBUS_SESSION_BUS_ADDRESS=\(desktop.address)"])
        // A save of the household that has no file here.
        let (maker, transfer) = (Folder(), folder.path("Quest.hearth"))
        let save = maker.write(#"{"coins": 100, "level": 3}"#, "Quest")
        for words in [["add", save, "--name", "Quest"], ["export", "Quest", "--output", transfer]] {
            let made = try Command.run(words, in: maker)
            #expect(made.code == 0, "\(made.errors)")
        }
        let taken = try run("import", transfer, "--yes")
        #expect(taken.code == 0, "\(taken.errors)")
        let other = SubscribeRequest(path: folder.path("other.json"), name: "Quest", game: "rpg", rules: .empty)
        let agents = ControlClient(socketPath: folder.path("home/run/control.sock"))
        let game = Task { try await agents.send(other) { _ in } }
        #expect(await eventually { desktop.told.count == 1 }, "\(desktop.told)")
        guard case .shown("Quest: a decision waits for you", let text, 0) = desktop.told.first else {
            Issue.record("\(desktop.told)")
            return
        }
        #expect(text.contains("rpg asks"), "\(text)")
        game.cancel()
        _ = try? await game.value
        #expect(await eventually { desktop.told.last == .closed(1) }, "\(desktop.told)")
        agent.signal(SIGTERM)
        #expect(agent.waitForEnd() == 0)
    }

    /// A bus on which no desktop is, that is none, or that is gone: the agent does its work.
    @Test(.timeLimit(.minutes(20)), arguments: ["unix:path=/nonexistent/bus", "unix:abstract=%zz", "tcp:host=x", ""])
    func withoutADesktopNothingIsMissed(_ address: String) async throws {
        let agent = try await agent(["DBUS_SESSION_BUS_ADDRESS=\(address)"])
        let save = try added("Quest")
        Disk.replace(save, with: Array(#"{"coins": 5}"#.utf8))
        #expect(try await poll { try run("status").code == 3 ? true : nil } == true)
        agent.signal(SIGTERM)
        #expect(agent.waitForEnd() == 0)
    }

    @Test func theAddressIsReadAsTheBusWritesIt() {
        func address(_ text: String) -> String? {
            SessionBus.address(["DBUS_SESSION_BUS_ADDRESS": text]).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(address("unix:path=/run/user/1000/bus,guid=12ab") == "/run/user/1000/bus")
        #expect(address("tcp:host=a;unix:guid=1,abstract=/tmp/d%2dbus") == "\0/tmp/d-bus")
        #expect(address("unix:path=%2") == nil && address("unix:tmpdir=/tmp") == nil && address("") == nil)
        #expect(SessionBus.address(["XDG_RUNTIME_DIR": "/run/user/7"]) == Array("/run/user/7/bus".utf8))
        #expect(SessionBus.address([:]) == nil)
    }

    @Test func whatIsNoMessageIsRefused() {
        var message = BusMessage(call: "Notify", of: "a.b", at: "/a", to: "c.d", BusBytes(signature: "u"))
        message.body.add(7)
        message.serial = 3
        let bytes = message.encoded
        #expect(BusMessage(bytes) == message)
        for count in 0..<bytes.count { #expect(BusMessage(Array(bytes.prefix(count))) == nil) }
        for index in bytes.indices {
            for byte in [0, 1, 0x7f, 0x80, 0xff] as [UInt8] {
                var damaged = bytes
                damaged[index] = byte
                // Whatever it is then, reading it ends.
                _ = BusMessage(damaged)
            }
        }
    }

    @Test func onlyMoreDecisionsAreAnotherQuestion() {
        func status(_ decisions: [String]) -> StatusReport {
            var profile = ProfileReport(id: "p", name: "RPG", state: "good", unreadable: [], pending: false)
            profile.decisions = decisions.isEmpty ? nil : decisions
            let device = DeviceReport(id: "d", name: "Laptop", isThisDevice: true, connected: true)
            return StatusReport(
                device: device, discovery: "off", household: [device], profiles: [profile], troubles: [])
        }
        var questions = OpenQuestions()
        #expect(questions.new(status([])).isEmpty)
        #expect(questions.new(status(["one"])).map(\.text) == ["one"])
        questions.messages["p"] = 5
        #expect(questions.new(status(["one, in other words"])).isEmpty)
        #expect(questions.new(status(["one", "two"])).map(\.text) == ["one two"])
        #expect(questions.answered(status(["two"])).isEmpty && questions.new(status(["two"])).isEmpty)
        #expect(questions.answered(status([])) == [5] && questions.messages.isEmpty)
        #expect(questions.new(status([])).isEmpty && questions.new(status(["three"])).map(\.text) == ["three"])
    }
}
