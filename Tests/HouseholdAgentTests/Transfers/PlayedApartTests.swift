import MergeCore
import ProfileKeeping
import Testing

@testable import HouseholdAgent
@testable import HouseholdSimulation

/// Two saves of one game become one: both sums are shown, and the player may say that neither is a copy of the other.
@Suite struct PlayedApartTests {
    private let path = "/saves/player.json"

    private func purse(_ coins: Int) -> String { #"{"coins":\#(coins)}"# }

    private var rules: [(String, MergeRule)] { [("/coins", MergeRule(.counter))] }

    /// Both have a save, and know one another; the second device's is kept already or only a file.
    private func household(
        _ a: Int, _ b: Int, isKept: Bool, seed: UInt64 = 29
    ) throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let home = Home(seed: seed)
        let (first, second) = (try home.device("laptop"), try home.device("deck"))
        try home.add(path, purse(a), rules: home.rules(rules), on: first)
        if isKept {
            try home.add(path, purse(b), rules: home.rules(rules), on: second)
        } else {
            home.household.save(purse(b), to: path, on: second)
        }
        try home.pair(first, second)
        home.household.run(milliseconds: 5_000)
        return (home, first, second)
    }

    /// The profile of the other device, as it is called here.
    private func other(_ home: Home, _ device: SimulatedDevice) throws -> String {
        guard let status = try home.reply(to: StatusRequest(), on: device).message(StatusReport.self),
            let profile = status.profiles.first(where: { $0.file == nil })
        else { throw Home.Failure("the other's profile is not here") }
        return profile.id
    }

    private func sums(_ home: Home, _ device: SimulatedDevice, at path: String? = nil) throws -> [SumReport] {
        let request = RestoreRequest(profile: try other(home, device), path: path ?? self.path)
        guard let preview = try home.reply(to: PreviewRequest(request), on: device).message(PreviewReport.self) else {
            throw Home.Failure("no preview")
        }
        return preview.sums ?? []
    }

    /// Follows, on the device that is asked, what the other one joined.
    private func answer(_ home: Home, _ devices: [SimulatedDevice]) throws {
        var asked = 0
        for device in devices {
            let reports = try home.reply(to: StatusRequest(), on: device).message(StatusReport.self)?.profiles ?? []
            for question in reports.flatMap({ $0.decisions ?? [] }) {
                asked += 1
                let words = question.split(separator: " ")
                let command = try #require(words.firstIndex(of: "restore"))
                let request = RestoreRequest(profile: String(words[command + 1]), path: path)
                guard case .response = try home.reply(to: request, on: device) else { throw Home.Failure(question) }
            }
        }
        // Where both players joined the two, they have said so already.
        #expect(asked <= 1)
        home.household.run(milliseconds: 60_000)
        let words = devices.map { device in
            device.machine?.engine.profiles.values.reduce(into: [:]) { $0[$1.id] = $1.state.joinedInto }
        }
        #expect(words[0]?.count == 2 && words[0] == words[1], "both devices know both words")
    }

    private func join(_ home: Home, _ device: SimulatedDevice, apart: Bool, at path: String? = nil) throws {
        let reply = try home.reply(
            to: RestoreRequest(profile: try other(home, device), path: path ?? self.path, apart: apart), on: device)
        guard case .response(is ProfileAnswer) = reply else { throw Home.Failure("not joined: \(reply)") }
    }

    /// A save was copied from a device that had earned under Hearth, and both played on: what was earned before the copy counts
    /// once, and what each played since. So it is where the copy was played before it was added, and whoever joins.
    @Test(arguments: [(0, 0), (5, 0), (0, 20), (5, 20)], [(0, false), (0, true), (40, false), (40, true)])
    func aCopyThatWasPlayedOnCountsOnce(played: (copy: Int, here: Int), copy: (before: Int, joins: Bool)) throws {
        for start in [300, 0] { try playOn(played, copy, from: start) }
    }

