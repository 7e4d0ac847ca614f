import LosslessJSON
import MergeCore
import ProfileKeeping
import Testing

@testable import HouseholdAgent
@testable import HouseholdSimulation

/// The word of a device that two profiles are one. Where the joined one has a file, that device's player decides.
@Suite struct JoinedWordTests {
    private let path = "/saves/player.json"
    private let rules: [(String, MergeRule)] = [("/coins", MergeRule(.counter)), ("/themes", MergeRule(.union))]

    /// Three devices of one household. The laptop has a profile of its own; the deck and the desktop share another.
    private struct Three {
        let home: Home
        let laptop, deck, desktop: SimulatedDevice
        let first, second: ProfileID

        /// A fourth device turns bad, and says to the laptop that one profile was joined into another.
        func lie(_ words: [(gone: ProfileID, kept: ProfileID)]) throws {
            let bad = try home.device("bad")
            try home.pair(laptop, bad)
            home.household.run(milliseconds: 5_000)
            home.household.kill(bad)
            home.household.run(milliseconds: 60_000)
            let liar = Liar(of: bad, to: laptop, now: home.household.moment(on: laptop))
            for (number, word) in words.enumerated() {
                let replica = liar.replica(in: word.gone, slot: number)
                var vector = try #require(laptop.machine?.engine.profiles[word.gone]).state.vector
                let note = AtomContent.register(
                    .live(WallTime(milliseconds: 1 << 41)), .string(JSONString(word.kept.description)))
                let atom = Atom(note, Dot(replica: replica, sequence: 1))
                vector.advance(replica, to: .init(sequence: 1, history: 1))
                liar.claim(word.gone, [KeyedAtom(AtomKey(.joined, .latest), atom)], upTo: vector)
            }
            #expect(!liar.isClosed)
            // What the laptop said to the others meanwhile went to the liar alone.
            home.household.kill(laptop)
            try home.household.start(laptop)
            home.household.run(milliseconds: 20_000)
            for word in words {
                #expect(deck.machine?.engine.profiles[word.gone]?.state.joinedInto == word.kept)
            }
        }
    }

