import HouseholdAgent
import HouseholdSimulation
import MergeCore
import Testing

/// A file that is no longer kept in step is added again: it goes on as the save that it was, and not beside it.
@Suite struct AddedAgainTests {
    private let path = "/saves/player.json"

    private func removed() throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let (home, a, b) = try Home.sharing(
            #"{"coins":100}"#, at: path, rules: [("/coins", MergeRule(.counter))], seed: 3)
        _ = try home.reply(to: RemoveRequest(profile: "game"), on: b)
        home.play(#"{"coins":130}"#, at: path, on: a)
        home.play(#"{"coins":108}"#, at: path, on: b)
        return (home, a, b)
    }

    /// The command of the message counts what was played there meanwhile.
    @Test func itIsToldWhatItWas() throws {
        let (home, a, b) = try removed()
        let reply = try home.reply(to: AddRequest(path: path, name: "player"), on: b)
        guard case .failure(.needsDecision, let words) = reply else {
            Issue.record("\(reply)")
            return
        }
        #expect(words.contains("was kept as game until it was removed here"))
        #expect(words.hasSuffix("hearth restore game --to \(path)"))
        _ = try home.reply(to: RestoreRequest(profile: "game", path: path), on: b)
        home.expect(#"{"coins":138}"#, at: path, on: [a, b])
    }

    /// Another save of the player, at the path of the former one.
    @Test func itMayBeAnotherSave() throws {
        let (home, a, b) = try removed()
        let reply = try home.reply(to: AddRequest(path: path, name: "other", anyway: true), on: b)
        _ = try #require(reply.message(ProfileAnswer.self), "\(reply)")
        home.household.run(milliseconds: 5_000)
        #expect(home.household.text(of: path, on: a) == #"{"coins":130}"#)
        #expect(home.household.text(of: path, on: b) == #"{"coins":108}"#)
    }

    /// Where the household has forgotten the save, there is nothing to go on with.
    @Test func aForgottenSaveIsNone() throws {
        let (home, a, b) = try removed()
        _ = try home.reply(to: ForgetRequest(profile: "game"), on: a)
        home.household.run(milliseconds: 10_000)
        let reply = try home.reply(to: AddRequest(path: path, name: "player"), on: b)
        _ = try #require(reply.message(ProfileAnswer.self), "\(reply)")
    }
}
