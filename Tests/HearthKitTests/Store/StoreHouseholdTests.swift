import HearthKit
import Synchronization
import TestSupport
import Testing

/// Two devices, each with a store and an agent, in one process over loopback.
@Suite(.serialized) struct StoreHouseholdTests {
    func network(_ desk: Desk, _ paired: StoreOptions.PairedProfile = .automatic) -> StoreOptions {
        var options = desk.options(.embedded, network: true)
        options.pairedProfile = paired
        return options
    }

    /// Two stores of one save, which has so many coins.
    private func sharing(
        _ coins: Int, _ a: Desk, _ b: Desk
    ) async throws -> (first: ProfileStore<Hero>, second: ProfileStore<Hero>) {
        let first = try await a.open(network(a))
        try await first.update { $0.coins = coins }
        try #require(await first.subscribed(within: .seconds(60)))
        let second = try await b.open(network(b))
        try #require(await eventually { second.profile.coins == coins })
        return (first, second)
    }

    /// Two stores of one save in which the ending is open: it was chosen on each while the second was paused.
    private func decidedApart(
        _ a: Desk, _ b: Desk
    ) async throws -> (first: ProfileStore<Hero>, second: ProfileStore<Hero>) {
        let (first, second) = try await sharing(1, a, b)
        try await second.pause()
        try await first.update { $0.ending = "king" }
        try await second.update { $0.ending = "hermit" }
        try await second.resume()
        try #require(await eventually { first.profile.$ending.isOpen && second.profile.$ending.isOpen })
        return (first, second)
    }

    @Test(.timeLimit(.minutes(5))) func whatOneEarnsTheOtherSees() async throws {
        try await Household.paired { a, b in
            let (first, second) = try await sharing(100, a, b)
            let changes = second.changes
            try await first.update { $0.coins += 5 }
            // Changes that came before this one may be in the stream as well.
            for await change in changes where change.path == "/coins" && change.newText == "105" {
                #expect(change.origin == .device("laptop"))
                #expect(change.description == "/coins: 100 became 105")
                break
            }
            try await second.update { $0.coins += 20 }
            #expect(await eventually { first.profile.coins == 125 })
            #expect(try await first.sync().inStep == ["deck"])
            let last = try #require(first.lastSync)
            // `lastSync` is updated without any request.
            try await first.update { $0.coins += 1 }
            #expect(await eventually { first.lastSync.map { $0 > last } ?? false })
            try await first.close()
            try await second.close()
        }
    }

    /// However saves and merges meet, nothing counts twice and nothing is lost.
    @Test(.timeLimit(.minutes(5))) func twoHundredUpdatesOnEachAtOnce() async throws {
        try await Household.paired { a, b in
            let (first, second) = try await sharing(1_000, a, b)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for saves in [first, second] {
                    group.addTask {
                        for number in 0..<200 { try await saves.update { $0.coins += number % 3 == 0 ? -1 : 2 } }
                    }
                }
                try await group.waitForAll()
            }
            let earned = (0..<200).reduce(0) { $0 + ($1 % 3 == 0 ? -1 : 2) }
            let sum = 1_000 + 2 * earned
            _ = await eventually { first.profile.coins == sum && second.profile.coins == sum }
            #expect(first.profile.coins == sum)
            #expect(second.profile.coins == sum)
            try await first.close()
            try await second.close()
            #expect(try await a.open().profile.coins == sum)
            #expect(try await b.open().profile.coins == sum)
        }
    }

    @Test(.timeLimit(.minutes(5))) func aNewDeviceAsksFirst() async throws {
        try await Household.paired { a, b in
            let first = try await a.open(network(a))
            try await first.update { hero in
                hero.coins = 100
                hero.level = 9
            }
            try #require(await first.subscribed(within: .seconds(60)))
            let second = try await b.open(network(b, .ask))
            try #require(await eventually { second.pendingPrompt != nil })
            let prompt = try #require(second.pendingPrompt)
            #expect(!prompt.hasOwnProgress && prompt.fields["/level"] == "9")
            #expect(prompt.value(of: \.level) == 9 && prompt.value(of: \.coins) == 100)
            #expect(prompt.value(of: \.bestLap) == nil)
            #expect(second.profile == Hero())
            // The prompt shows how far the other device is now.
            try await first.update { $0.level = 12 }
            #expect(await eventually { second.pendingPrompt?.fields["/level"] == "12" })
            // What the player plays before answering stays.
            try await second.update { $0.coins += 3 }
            #expect(second.pendingPrompt != nil)
            let came = try await prompt.restore()
            #expect(Set(came.map(\.description)) == ["/coins: 3 became 103", "/level: nothing became 12"])
            #expect(came.allSatisfy { $0.origin == .restore })
            #expect(second.id == first.id && second.id == prompt.id)
            #expect(await eventually { second.profile.level == 12 && second.pendingPrompt == nil })
            #expect(await eventually { first.profile.coins == second.profile.coins })
            #expect(second.profile.coins == 103)
            try await second.close()
            try await first.close()
        }
    }
}

