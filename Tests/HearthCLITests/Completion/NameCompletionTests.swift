import ArgumentParser
import Libc
import TestSupport
import Testing

@testable import HearthCLI
@testable import HouseholdAgent

/// The names that a shell completes.
@Suite struct NameCompletionTests {
    private let folder = Folder()

    private func device(_ id: String, _ name: String, this: Bool = false) -> DeviceReport {
        DeviceReport(id: id, name: name, isThisDevice: this, connected: true)
    }

    private func profile(_ id: String, _ name: String, _ handle: String? = nil) -> ProfileReport {
        ProfileReport(id: id, name: name, state: "good", unreadable: [], pending: false, handle: handle)
    }

    @Test func namesAreTheWordsThatCommandsTake() {
        var joined = profile("4", "Joined")
        joined.joinedInto = "1"
        let report = StatusReport(
            device: device("a", "Laptop", this: true), discovery: "off",
            household: [device("b", "deck"), device("c", "deck"), device("d", "Living room"), device("e", "-rf")],
            profiles: [profile("1", "My game"), profile("2", "Twice", "2"), joined], troubles: [])
        #expect(NameCompletion.saves(report) == ["My game", "2"])
        #expect(NameCompletion.own(report) == ["Laptop"])
        // Two of one name are told apart by their ids, and a name that would be an option is none.
        #expect(NameCompletion.others(report) == ["b", "c", "Living room", "e"])
    }

    @Test func nothingInANameIsMoreThanALetterToAShell() {
        let names = ["plain", "My game", "it's $(id) \"`x`\"", "a:b\\c"]
        #expect(
            NameCompletion.quoted(names, for: .bash) == [
                "plain", "'My game'", #"'it'\''s $(id) "`x`"'"#, #"'a:b\c'"#,
            ])
        #expect(NameCompletion.quoted(names, for: .zsh) == names.dropLast() + [#"a\:b\\c"#])
        #expect(NameCompletion.quoted(names, for: .fish) == names)
        #expect(NameCompletion.quoted(names, for: nil) == names)
    }

    /// What the script of a shell asks while somebody types `hearth show `.
    private let question = ["---completion", "show", "--", "positional@0", "2", "0", "hearth", "show", ""]

    @Test(.enabled(if: Command.isBuilt, "the built hearth is not beside the tests"), .timeLimit(.minutes(5)))
    func withoutAnAgentNothingIsPrintedAndNothingIsMade() throws {
        let outcome = try Command.run(question, in: folder)
        #expect(outcome.code == 0 && outcome.output == "" && outcome.errors == "", "\(outcome)")
        #expect(Disk.names(in: folder.path("home")).isEmpty)
    }

    #if os(Linux)
        /// A real agent, and the script for bash in a real bash: a name that another machine may have given is completed
        /// as it is, and not run. An agent that hangs holds up nobody.
        @Test(.enabled(if: Command.isBuilt, "the built hearth is not beside the tests"), .timeLimit(.minutes(20)))
        func bashCompletesTheNamesOfARunningAgent() async throws {
            let agent = try Command.start(
                ["agent", "--json", "--host", "127.0.0.1", "--discovery", "off", "--name", "Laptop"], in: folder,
                input: "/dev/zero", output: folder.path("agent.out"), errors: folder.path("agent.err"))
            defer { agent.kill() }
            let isReady = await eventually { Disk.text(folder.path("agent.out")).hasSuffix("\n") }
            #expect(isReady, "\(Disk.text(folder.path("agent.err")))")
            let names = ["My game", "My $(touch \(folder.path("run")))", "other"]
            for (number, name) in names.enumerated() {
                let save = folder.write("{\"coins\": \(number)}", "save-\(number).json")
                let added = try Command.run("add", save, "--name", name, in: folder)
                #expect(added.code == 0, "\(added.errors)")
            }

            let hearth = try #require(BuiltProgram.hearth)
            let script = try Command.run("--generate-completion-script", "bash", in: folder)
            folder.write(script.output, "completion")
            folder.write(
                """
                source "$1"
                COMP_WORDS=("$2" show My) COMP_CWORD=2 COMP_LINE="$2 show My" COMP_POINT=$((${#2} + 8))
                _hearth "$2" My show
                printf '%s\\n' "${COMPREPLY[@]}"

                """, "ask")
            // A busy machine may take longer for an answer than a shell waits.
            let isComplete = try await eventually {
                let outcome = try Command.run(
                    [folder.path("ask"), folder.path("completion"), hearth], in: folder, program: ("/bin/bash", []))
                #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
                return outcome.output.split(separator: "\n").sorted() == [names[1][...], names[0][...]]
            }
            #expect(isComplete)
            #expect(Disk.read(folder.path("run")) == nil, "a name was run")

            agent.stop()
            let silent = try Command.run(question, in: folder)
            #expect(silent.code == 0 && silent.output == "" && silent.errors == "", "\(silent)")
        }
    #endif
}