    private func playOn(
        _ played: (copy: Int, here: Int), _ copy: (before: Int, joins: Bool), from start: Int
    ) throws {
        let home = Home(seed: 30)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.add(path, purse(start), rules: home.rules(rules), on: a)
        home.household.save(purse(10_300), to: path, on: a)
        home.household.run(milliseconds: 5_000)
        try home.add(path, purse(10_300 + copy.before), rules: home.rules(rules), on: b)
        for (device, start, played) in [(a, 10_300, played.here), (b, 10_300 + copy.before, played.copy)]
        where played > 0 {
            home.household.save(purse(start + played), to: path, on: device)
            home.household.run(milliseconds: 5_000)
        }
        try home.pair(a, b)
        home.household.run(milliseconds: 5_000)
        let first = copy.joins ? b : a
        let shown = try sums(home, first)
        try join(home, first, apart: false)
        // A copy that nobody played since it was added may be a copy of what the other one has by now.
        let sum =
            played.copy == 0
            ? max(10_300 + played.here, 10_300 + copy.before)
            : 10_300 + max(copy.before, played.here) + played.copy
        home.expect(purse(sum), at: path, on: [a, b])
        #expect(shown.allSatisfy { $0.together == "\(sum)" }, "\(shown)")
    }

    /// Two devices have a copy each of one save, and join it before they hear of each other: what both copies hold was earned
    /// once.
    @Test(arguments: [(25, 40, 0), (25, 0, 0), (0, 0, 0), (25, 40, 50)])
    func twoCopiesJoinedApartCountOnce(first: Int, second: Int, between: Int) throws {
        let home = Home(seed: 34)
        let (a, b, c) = (try home.device("laptop"), try home.device("deck"), try home.device("desktop"))
        try home.add(path, purse(300), rules: home.rules(rules), on: a)
        home.household.save(purse(10_300), to: path, on: a)
        home.household.run(milliseconds: 5_000)
        try home.add(path, purse(10_300), rules: home.rules(rules), on: b)
        if between > 0 {
            home.household.save(purse(10_300 + between), to: path, on: a)
            home.household.run(milliseconds: 5_000)
        }
        try home.add(path, purse(10_300 + between), rules: home.rules(rules), on: c)
        for (device, played, start) in [(b, first, 0), (c, second, between)] where played > 0 {
            home.household.save(purse(10_300 + start + played), to: path, on: device)
            home.household.run(milliseconds: 5_000)
        }
        let kept = try #require(a.machine?.engine.profile(at: path))
        for device in [b, c] { try home.pair(a, device) }
        home.household.run(milliseconds: 20_000)
        for (one, other) in [(a, b), (a, c), (b, c)] { home.household.part(one, other) }
        for device in [b, c] {
            let reply = try home.reply(to: RestoreRequest(profile: kept.description, path: path), on: device)
            guard case .response(is ProfileAnswer) = reply else { throw Home.Failure("not joined: \(reply)") }
            home.household.run(milliseconds: 5_000)
        }
        for (one, other) in [(a, b), (a, c), (b, c)] { home.household.part(one, other, false) }
        home.household.run(milliseconds: 120_000)
        home.expect(purse(10_300 + between + first + second), at: path, on: [a, b, c])
        for device in [a, b, c] {
            home.household.kill(device)
            try home.household.start(device)
        }
        home.household.run(milliseconds: 60_000)
        home.expect(purse(10_300 + between + first + second), at: path, on: [a, b, c])
    }

    /// What was spent after the copy was made hides nothing of it.
    @Test func aCopyIsKnownThoughItsOriginSpent() throws {
        let home = Home(seed: 31)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.add(path, purse(300), rules: home.rules(rules), on: a)
        home.household.save(purse(10_300), to: path, on: a)
        home.household.run(milliseconds: 5_000)
        try home.add(path, purse(10_300), rules: home.rules(rules), on: b)
        home.household.save(purse(10_325), to: path, on: b)
        home.household.save(purse(8_300), to: path, on: a)
        home.household.run(milliseconds: 5_000)
        try home.pair(a, b)
        home.household.run(milliseconds: 5_000)
        try join(home, b, apart: false)
        home.expect(purse(8_325), at: path, on: [a, b])
    }