extension StoreHouseholdTests {
    /// Both devices have progress in the same slot.
    @Test(.timeLimit(.minutes(5)), arguments: [true, false])
    func progressOnBothIsJoinedOrLeftApart(joins: Bool) async throws {
        try await Household.paired { a, b in
            let first = try await a.open(network(a))
            try await first.update { hero in
                hero.coins = 100
                hero.themes = ["forest"]
            }
            try #require(await first.subscribed(within: .seconds(60)))
            // Play on the second device before the two meet.
            let early = try await b.open()
            try await early.update { hero in
                hero.coins = 40
                hero.level = 5
                hero.themes = ["neon"]
            }
            try await early.close()
            let second = try await b.open(network(b, .ask))
            var prompts = second.prompts.makeAsyncIterator()
            let known = second.pendingPrompt
            let prompt = if let known { known } else { try #require(await prompts.next()) }
            #expect(prompt.hasOwnProgress)
            if joins {
                try await prompt.join()
                #expect(
                    await eventually { second.profile.themes == ["forest", "neon"] && first.profile.level == 5 },
                    "\(second.profile) \(first.profile) \(second.agentTrouble ?? "") \(first.agentTrouble ?? "")")
                #expect(second.profile.coins == 140 && first.profile.coins == 140)
                try await second.update { $0.coins += 1 }
                #expect(await eventually { first.profile.coins == 141 })
            } else {
                try await prompt.startFresh()
                #expect(second.pendingPrompt == nil)
                try await second.update { $0.coins += 1 }
                _ = try await second.history()
                #expect(second.profile.coins == 41 && first.profile.coins == 100)
                try await second.close()
                let again = try await b.open(network(b, .ask))
                _ = try await again.history()
                #expect(again.pendingPrompt == nil && again.profile.coins == 41)
                try await again.close()
            }
            try await second.close()
            try await first.close()
        }
    }

    @Test(.timeLimit(.minutes(5))) func whoDecidesLaterIsAskedAgain() async throws {
        try await Household.paired { a, b in
            let first = try await a.open(network(a))
            try await first.update { $0.coins = 100 }
            try #require(await first.subscribed(within: .seconds(60)))
            let second = try await b.open(network(b, .ask))
            try #require(await eventually { second.pendingPrompt != nil })
            second.pendingPrompt?.later()
            try await second.update { $0.coins = 3 }
            try await second.recheck()
            #expect(second.pendingPrompt == nil && second.profile.coins == 3)
            try await second.close()
            let again = try await b.open(network(b, .ask))
            #expect(await eventually { again.pendingPrompt != nil })
            #expect(first.profile.coins == 100)
            try await again.close()
            try await first.close()
        }
    }

    /// Signing out stops sync, but playing goes on.
    @Test(.timeLimit(.minutes(5))) func pausedNothingGoesOutOrComesIn() async throws {
        try await Household.paired { a, b in
            let (first, second) = try await sharing(100, a, b)
            try await second.pause()
            #expect(second.isPaused)
            try await first.update { $0.coins += 10 }
            try await second.update { $0.coins += 1 }
            try await second.recheck()
            _ = try? await first.sync()
            #expect(second.profile.coins == 101 && first.profile.coins == 110)
            try await second.resume()
            #expect(await eventually { second.profile.coins == 111 && first.profile.coins == 111 })
            #expect(!second.isPaused)
            try await second.close()
            try await first.close()
        }
    }

    enum Deciding: CaseIterable { case field, conflict, thirdValue, thirdValueWhilePaused }

