import ControlInterface
import HearthCLI
import HouseholdAgent
import Testing

/// The text and the exit code of `hearth sync`.
struct SyncTextTests {
    private func text(_ members: String) throws -> SyncText {
        let line = Array(#"{"event":"synced",\#(members)}"#.utf8)
        guard case .response(let report) = try ControlCoding.reply(line, to: SyncRequest.self) else {
            throw CancellationError()
        }
        return SyncText(report)
    }

    @Test func inStep() throws {
        let text = try text(#""inStep":["deck","pc"],"behind":[]"#)
        #expect(text.words == "In step: deck, pc.\n" && text.fault == nil)
    }

    @Test func behind() throws {
        let text = try text(#""inStep":["deck"],"behind":["pc"],"filesBehind":["tv"]"#)
        #expect(text.words == "In step: deck.\n")
        let fault = try #require(text.fault)
        #expect(fault.code == .failed)
        #expect(
            fault.what == "not everybody is in step; behind: pc; tv has it, but its file does not show it yet (a game "
                + "runs there, or 'hearth status' there says why)")
    }

    @Test func aFileHereThatIsNotWhatItShouldBe() throws {
        let text = try text(#""inStep":[],"behind":["pc"],"troubles":["RPG: /x:1:1: it is empty"]"#)
        #expect(text.words == "")
        let fault = try #require(text.fault)
        #expect(fault.code == .failed)
        #expect(fault.what == "not in step, because of a file on this machine: RPG: /x:1:1: it is empty")
    }

    @Test func aDecision() throws {
        let text = try text(#""inStep":[],"behind":[],"decisions":["RPG: a choice waits"],"troubles":["RPG: x"]"#)
        let fault = try #require(text.fault)
        #expect(fault.code == .needsDecision && fault.what.hasSuffix("you have to decide: RPG: a choice waits"))
    }

    /// The failure is one line: a command ends where the next answer begins.
    @Test func theAnswersOfAQuestionArePartedOnOneLine() throws {
        let text = try text(
            #""inStep":[],"behind":[],"decisions":["RPG: x: hearth accept RPG\nIf not: hearth keep RPG"]"#)
        #expect(text.fault?.what.hasSuffix("RPG: x: hearth accept RPG; If not: hearth keep RPG") == true)
    }

    /// The others have all of it; the file here waits for its game.
    @Test func heldAndPaused() throws {
        let held = #""held":["what came in is written into RPG when rpg ends"]"#
        let text = try text(#""inStep":["deck"],"behind":[],\#(held),"paused":["Doom"]"#)
        #expect(text.words == "deck has all of it.\nLeft out, because paused here: Doom.\n")
        let fault = try #require(text.fault)
        #expect(fault.code == .failed)
        #expect(fault.what == "not in step yet: what came in is written into RPG when rpg ends")
        let more = try self.text(#""inStep":[],"behind":["pc"],\#(held)"#)
        #expect(more.words == "")
        #expect(
            more.fault?.what
                == "not everybody is in step; behind: pc; what came in is written into RPG when rpg ends")
    }

    /// Nothing was compared, so nobody is in step.
    @Test func nothingButPausedSaves() throws {
        #expect(
            try text(#""inStep":[],"behind":[],"paused":["Doom"]"#).words == "Left out, because paused here: Doom.\n")
        #expect(try text(#""inStep":[],"behind":[]"#).words == "No save is kept here yet.\n")
    }
}
