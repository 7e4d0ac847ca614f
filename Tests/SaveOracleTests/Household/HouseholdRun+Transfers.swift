import HouseholdAgent
import HouseholdSimulation
import SaveOracle

/// Rounds in which a save travels in a file.
extension HouseholdRun {
    /// One plays while another is away, and a signed file goes there by hand; perhaps that one played as well. Nothing
    /// counts twice when the two meet.
    mutating func carry(_ round: inout HouseholdRound) {
        let writer = anyDevice()
        let other = anyDevice(but: writer)
        home.cut(off: other, true, isLine: isLine)
        home.run(milliseconds: 1_000)
        session(on: writer, &round, atMost: 2)
        if dice.once(in: 2) { session(on: other, &round, atMost: 1) }
        home.run(milliseconds: 20_000)
        let isAsked = home.question(writer) != nil || home.question(other) != nil
        guard
            let bytes = home.ask(ExportRequest(profile: "game"), on: writer)?.message(ExportedTransfer.self)?.data.bytes
        else {
            return note(round, Finding(.words, "not exported", expected: "a file", found: "none"), on: writer)
        }
        let path = home.carry(bytes, to: other)
        act(ImportTransferRequest(path: path, to: nil, trusting: false, dryRun: false), on: other, round)
        home.run(milliseconds: 20_000)
        if !isAsked {
            judgeFile(round, on: other)
        }
        home.cut(off: other, false, isLine: isLine)
        finish(round)
    }

    /// A plain copy of what the household holds comes in again, here or elsewhere: nothing changes.
    mutating func importDocument(_ round: inout HouseholdRound) {
        let writer = anyDevice()
        session(on: writer, &round, atMost: 2)
        home.settle()
        guard !isAnswered(round) else { return }
        let exported = home.ask(ExportDocumentRequest(profile: "game"), on: writer)
        guard let text = exported?.message(DocumentText.self)?.document else {
            return note(round, Finding(.words, "not exported", expected: "a file", found: "none"), on: writer)
        }
        let other = anyDevice()
        let path = home.carry(Array(text.utf8), to: other)
        act(ImportDocumentRequest(path: path, profile: "game", dryRun: false), on: other, round)
        finish(round)
    }
}