    /// Where one counter says that this save is the copy, and another one that the other is, neither is: what both earned stays.
    @Test func countersThatContradictEachOtherMakeNoCopy() throws {
        func bag(_ coins: Int, _ gems: Int) -> String { #"{"coins":\#(coins),"gems":\#(gems)}"# }
        let home = Home(seed: 32)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        let rules = try home.rules([("/coins", MergeRule(.counter)), ("/gems", MergeRule(.counter))])
        try home.add(path, bag(100, 500), rules: rules, on: a)
        try home.add(path, bag(4_000, 20), rules: rules, on: b)
        home.household.save(bag(5_100, 510), to: path, on: a)
        home.household.save(bag(4_300, 620), to: path, on: b)
        home.household.run(milliseconds: 5_000)
        try home.pair(a, b)
        home.household.run(milliseconds: 5_000)
        try join(home, b, apart: false)
        home.expect(bag(9_300, 1_110), at: path, on: [a, b])
    }

    /// Two saves that were played apart though nobody says so: what both earned is there, where the larger start is more than
    /// the other one can explain.
    @Test func whatBothEarnedStaysWhereNeitherCanBeACopy() throws {
        let (home, a, b) = try household(10_300, 5_000, isKept: true)
        home.household.save(purse(10_320), to: path, on: a)
        home.household.save(purse(5_007), to: path, on: b)
        home.household.run(milliseconds: 5_000)
        try join(home, b, apart: false)
        home.expect(purse(10_327), at: path, on: [a, b])
    }

    /// What is shown beforehand is what comes, on both devices.
    @Test(arguments: [false, true], [false, true]) func whatThePreviewShowsComes(isKept: Bool, isApart: Bool) throws {
        let (home, a, b) = try household(100, 70, isKept: isKept)
        let shown = try sums(home, b)
        #expect(
            shown.map { [$0.place, $0.household, $0.here, $0.together, $0.apart] }
                == [["/coins", "100", "70", "100", "170"]])
        #expect(home.household.text(of: path, on: b) == purse(70), "nothing is done before the answer")
        try join(home, b, apart: isApart)
        home.expect(purse(isApart ? 170 : 100), at: path, on: [a, b])
        // What is played then counts once, on both, and over a restart.
        home.household.save(purse(isApart ? 175 : 105), to: path, on: b)
        home.expect(purse(isApart ? 175 : 105), at: path, on: [a, b])
        home.household.kill(b)
        try home.household.start(b)
        home.household.run(milliseconds: 10_000)
        #expect(home.household.text(of: path, on: b) == purse(isApart ? 175 : 105))
    }

    /// A file from before the household started over holds what would come back: that is said before, with the sum of which
    /// the household has none. A path at which nothing is brings nothing back.
    @Test func whatAFileFromBeforeAResetBringsBackIsSaid() throws {
        let (home, a, b) = try household(100, 70, isKept: false)
        func preview(_ path: String) throws -> PreviewReport? {
            let request = RestoreRequest(profile: try other(home, b), path: path)
            return try home.reply(to: PreviewRequest(request), on: b).message(PreviewReport.self)
        }
        #expect(try preview(path)?.wasReset == nil)
        _ = try home.reply(to: ResetRequest(profile: "game", scope: nil), on: a)
        home.expect(purse(0), at: path, on: [a])
        home.household.run(milliseconds: 5_000)
        let shown = try #require(try preview(path))
        #expect(shown.wasReset == true)
        #expect(shown.sums?.map { [$0.household, $0.here, $0.together, $0.apart] } == [["0", "70", "70", "70"]])
        #expect(try preview("/saves/none.json")?.wasReset == nil)
    }

