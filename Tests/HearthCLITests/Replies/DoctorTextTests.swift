import ControlInterface
import HearthCLI
import HouseholdAgent
import Testing

/// The text of `hearth doctor` at 80 columns.
struct DoctorTextTests {
    private func text(_ findings: String, columns: Int = DoctorText.usualColumns) throws -> String {
        let line = Array(#"{"event":"diagnosed","ok":false,"findings":[\#(findings)]}"#.utf8)
        guard case .response(let report) = try ControlCoding.reply(line, to: DoctorRequest.self) else {
            throw CancellationError()
        }
        var text = DoctorText(report, style: Style(isColoured: false))
        text.columns = columns
        return text.text
    }

    @Test func whatIsWellIsOneShortLine() throws {
        let well = #"{"kind":"agent","ok":true,"sentence":"the agent runs and listens on port 4000"}"#
        #expect(try text(well) == "✓ the agent runs and listens on port 4000\nAll is well.\n")
    }

    @Test func aFaultIsWrapped_withItsCommandOnALineOfItsOwn() throws {
        let fault =
            #"{"kind":"refused","ok":false,"about":"deck","command":"hearth agent","sentence":"nothing listens at "#
            + #"192.168.1.7:4000, or a firewall refuses it; start the agent on that machine"}"#
        #expect(
            try text(fault) == """
                ✗ deck: nothing listens at 192.168.1.7:4000, or a firewall refuses it; start the
                  agent on that machine:
                      hearth agent
                One thing is wrong.

                """)
    }

    @Test func aFaultWithoutACommandEndsWithItsSentence() throws {
        let fault = #"{"kind":"home","ok":false,"sentence":"the disk is full; free some space"}"#
        #expect(
            try text([fault, fault].joined(separator: ","))
                == "✗ the disk is full; free some space\n✗ the disk is full; free some space\n2 things are wrong.\n")
    }

    /// A command is copied, so it is never wrapped; neither is a word that is longer than a line.
    /// A question about a save has a line for each of its answers.
    @Test func eachAnswerIsOnALineOfItsOwn() throws {
        let fault =
            #"{"kind":"decision","ok":false,"about":"RPG","sentence":"it holds less; let it count: hearth accept RPG\nIf not: hearth keep RPG"}"#
        #expect(
            try text(fault)
                == "✗ RPG: it holds less; let it count: hearth accept RPG\n  If not: hearth keep RPG\nOne thing is wrong.\n"
        )
    }

    @Test(arguments: [30, 40, 80, 120]) func noLineIsTooWide_butForCommandsAndLongWords(_ columns: Int) throws {
        let word = String(repeating: "x", count: 100)
        let command = "df -h \(word)"
        let fault =
            #"{"kind":"disk","ok":false,"about":"ゲーム","command":"\#(command)","sentence":"only 3 MB are free on the "#
            + #"disk of \#(word), too few for a large save of ゲームゲームゲーム; make room there"}"#
        for line in try text(fault, columns: columns).split(separator: "\n").map(String.init) {
            let isFree = line.hasSuffix(word) || line.contains(word + ",") || line == "      " + command
            #expect(TextTable.width(line) <= columns || isFree, "\(line)")
        }
    }

    @Test func nothingMovesTheCursor() throws {
        let fault = #"{"kind":"x","ok":false,"about":"a\u001b[2J","command":"b\u001b[2J","sentence":"c\u001b[2J"}"#
        #expect(try text(fault) == "✗ a[2J: c[2J:\n      b[2J\nOne thing is wrong.\n")
    }
}
