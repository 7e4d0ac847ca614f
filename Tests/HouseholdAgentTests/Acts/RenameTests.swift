import HouseholdAgent
import HouseholdSimulation
import MergeCore
import Testing

/// Other names for saves and devices.
@Suite struct RenameTests {
    private let path = "/saves/player.json"

    private func household() throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        try Home.sharing(#"{"coins":100}"#, at: path, seed: 31)
    }

    private func rename(_ subject: String, _ new: String, _ home: Home, _ device: SimulatedDevice) throws -> Renamed {
        let reply = try home.reply(to: RenameRequest(subject: subject, to: new), on: device)
        guard let renamed = reply.message(Renamed.self) else { throw Home.Failure("not renamed: \(reply)") }
        return renamed
    }

    private func refusal(_ subject: String, _ new: String, _ home: Home, _ device: SimulatedDevice) throws -> String {
        guard case .failure(_, let why) = try home.reply(to: RenameRequest(subject: subject, to: new), on: device)
        else {
            throw Home.Failure("it was renamed")
        }
        return why
    }

    @Test func aSaveHasItsNewNameOnEveryDevice_andIsKeptInStep() throws {
        let (home, a, b) = try household()
        let renamed = try rename("game", "Universe RPG", home, a)
        #expect(renamed.former == "game" && renamed.profile?.name == "Universe RPG" && renamed.device == nil)
        home.household.run(milliseconds: 5_000)
        for device in [a, b] { #expect(try home.status(on: device).profiles.map(\.name) == ["Universe RPG"]) }
        home.household.save(#"{"coins":130}"#, to: path, on: b)
        home.expect(#"{"coins":130}"#, at: path, on: [a])
        home.household.kill(b)
        try home.household.start(b)
        home.household.run(milliseconds: 5_000)
        #expect(try home.status(on: b).profiles.map(\.name) == ["Universe RPG"], "also after a restart")
    }

    /// The other device shows the new name, and still does when the renamed one is away and it was restarted itself.
    @Test func aDeviceSaysItsNewName() throws {
        let (home, a, b) = try household()
        let renamed = try rename("deck", "Living room", home, b)
        #expect(renamed.former == "deck" && renamed.device?.name == "Living room" && renamed.profile == nil)
        #expect(try home.status(on: b).device.name == "Living room")
        let isHeard = home.household.run(until: {
            (try? home.status(on: a).household.map { "\($0.name) \($0.connected)" }) == ["Living room true"]
        })
        let shown = try home.status(on: a).household
        #expect(isHeard, "\(shown)")
        home.household.save(#"{"coins":130}"#, to: path, on: b)
        home.expect(#"{"coins":130}"#, at: path, on: [a])
        home.household.kill(b)
        home.household.kill(a)
        try home.household.start(a)
        home.household.run(milliseconds: 5_000)
        #expect(try home.status(on: a).household.map(\.name) == ["Living room"])
    }

    @Test func whatCannotBeRenamedIsSaid() throws {
        let (home, a, _) = try household()
        try home.add("/saves/other.json", "{}", name: "other", on: a)
        #expect(try refusal("game", "other", home, a).contains("a save is called other already"))
        #expect(try refusal("gmae", "x", home, a).contains("no save and no machine is called gmae; did you mean game?"))
        #expect(try refusal("deck", "x", home, a).hasSuffix("run there: hearth rename deck x"))
        #expect(try refusal("laptop", "deck", home, a).contains("another machine of the household is called deck"))
        #expect(try refusal("game", "a\nb", home, a).contains("this is no name"))
        #expect(try refusal("game", String(repeating: "x", count: 65), home, a).contains("this is no name"))
        home.household.save("{}", to: "/saves/fourth.json", on: a)
        for name in ["", " x", "a\nb", "\u{202e}evil", String(repeating: "x", count: 65)] {
            let reply = try home.reply(to: AddRequest(path: "/saves/fourth.json", name: name), on: a)
            guard case .failure(.usage, let why) = reply else { throw Home.Failure("\(name) was taken") }
            #expect(why.contains("a name has 1 to 64 bytes"))
        }
        try home.add("/saves/third.json", "{}", name: "laptop", on: a)
        #expect(try refusal("laptop", "x", home, a).contains("a save and a machine are called laptop"))
        #expect(try home.status(on: a).profiles.map(\.name).sorted() == ["game", "laptop", "other"])
    }
}
