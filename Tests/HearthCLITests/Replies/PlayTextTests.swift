import ControlInterface
import HearthCLI
import HouseholdAgent
import Testing

/// The line that `hearth play` prints at the end.
struct PlayTextTests {
    private func report(_ json: String) throws -> PlayedReport {
        guard case .response(let report) = try ControlCoding.reply(Array(json.utf8), to: PlayRequest.self) else {
            throw CancellationError()
        }
        return report
    }

    @Test(arguments: [
        (
            12, #"{"event":"played","changed":3,"inStep":["laptop"],"behind":[]}"#,
            "12 s played; 3 fields changed; laptop has it"
        ),
        (
            185, #"{"event":"played","changed":1,"inStep":["deck","laptop"],"behind":["pc"]}"#,
            "3 min played; 1 field changed; deck and laptop have it; pc gets it when it can be reached"
        ),
        (
            12, #"{"event":"played","changed":1,"inStep":["nas"],"behind":[],"filesBehind":["deck"]}"#,
            "12 s played; 1 field changed; nas has it; deck has it, but its file does not show it yet "
                + "('hearth status' there says why)"
        ),
        (
            12, #"{"event":"played","changed":1,"inStep":[],"behind":[],"filesBehind":["a","b"],"held":["x\ny"]}"#,
            "12 s played; 1 field changed; a and b have it, but their files do not show it yet "
                + "('hearth status' there says why); x y"
        ),
        (4_000, #"{"event":"played","changed":0,"inStep":[],"behind":[]}"#, "1 h 6 min played; nothing changed"),
        (
            1, #"{"event":"played","changed":0,"inStep":[],"behind":["\u001b[2J","b","c"],"trouble":"x\ny"}"#,
            "1 s played; nothing changed; x y; [2J, b and c get it when it can be reached"
        ),
        (
            2, #"{"event":"played","changed":0,"inStep":["deck"],"behind":[],"isPaused":true}"#,
            "2 s played; sync of this save is paused: what was played is in its file alone and goes to the other devices "
                + "after hearth resume"
        ),
    ])
    func words(seconds: Int, json: String, expected: String) throws {
        #expect(PlayText(seconds: Int64(seconds), report: try report(json)).words == expected)
    }

    @Test func nobodyKnows() {
        #expect(
            PlayText(seconds: 5, report: nil).words
                == "5 s played without Hearth; once its agent runs, it reads what changed in the saves it keeps"
        )
    }
}