    /// The player decides a choice that was set apart, by the field or by the conflict.
    @Test(.timeLimit(.minutes(5)), arguments: Deciding.allCases)
    func aChoiceThatWasSetApart(by deciding: Deciding) async throws {
        try await Household.paired { a, b in
            let (first, second) = try await decidedApart(a, b)
            #expect(first.profile.ending == "king" && second.profile.ending == "hermit")
            #expect(first.profile.$ending.alternatives.map(\.value) == ["hermit"])
            #expect(first.profile.$ending.alternatives.first?.device == "deck")
            var decided = "hermit"
            switch deciding {
            case .field: try await first.update { $0.$ending.decide("hermit") }
            case .thirdValue:
                // A third value: the player chooses neither of the two.
                decided = "monk"
                try await first.update { $0.$ending.decide("monk") }
            case .thirdValueWhilePaused:
                decided = "monk"
                try await first.pause()
                try await first.update { $0.$ending.decide("monk") }
                #expect(second.profile.$ending.isOpen)
                try await first.resume()
            case .conflict:
                let conflict = try #require(try await second.conflicts().first)
                #expect(conflict.path == "/ending")
                #expect(Set(conflict.candidates.map(\.json)) == [#""king""#, #""hermit""#])
                try await conflict.choose(try #require(conflict.candidates.first { $0.json == #""hermit""# }))
            }
            #expect(await eventually { first.profile.ending == decided && second.profile.ending == decided })
            #expect(await eventually { !first.profile.$ending.isOpen && !second.profile.$ending.isOpen })
            #expect(try await first.conflicts().isEmpty)
            try await second.close()
            try await first.close()
        }
    }

    /// A decision that could not be told to an agent is told when the game starts the next time.
    @Test(.timeLimit(.minutes(5))) func aDecisionOutlivesTheGame() async throws {
        try await Household.paired { a, b in
            let (first, second) = try await decidedApart(a, b)
            try await first.pause()
            try await first.update { $0.$ending.decide("monk") }
            try await first.close()
            let again = try await a.open(network(a))
            try #require(await again.subscribed(within: .seconds(60)))
            try await again.resume()
            #expect(await eventually { second.profile.ending == "monk" && !second.profile.$ending.isOpen })
            #expect(try await again.conflicts().isEmpty)
            #expect(try !a.text(of: a.saves + "/profiles.json").contains("decided"))
            try await second.close()
            try await again.close()
        }
    }

    /// A decision holds only for the chosen value and for the alternatives that the player was shown.
    @Test(.timeLimit(.minutes(5)), arguments: [false, true])
    func aDecisionThatNoLongerHoldsDecidesNothing(isOutdatedHere: Bool) async throws {
        try await Household.paired { a, b in
            let (first, second) = try await decidedApart(a, b)
            try await first.pause()
            try await first.update { $0.$ending.decide("monk") }
            #expect(!first.profile.$ending.isOpen)
            if isOutdatedHere {
                try await first.update { $0.ending = "queen" }
            } else {
                try await second.update { $0.ending = "knight" }
            }
            try await first.resume()
            let (ours, theirs) = isOutdatedHere ? ("queen", "hermit") : ("monk", "knight")
            #expect(await eventually { second.profile.$ending.alternatives.map(\.value) == [ours] })
            #expect(await eventually { first.profile.$ending.alternatives.map(\.value) == [theirs] })
            #expect(first.profile.ending == ours && second.profile.ending == theirs)
            try await second.close()
            try await first.close()
        }
    }

    /// Setting a third value decides nothing: the other device's value stays an alternative until the player chooses.
    @Test(.timeLimit(.minutes(5))) func aThirdValueAloneDecidesNothing() async throws {
        try await Household.paired { a, b in
            let (first, second) = try await decidedApart(a, b)
            try await first.update { $0.ending = "monk" }
            #expect(await eventually { second.profile.$ending.alternatives.map(\.value) == ["monk"] })
            #expect(second.profile.ending == "hermit" && first.profile.ending == "monk")
            #expect(first.profile.$ending.alternatives.map(\.value) == ["hermit"])
            try await second.close()
            try await first.close()
        }
    }

    @Test(.timeLimit(.minutes(5))) func aResetReachesTheOther_andARecordDoes() async throws {
        try await Household.paired { a, b in
            let first = try await a.open(network(a))
            try await first.update { hero in
                hero.bestScore = 100
                hero.name = "Ada"
            }
            try #require(await first.subscribed(within: .seconds(60)))
            let second = try await b.open(network(b))
            try #require(await eventually { second.profile.bestScore == 100 })
            let records = second.newRecords
            try await first.update { $0.bestScore = 250 }
            for await record in records where record.newText == "250" {
                #expect(record.path == "/bestScore" && record.device == "laptop" && record.oldText == "100")
                break
            }
            let changes = second.changes
            try await first.reset(.scope("progress"))
            for await change in changes where change.path == "/bestScore" && change.newText != "250" {
                #expect(change.origin == .reset)
                break
            }
            #expect(await eventually { second.profile.bestScore == 0 && second.profile.name == "Ada" })
            try await second.close()
            try await first.close()
        }
    }
}

extension StoreHouseholdTests {
    /// By default an undo takes back this device's own newest step, not what came in since. Undone and restored values
    /// are no records.
    @Test(.timeLimit(.minutes(5))) func anUndoIsOfThisDevice_andNoRecord() async throws {
        try await Household.paired { a, b in
            let first = try await a.open(network(a))
            try await first.update { hero in
                hero.coins = 10
                hero.bestScore = 100
            }
            try #require(await first.subscribed(within: .seconds(60)))
            let second = try await b.open(network(b, .ask))
            let records = RecordList(second.newRecords)
            try #require(await eventually { second.pendingPrompt != nil })
            try await second.pendingPrompt?.restore()
            try #require(await eventually { second.profile.bestScore == 100 })
            try await second.update { $0.name = "Bo" }
            try await second.sync()
            try await first.update { $0.coins += 5 }
            try #require(await eventually { second.profile.coins == 15 && first.profile.name == "Bo" })
            // The deck's own newest step is the name, although coins came in later.
            let undo = try await second.previewUndo()
            #expect(undo.changes.map(\.path) == ["/name"] && second.profile.name == "Bo")
            try await second.undo(undo)
            #expect(second.profile.name == "Player" && second.profile.coins == 15)
            // A value that is reset and restored is no record; one that is played is.
            try await second.reset(.scope("progress"))
            #expect(second.profile.bestScore == 0)
            try await second.undo()
            #expect(second.profile.bestScore == 100)
            try await second.update { $0.bestScore = 120 }
            #expect(await eventually { !records.found.isEmpty })
            #expect(records.found.map(\.newText) == ["120"])
            try await second.close()
            try await first.close()
        }
    }