    private func save(_ coins: Int, _ theme: String) -> String { #"{"coins":\#(coins),"themes":["\#(theme)"]}"# }

    private func three(seed: UInt64) throws -> Three {
        let home = Home(seed: seed)
        let devices = try ["laptop", "deck", "desktop"].map { try home.device($0) }
        let (laptop, deck, desktop) = (devices[0], devices[1], devices[2])
        try home.add(path, save(100, "day"), rules: home.rules(rules), on: laptop)
        try home.add(path, save(70, "night"), rules: home.rules(rules), on: deck)
        let ids = [laptop, deck].compactMap { $0.machine?.engine.profile(at: path) }
        try home.pair(deck, desktop)
        try home.restore(path, on: desktop)
        home.household.run(milliseconds: 5_000)
        try home.pair(laptop, deck)
        home.household.run(milliseconds: 20_000)
        home.expect(save(70, "night"), at: path, on: [deck, desktop])
        try #require(ids.count == 2)
        return Three(home: home, laptop: laptop, deck: deck, desktop: desktop, first: ids[0], second: ids[1])
    }

    private func report(
        _ id: ProfileID, _ three: Three, _ device: SimulatedDevice
    ) throws -> ProfileReport? {
        let reply = try three.home.reply(to: StatusRequest(), on: device)
        let status = try #require(reply.message(StatusReport.self))
        return status.profiles.first { $0.id == id.description }
    }

    private func coins(_ three: Three, _ device: SimulatedDevice) -> String? {
        three.home.household.text(of: path, on: device)
    }

    private func join(_ three: Three, _ device: SimulatedDevice, apart: Bool = false) throws {
        let request = RestoreRequest(profile: three.first.description, path: path, apart: apart)
        let reply = try three.home.reply(to: request, on: device)
        guard case .response = reply else { throw Home.Failure("not joined: \(reply)") }
        three.home.household.run(milliseconds: 20_000)
    }

    /// The household's profile stays what it is; the file of a third device waits for its player, and plays on.
    @Test(arguments: 60...65 as ClosedRange<UInt64>) func theFileOfAnotherDeviceIsAskedAbout(seed: UInt64) throws {
        let three = try three(seed: seed)
        try join(three, three.deck)
        let both = #"{"coins":100,"themes":["day","night"]}"#
        three.home.expect(both, at: path, on: [three.laptop, three.deck])
        three.home.expect(save(70, "night"), at: path, on: [three.desktop])
        for device in [three.laptop, three.deck] {
            #expect(try report(three.second, three, device) == nil)
            #expect(try report(three.first, three, device)?.decisions == nil)
            #expect(try report(three.first, three, device)?.behind == ["desktop"])
        }
        let question = try #require(try report(three.second, three, three.desktop)?.decisions?.first)
        #expect(
            question.hasPrefix("deck says that this save and game (\(three.first)) are one;")
                && question.contains("hearth restore \(three.first) --to \(path);")
                && question.hasSuffix("hearth keep \(three.second)"), "\(question)")
        // What is played meanwhile is in both profiles: the deck, whose player joined them, passes it on.
        three.home.household.save(#"{"coins":75,"themes":["night","dusk"]}"#, to: path, on: three.desktop)
        three.home.household.run(milliseconds: 20_000)
        #expect(coins(three, three.laptop)?.contains("dusk") == true)
        three.home.household.kill(three.desktop)
        try three.home.household.start(three.desktop)
        three.home.household.run(milliseconds: 20_000)
        #expect(try report(three.second, three, three.desktop)?.decisions?.count == 1)
        try join(three, three.desktop)
        #expect(try report(three.first, three, three.desktop)?.decisions == nil)
        let texts = [three.laptop, three.deck, three.desktop].map { coins(three, $0) }
        #expect(Set(texts).count == 1 && texts[0]?.contains("dusk") == true, "\(texts)")
        let more = try #require(texts[0]).replacing(/"coins":[0-9]+/, with: #""coins":500"#)
        three.home.household.save(more, to: path, on: three.laptop)
        three.home.household.run(milliseconds: 20_000)
        three.home.expect(more, at: path, on: [three.laptop, three.deck, three.desktop])
        for device in [three.laptop, three.deck, three.desktop] {
            #expect(try report(three.first, three, device)?.behind == nil)
        }
    }

    /// Where another device has joined the two saves as played independently, the sum is there already: the third device is
    /// shown that one, and gets it.
    @Test(arguments: [false, true]) func theSumShownToAThirdDeviceComes(apart: Bool) throws {
        let three = try three(seed: 86)
        try join(three, three.deck, apart: true)
        let request = RestoreRequest(profile: three.first.description, path: path, apart: apart)
        let shown = try three.home.reply(to: PreviewRequest(request), on: three.desktop).message(PreviewReport.self)
        #expect(try #require(shown).sums?.isEmpty ?? true, "\(String(describing: shown?.sums))")
        try join(three, three.desktop, apart: apart)
        let both = #"{"coins":170,"themes":["day","night"]}"#
        three.home.expect(both, at: path, on: [three.laptop, three.deck, three.desktop])
    }

    /// Two players, apart, each take the other machine's save for their own: both have said that the two are one, so nobody is
    /// asked, and both files come to the same.
    @Test(arguments: 90...97 as ClosedRange<UInt64>) func joinsBothWaysAreOneSave(seed: UInt64) throws {
        let home = Home(seed: seed)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.add(path, save(500, "day"), rules: home.rules(rules), on: a)
        try home.add(path, save(800, "night"), rules: home.rules(rules), on: b)
        let ids = [a, b].compactMap { $0.machine?.engine.profile(at: path) }
        try home.pair(a, b)
        home.household.run(milliseconds: 20_000)
        home.household.part(a, b)
        home.household.run(milliseconds: 1_000)
        for (device, other) in [(a, ids[1]), (b, ids[0])] {
            let reply = try home.reply(to: RestoreRequest(profile: other.description, path: path), on: device)
            guard case .response = reply else { throw Home.Failure("not joined: \(reply)") }
        }
        home.household.run(milliseconds: 5_000)
        home.household.part(a, b, false)
        home.household.run(milliseconds: 60_000)
        let both = #"{"coins":800,"themes":["day","night"]}"#
        let texts = [a, b].map { home.household.text(of: path, on: $0) }
        #expect(Set(texts).count == 1 && texts[0]?.contains(#""coins":800"#) == true, "\(texts), not \(both)")
        for device in [a, b] {
            let status = try #require(try home.reply(to: StatusRequest(), on: device).message(StatusReport.self))
            #expect(status.profiles.count == 1 && status.profiles[0].decisions == nil, "\(status.profiles)")
        }
        let more = try #require(texts[0]).replacing(#""coins":800"#, with: #""coins":833"#)
        home.household.save(more, to: path, on: b)
        home.household.run(milliseconds: 20_000)
        home.expect(more, at: path, on: [a, b])
    }

    /// The player says no: the profile stands for itself again, everywhere, and what it held stays as it was.
    @Test(arguments: 66...69 as ClosedRange<UInt64>) func aProfileCanStayApart(seed: UInt64) throws {
        let three = try three(seed: seed)
        try join(three, three.deck)
        let preview = PreviewRequest(KeepRequest(profile: three.second.description))
        let shown = try three.home.reply(to: preview, on: three.desktop).message(PreviewReport.self)
        #expect(shown?.keeps?.staysApart == true && shown?.keeps?.question == nil && shown?.changes == [])
        guard
            case .response = try three.home.reply(to: KeepRequest(profile: three.second.description), on: three.desktop)
        else {
            throw Home.Failure("not kept")
        }
        three.home.household.run(milliseconds: 20_000)
        #expect(try report(three.second, three, three.desktop)?.decisions == nil)
        #expect(try report(three.second, three, three.laptop) != nil)
        #expect(try report(three.first, three, three.laptop)?.behind == nil)
        three.home.household.save(save(500, "night"), to: path, on: three.desktop)
        three.home.household.save(#"{"coins":120,"themes":["day","night"]}"#, to: path, on: three.laptop)
        three.home.household.run(milliseconds: 20_000)
        three.home.expect(#"{"coins":120,"themes":["day","night"]}"#, at: path, on: [three.laptop, three.deck])
        three.home.expect(save(500, "night"), at: path, on: [three.desktop])
        guard
            case .failure = try three.home.reply(to: KeepRequest(profile: three.second.description), on: three.desktop)
        else {
            throw Home.Failure("kept twice")
        }
    }

    /// Words of a ring hide no profile: the smallest id stands for itself, and so does each that has a file here.
    @Test(arguments: 70...73 as ClosedRange<UInt64>) func aRingHidesNoSave(seed: UInt64) throws {
        let three = try three(seed: seed)
        let (small, large) = (min(three.first, three.second), max(three.first, three.second))
        try three.lie([(small, large), (large, small)])
        three.home.expect(save(100, "day"), at: path, on: [three.laptop])
        three.home.expect(save(70, "night"), at: path, on: [three.deck, three.desktop])
        for device in [three.laptop, three.deck, three.desktop] {
            #expect(try report(small, three, device) != nil)
            let own = try #require(device.machine?.engine.profile(at: path))
            #expect(try report(own, three, device)?.file == path)
        }
    }

    /// Two saves were joined, and then a bad member joins the one that stayed into the one that went: no file moves, and
    /// the devices stay in step.
    @Test(arguments: 80...83 as ClosedRange<UInt64>) func aWordTheOtherWayMovesNoFile(seed: UInt64) throws {
        let three = try three(seed: seed)
        try join(three, three.deck)
        try three.lie([(three.first, three.second)])
        let files = [three.laptop, three.deck].map { $0.machine?.engine.profile(at: path) }
        #expect(files == [three.first, three.first])
        let next = #"{"coins":130,"themes":["day","night"]}"#
        three.home.household.save(next, to: path, on: three.laptop)
        three.home.expect(next, at: path, on: [three.laptop, three.deck])
    }

    /// What the player of this device joined was taken back elsewhere. Then his word is over, and the same word of
    /// another device carries nothing over.
    @Test func aWordThatWasTakenBackIsOver() throws {
        let three = try three(seed: 84)
        try join(three, three.deck)
        guard
            case .response = try three.home.reply(to: KeepRequest(profile: three.second.description), on: three.desktop)
        else {
            throw Home.Failure("not kept")
        }
        three.home.household.run(milliseconds: 20_000)
        try three.lie([(three.second, three.first)])
        three.home.household.save(save(500, "night"), to: path, on: three.desktop)
        three.home.household.run(milliseconds: 60_000)
        three.home.expect(#"{"coins":100,"themes":["day","night"]}"#, at: path, on: [three.laptop, three.deck])
        three.home.expect(save(500, "night"), at: path, on: [three.desktop])
    }

    /// The save at the path is asked about: it is answered first, and nothing of it gets lost in a join.
    @Test func aSaveThatIsAskedAboutIsAnsweredFirst() throws {
        let three = try three(seed: 85)
        three.home.household.save(#"{"coins":70}"#, to: path, on: three.deck)
        three.home.household.run(milliseconds: 5_000)
        three.home.household.save(#"{"coins":3,"themes":[]}"#, to: path, on: three.deck)
        three.home.household.run(milliseconds: 5_000)
        let isAsked = try report(three.second, three, three.deck)?.decisions != nil
        let reply = try three.home.reply(
            to: RestoreRequest(profile: three.first.description, path: path), on: three.deck)
        guard case .failure(_, let why) = reply else { throw Home.Failure("joined, though asked: \(isAsked)") }
        #expect(why.contains("is asked about; answer that first, with hearth accept"), "\(why)")
    }

    /// A profile is hidden by no word about one that nobody knows, nor by one about itself.
    @Test(arguments: [false, true]) func aWordAboutAnUnknownProfileHidesNothing(isItself: Bool) throws {
        let three = try three(seed: 74)
        try three.lie([(three.first, isItself ? three.first : ProfileID(random: 7, 7))])
        for device in [three.laptop, three.deck, three.desktop] {
            let report = try #require(try report(three.first, three, device))
            #expect(report.decisions == nil)
        }
        three.home.expect(save(100, "day"), at: path, on: [three.laptop])
    }

    /// A bad member joins the laptop's save into the other one: no file changes, and the laptop's player is asked.
    @Test(arguments: 75...78 as ClosedRange<UInt64>) func aBadMemberFusesNothing(seed: UInt64) throws {
        let three = try three(seed: seed)
        try three.lie([(three.first, three.second)])
        three.home.expect(save(100, "day"), at: path, on: [three.laptop])
        three.home.expect(save(70, "night"), at: path, on: [three.deck, three.desktop])
        let report = try #require(try report(three.first, three, three.laptop))
        #expect(
            report.decisions?.first?.hasPrefix("bad says that this save and game (\(three.second)) are one;") == true)
        three.home.household.save(save(120, "day"), to: path, on: three.laptop)
        three.home.household.run(milliseconds: 20_000)
        three.home.expect(save(120, "day"), at: path, on: [three.laptop])
        three.home.expect(save(70, "night"), at: path, on: [three.deck, three.desktop])
    }
}