    /// A profile that spent what it was found with adds only what is left of it.
    @Test func whatWasSpentSinceStaysSpent() throws {
        let (home, a, b) = try household(100, 70, isKept: true)
        home.household.save(purse(20), to: path, on: a)
        home.household.save(purse(90), to: path, on: b)
        home.household.run(milliseconds: 5_000)
        #expect(
            try sums(home, b).map { [$0.household, $0.here, $0.together, $0.apart] } == [["20", "90", "40", "110"]])
        try join(home, b, apart: true)
        home.expect(purse(110), at: path, on: [a, b])
    }

    /// A device that comes later with a copy of either save, or of what became of them, adds nothing.
    @Test(arguments: [100, 70, 170, 200], [(false, false), (true, false), (false, true), (true, true)])
    func aLaterCopyCountsOnce(coins: Int, isKept: (Bool, Bool)) throws {
        let (home, a, b) = try household(100, 70, isKept: isKept.0)
        try join(home, b, apart: true)
        home.expect(purse(170), at: path, on: [a, b])
        home.household.save(purse(200), to: path, on: b)
        home.expect(purse(200), at: path, on: [a, b])
        let c = try home.device("desktop")
        if isKept.1 {
            try home.add(path, purse(coins), rules: home.rules(rules), on: c)
        } else {
            home.household.save(purse(coins), to: path, on: c)
        }
        try home.pair(a, c)
        home.household.run(milliseconds: 5_000)
        try join(home, c, apart: false)
        home.expect(purse(200), at: path, on: [a, b, c])
    }

    /// Of what the household shows, or showed here, nothing was played apart, whatever is said.
    @Test func aCopyIsNotAddedUp() throws {
        let (home, a, b) = try household(100, 70, isKept: false)
        home.household.save(purse(100), to: path, on: b)
        let profile = try other(home, b)
        guard
            case .failure(_, let why) = try home.reply(
                to: RestoreRequest(profile: profile, path: path, apart: true), on: b)
        else {
            throw Home.Failure("it was added")
        }
        #expect(why.contains("is a copy") && why.contains("leave --apart out"))
        try join(home, b, apart: false)
        home.household.save(purse(130), to: path, on: b)
        home.expect(purse(130), at: path, on: [a, b])
        home.household.save(purse(150), to: path, on: b)
        home.expect(purse(150), at: path, on: [a, b])
        // The file is taken away from Hearth, and an older copy of it comes back.
        _ = try home.reply(to: RemoveRequest(profile: "game"), on: b)
        home.household.save(purse(130), to: path, on: b)
        home.household.run(milliseconds: 1_000)
        guard
            case .failure(_, let again) = try home.reply(
                to: RestoreRequest(profile: profile, path: path, apart: true), on: b)
        else {
            throw Home.Failure("it was added")
        }
        #expect(again.contains("is a copy"))
        home.expect(purse(150), at: path, on: [a])
    }

    /// Both devices say it of the same two profiles before they hear of one another, each way: it counts once. The file
    /// that is with the profile that goes waits for its player.
    @Test(arguments: 40...51 as ClosedRange<UInt64>) func twoAnswersCountOnce(seed: UInt64) throws {
        let (home, a, b) = try household(100, 70, isKept: true, seed: seed)
        home.household.part(a, b)
        home.household.run(milliseconds: 2_000)
        try join(home, a, apart: true)
        try join(home, b, apart: true)
        home.expect(purse(170), at: path, on: [a])
        home.expect(purse(170), at: path, on: [b])
        home.household.part(a, b, false)
        home.household.run(milliseconds: 60_000)
        home.expect(purse(170), at: path, on: [a, b])
        try answer(home, [a, b])
        home.expect(purse(170), at: path, on: [a, b])
        home.household.save(purse(180), to: path, on: b)
        home.expect(purse(180), at: path, on: [a, b])
    }

    /// The player's word is in the record with the join: a kill between them forgets nothing.
    @Test func aKillForgetsNothingOfTheAnswer() throws {
        let (whole, _, c) = try household(100, 70, isKept: true)
        let profile = try other(whole, c)
        c.record.power.restart()
        _ = try whole.reply(to: RestoreRequest(profile: profile, path: path, apart: true), on: c)
        let steps = c.record.power.operations.count
        for step in 1...steps {
            let (home, a, b) = try household(100, 70, isKept: true)
            let profile = try other(home, b)
            b.record.power.restart()
            b.record.power.cut(before: step)
            _ = home.household.ask(RestoreRequest(profile: profile, path: path, apart: true), on: b)
            home.household.kill(b)
            b.record.power.restart()
            try home.household.start(b)
            home.household.run(milliseconds: 20_000)
            let text = home.household.text(of: path, on: b)
            guard text == purse(70) else {
                #expect(text == purse(170), "killed before commit \(step)")
                home.expect(purse(170), at: path, on: [a, b])
                continue
            }
            // Nothing was joined yet.
            try join(home, b, apart: true)
            home.expect(purse(170), at: path, on: [a, b])
        }
    }

    // MARK: Rules of one alone

    /// One of the two keeps its coins as a plain value. What is shown beforehand comes, whichever of both survives.
    @Test(arguments: 29...36 as ClosedRange<UInt64>, [false, true])
    func aPurseWithoutARuleIsAStart(seed: UInt64, isApart: Bool) throws {
        let home = Home(seed: seed)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.add(path, purse(100), rules: home.rules(rules), on: a)
        home.household.save(purse(130), to: path, on: a)
        try home.add(path, purse(170), on: b)
        try home.pair(a, b)
        home.household.run(milliseconds: 5_000)
        #expect(
            try sums(home, b).map { [$0.household, $0.here, $0.together, $0.apart] } == [["130", "170", "170", "300"]])
        try join(home, b, apart: isApart)
        home.expect(purse(isApart ? 300 : 170), at: path, on: [a, b])
        home.household.save(purse(isApart ? 305 : 175), to: path, on: a)
        home.expect(purse(isApart ? 305 : 175), at: path, on: [a, b])
    }

    /// A save leaves its file for another one, whose coins are a plain value: a kill before any write to the record
    /// loses nothing of either.
    @Test(arguments: 29...36 as ClosedRange<UInt64>) func aKillLosesNothingOfAFileThatIsLeft(seed: UInt64) throws {
        let elsewhere = "/games/player.json"
        func restore(in home: Home, _ device: SimulatedDevice) throws -> RestoreRequest {
            let report = try home.reply(to: StatusRequest(), on: device).message(StatusReport.self)
            let profile = try #require(report?.profiles.first { $0.file == path })
            return RestoreRequest(profile: profile.id, path: elsewhere, apart: true)
        }
        func household() throws -> (Home, SimulatedDevice, SimulatedDevice) {
            let home = Home(seed: seed)
            let (a, b) = (try home.device("laptop"), try home.device("deck"))
            try home.pair(a, b)
            try home.add(path, purse(100), rules: home.rules(rules), on: a)
            try home.restore(path, on: b)
            home.household.save(purse(130), to: path, on: a)
            home.household.run(milliseconds: 5_000)
            try home.add(elsewhere, purse(170), on: a)
            return (home, a, b)
        }
        let (whole, first, _) = try household()
        let request = try restore(in: whole, first)
        first.record.power.restart()
        let reply = try whole.reply(to: request, on: first)
        let steps = first.record.power.operations.count
        try #require(steps > 1, "\(reply)")
        for step in 1...steps {
            let (home, a, b) = try household()
            let request = try restore(in: home, a)
            a.record.power.restart()
            a.record.power.cut(before: step)
            _ = home.household.ask(request, on: a)
            home.household.kill(a)
            a.record.power.restart()
            try home.household.start(a)
            home.household.run(milliseconds: 20_000)
            // Where nothing was joined yet, the player asks again.
            _ = try home.reply(to: request, on: a)
            home.expect(purse(300), at: elsewhere, on: [a])
            home.expect(purse(300), at: path, on: [b])
        }
    }

    // MARK: Earned from nothing

    /// Both profiles began empty under the eyes of a game, each with its agent, before the devices were paired: all of
    /// both counts, once, and no question is needed.
    @Test(arguments: [[0], [1], [0, 1]], 52...55 as ClosedRange<UInt64>)
    func whatBothBeganWithNothingEarnedAddsUp(asked: [Int], seed: UInt64) throws {
        let home = Home(seed: seed)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        let rules = try home.rules(rules)
        func subscribe(_ device: SimulatedDevice, _ answer: SubscribeRequest.NameConflictAnswer = .ask) -> RequestID {
            home.household.ask(
                SubscribeRequest(
                    path: path, name: "game", game: "rpg", rules: rules, onNameConflict: answer,
                    beganEmpty: answer == .ask),
                on: device)
        }
        for (device, coins) in [(a, 100), (b, 70)] {
            home.household.save(purse(coins), to: path, on: device)
            home.household.abandon(subscribe(device), on: device)
        }
        try home.pair(a, b)
        home.household.run(milliseconds: 5_000)
        // Both may be asked while they are apart, and join the two each way.
        home.household.part(a, b)
        for index in asked { home.household.abandon(subscribe([a, b][index], .join), on: [a, b][index]) }
        home.household.run(milliseconds: 5_000)
        home.household.part(a, b, false)
        home.household.run(milliseconds: 60_000)
        for index in [0, 1] where !asked.contains(index) {
            home.household.abandon(subscribe([a, b][index]), on: [a, b][index])
        }
        if asked.count == 2 { try answer(home, [a, b]) }
        home.expect(purse(170), at: path, on: [a, b])
        home.household.kill(a)
        try home.household.start(a)
        home.household.run(milliseconds: 30_000)
        home.expect(purse(170), at: path, on: [a, b])
    }
}
