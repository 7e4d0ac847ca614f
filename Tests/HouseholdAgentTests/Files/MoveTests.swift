import HouseholdAgent
import HouseholdSimulation
import MergeCore
import Testing

/// A save's file that moved, and two profiles of one name: what the messages suggest works when it is pasted.
@Suite struct MoveTests {
    private let path = "/saves/player.json"
    private let elsewhere = "/games/my saves/player.json"
    private let save = #"{"coins":100,"level":1}"#

    private func household(
        seed: UInt64 = 19
    ) throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let home = Home(seed: seed)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        let rules = try home.rules([("/coins", MergeRule(.counter)), ("/level", MergeRule(.max))])
        try home.add(path, save, rules: rules, on: a)
        try home.restore(path, on: b)
        home.expect(save, at: path, on: [b])
        return (home, a, b)
    }

    private func refusal(_ reply: AgentReply) -> String {
        guard case .failure(_, let why) = reply else { return "" }
        return why
    }

    /// Runs the commands at the end of a message, as a shell reads them.
    private func paste(_ message: String, _ home: Home, _ device: SimulatedDevice) throws {
        let start = try #require(message.firstRange(of: "hearth "), "\(message)")
        for command in message[start.lowerBound...].split(separator: " && ") {
            let words = Self.words(String(command))
            let request: any AgentRequest
            switch words[1] {
            case "restore": request = RestoreRequest(profile: words[2], path: words[4])
            case "remove": request = RemoveRequest(profile: words[2])
            case "move": request = MoveRequest(profile: words[2], path: words[3])
            default: throw Home.Failure("no such command: \(words)")
            }
            let reply = try home.reply(to: request, on: device)
            if case .failure(_, let why) = reply { throw Home.Failure("\(command): \(why)") }
        }
    }

    private static func words(_ command: String) -> [String] {
        var (words, word, isQuoted): ([String], String, Bool) = ([], "", false)
        for letter in command {
            switch letter {
            case "'": isQuoted.toggle()
            case " " where !isQuoted:
                words.append(word)
                word = ""
            default: word.append(letter)
            }
        }
        return words + [word]
    }

    @Test func aRenamedFileStaysTheSameSave() throws {
        let (home, a, b) = try household()
        // Renamed, and played on before Hearth hears of it.
        a.files.delete(path)
        home.household.save(#"{"coins":130,"level":2}"#, to: elsewhere, on: a)
        guard
            let report = try home.reply(to: MoveRequest(profile: "game", path: elsewhere), on: a).message(
                ProfileAnswer.self)?
                .profile
        else {
            Issue.record("not moved")
            return
        }
        #expect(report.file == elsewhere)
        home.expect(#"{"coins":130,"level":2}"#, at: path, on: [b])
        home.household.save(#"{"coins":180,"level":2}"# + "\n", to: path, on: b)
        home.expect(#"{"coins":180,"level":2}"#, at: elsewhere, on: [a])
        home.household.run(milliseconds: 60_000)
        #expect(home.household.text(of: path, on: a) == nil)
        #expect(try home.status(on: a).profiles.count == 1)
    }

    /// Ten seconds after a file is gone it is written again; that one holds nothing new, and is let go.
    @Test func whatWasWrittenAgainAtTheFormerPathIsReleased() throws {
        let (home, a, b) = try household()
        a.files.delete(path)
        home.household.save(save, to: elsewhere, on: a)
        home.household.run(milliseconds: 60_000)
        #expect(home.household.text(of: path, on: a) != nil)
        home.household.save(#"{"coins":150,"level":1}"# + "\n", to: path, on: b)
        home.household.run(milliseconds: 10_000)
        guard
            let note = try home.reply(to: MoveRequest(profile: "game", path: elsewhere), on: a).message(
                ProfileAnswer.self)?.note
        else {
            Issue.record("not moved, or nothing was told")
            return
        }
        #expect(note.contains("\(path) is still there"))
        home.expect(#"{"coins":150,"level":1}"#, at: elsewhere, on: [a])
        #expect(home.household.text(of: path, on: b) == #"{"coins":150,"level":1}"# + "\n")
    }

    /// As after a restore to a disk that was full: no file is anywhere, so none can have moved.
    @Test func aSaveWithoutAFileAnywhereGetsOneElsewhere() throws {
        let (home, a, _) = try household()
        home.household.delete(path, on: a)
        home.household.run(milliseconds: 3_000)
        let why = refusal(try home.reply(to: RestoreRequest(profile: "game", path: elsewhere), on: a))
        #expect(why.contains("and there is no file; to have it there instead: hearth remove"), "\(why)")
        try paste(why, home, a)
        home.expect(save, at: elsewhere, on: [a])
    }

    @Test func whatCannotBeMovedIsRefused() throws {
        let (home, a, _) = try household()
        let nothing = refusal(try home.reply(to: MoveRequest(profile: "game", path: elsewhere), on: a))
        #expect(nothing.contains("nothing is at \(elsewhere)"), "\(nothing)")
        home.household.save("{", to: elsewhere, on: a)
        #expect(refusal(try home.reply(to: MoveRequest(profile: "game", path: elsewhere), on: a)).contains(elsewhere))
        try home.add("/saves/other.json", "{}", name: "other", on: a)
        let owned = refusal(try home.reply(to: MoveRequest(profile: "game", path: "/saves/other.json"), on: a))
        #expect(owned.contains("is profile other"), "\(owned)")
        // Played at the former path as well: nothing of that is left behind unseen.
        home.household.save(save, to: elsewhere, on: a)
        a.files.setTime(home.household.date(on: a))
        a.files.saveByRename(Array(#"{"coins":110,"level":1}"#.utf8), at: path)
        let unseen = refusal(try home.reply(to: MoveRequest(profile: "game", path: elsewhere), on: a))
        #expect(unseen.contains("holds what was not taken up"), "\(unseen)")
    }

    /// The file was renamed, and added a second time: one name, two profiles. The advice joins them.
    @Test(arguments: [false, true]) func theAdviceAtAddJoinsTheTwo(late: Bool) throws {
        let (home, a, b) = try household()
        a.files.delete(path)
        home.household.save(save, to: elsewhere, on: a)
        if late { home.household.run(milliseconds: 60_000) }
        guard
            let note = try home.reply(to: AddRequest(path: elsewhere, name: "game", rules: nil), on: a).message(
                ProfileAnswer.self)?.note
        else {
            Issue.record("not added, or nothing was told")
            return
        }
        try paste(note, home, a)
        home.household.run(milliseconds: 20_000)
        let after = try home.status(on: a)
        #expect(after.profiles.map(\.file) == [elsewhere], "\(after.profiles)")
        #expect(after.troubles.isEmpty, "\(after.troubles)")
        // One save, on both: nothing was counted twice, and play goes on.
        home.household.save(#"{"coins":120,"level":1}"#, to: elsewhere, on: a)
        home.expect(#"{"coins":120,"level":1}"#, at: path, on: [b])
    }

    /// The advice of `status`, and of every command that cannot know which is meant. Which of the two survives is chance.
    @Test(arguments: 19...34 as ClosedRange<UInt64>) func theAdviceOfStatusJoinsTheTwo(seed: UInt64) throws {
        let (home, a, _) = try household(seed: seed)
        home.household.save(#"{"coins":130,"level":1}"#, to: elsewhere, on: a)
        _ = try home.reply(to: AddRequest(path: elsewhere, name: "game", rules: nil), on: a)
        let before = try home.status(on: a)
        #expect(before.profiles.count == 2)
        #expect(before.profiles.map(\.handle) == before.profiles.map(\.id))
        let requests: [any AgentRequest] = [
            MoveRequest(profile: "game", path: "/x"), ForgetRequest(profile: "game"), RemoveRequest(profile: "game"),
        ]
        for request in requests {
            let why = refusal(try home.reply(to: request, on: a))
            for profile in before.profiles { #expect(why.contains("\(profile.id) (\(profile.file ?? ""))"), "\(why)") }
        }
        let trouble = try #require(before.troubles.first)
        try paste(trouble, home, a)
        home.household.run(milliseconds: 20_000)
        let after = try home.status(on: a)
        #expect(after.profiles.count == 1 && after.troubles.isEmpty, "\(after)")
        // As copies of one save: the larger sum.
        let file = try #require(after.profiles.first?.file)
        #expect(home.household.text(of: file, on: a)?.contains(#""coins":130"#) == true)
    }

    /// Three profiles of one name: a command that named one of them by it would mean two others.
    @Test func theAdviceJoinsThree() throws {
        let (home, a, _) = try household()
        for (place, coins) in zip([elsewhere, "/saves/third.json"], [130, 120]) {
            home.household.save(#"{"coins":\#(coins),"level":1}"#, to: place, on: a)
            _ = try home.reply(to: AddRequest(path: place, name: "game", rules: nil), on: a)
        }
        #expect(try home.status(on: a).profiles.count == 3)
        try paste(try #require(try home.status(on: a).troubles.first), home, a)
        home.household.run(milliseconds: 20_000)
        let after = try home.status(on: a)
        #expect(after.profiles.count == 1 && after.troubles.isEmpty, "\(after)")
        let file = try #require(after.profiles.first?.file)
        #expect(home.household.text(of: file, on: a)?.contains(#""coins":130"#) == true)
    }

    @Test func severalOfOneNameAreNamedAsCommands() throws {
        let (home, a, _) = try household()
        for number in 1...2 { try home.add("/saves/\(number).json", save, on: a) }
        let why = refusal(try home.reply(to: RestoreRequest(profile: "game", path: "/saves/1.json"), on: a))
        #expect(why.contains("for the one with \(path): hearth restore "), "\(why)")
        #expect(why.contains(" --to /saves/1.json; "), "\(why)")
    }
}
