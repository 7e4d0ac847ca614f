import HearthKit
import Synchronization
import TestSupport
import Testing

/// Progress on both devices, and what a device that joins takes over.
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