    /// Collects all records that a store reports.
    private final class RecordList: Sendable {
        private let list = Mutex<[NewRecord]>([])

        init(_ records: AsyncStream<NewRecord>) {
            Task { for await record in records { list.withLock { $0.append(record) } } }
        }

        var found: [NewRecord] { list.withLock { $0 } }
    }

    /// Pairing from within a game, without the command.
    @Test(.timeLimit(.minutes(5))) func gamesPairDevicesThemselves() async throws {
        let (a, b) = (Desk("laptop"), Desk("deck"))
        let first = try await a.open(network(a))
        let second = try await b.open(network(b))
        try await first.update { $0.coins = 12 }
        // Its agent is ready and keeps running.
        try #require(await first.subscribed(within: .seconds(60)))
        let port = try await a.withAgent { try await Household.port(of: $0) }
        let (codes, code) = AsyncStream.makeStream(of: String.self)
        async let shown = first.pair { code.yield($0) }
        for await text in codes {
            do {
                _ = try await second.pair(with: text, address: "nonsense")
                Issue.record("that is no address")
            } catch let error as StoreError {
                #expect(error.code == .value)
            }
            #expect(try await second.pair(with: text, address: "127.0.0.1:\(port)").device.name == "laptop")
            break
        }
        #expect(try await shown.device.name == "deck")
        #expect(await eventually { second.profile.coins == 12 })
        #expect(try await second.devices().map(\.name) == ["deck", "laptop"])
        #expect(try await eventually { try await second.devices().last?.isConnected ?? false })
        let laptop = try #require(try await second.devices().last)
        #expect(!laptop.isThisDevice)
        try await second.unpair(laptop)
        #expect(try await second.devices().map(\.name) == ["deck"])
        try await second.update { $0.coins += 1 }
        #expect(second.profile.coins == 13)
        try await second.close()
        try await first.close()
    }
}
