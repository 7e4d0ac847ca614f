import LosslessJSON
import TestSupport
import Testing

/// Tipob: the scores of every mode, old keys, and local settings.
@Suite struct TipobTests {
    private func tipob(_ device: Device, _ words: String...) async throws -> [String] {
        let outcome = try await device.start("Tipob", words).outcome()
        guard outcome.code == 0 else { throw Failure("Tipob \(words): \(outcome)") }
        return outcome.lines
    }

    private func save(_ device: Device) throws -> JSONValue {
        try JSONValue(parsing: Array(device.text().utf8))
    }

    /// Without a network or another agent the game loads, plays, saves, shows its history and undoes.
    @Test func promise2_withoutANetworkEverythingWorks() async throws {
        let device = try Device()
        #expect(try await tipob(device)[0] == "classic: best 0, streak 0, rounds 0")
        _ = try await tipob(device, "play", "classic", "12")
        _ = try await tipob(device, "play", "classic", "15")
        let status = try await tipob(device)[0]
        #expect(status.hasPrefix("classic: best 15,") && status.hasSuffix("rounds 2"), "\(status)")
        #expect(try device.text().contains("15"))
        #expect(Disk.names(in: device.home).contains("hearth.sqlite"), "an agent of its own kept the record")
    }

    /// What both devices play is on both within five seconds, completely and once.
    @Test(.timeLimit(.minutes(5))) func promise38_bothAreInStepWithinFiveSeconds() async throws {
        try await withHousehold { laptop, deck in
            _ = try await tipob(laptop, "play", "classic", "5")
            #expect(try await eventually { try await tipob(deck)[0].hasSuffix("rounds 1") })
            for round in 1...3 {
                _ = try await tipob(laptop, "play", "classic", "\(10 * round)")
                _ = try await tipob(deck, "play", "classic", "\(10 * round + 1)")
                for device in [laptop, deck] {
                    let isInStep = try await eventually(.seconds(5)) {
                        let line = try await tipob(device)[0]
                        return line.hasPrefix("classic: best \(10 * round + 1),")
                            && line.hasSuffix("rounds \(1 + 2 * round)")
                    }
                    #expect(isInStep, "round \(round)")
                }
            }
        }
    }

    @Test func promise24_scoresOfModesAreIndependent() async throws {
        let device = try Device()
        _ = try await tipob(device, "play", "classic", "12", "15", "9")
        _ = try await tipob(device, "play", "memory", "11")
        let status = try await tipob(device)
        #expect(status[0] == "classic: best 15, streak 2, rounds 3")
        #expect(status[1] == "memory: best 11, streak 1, rounds 1")
        #expect(status[2] == "frenzy: best 0, streak 0, rounds 0")
    }

    @Test func promise25_aNewRecordIsAnEvent() async throws {
        let device = try Device()
        let first = try await tipob(device, "play", "classic", "12", "9")
        #expect(first.contains("New record! /modes/classic/best: 12, before none"), "\(first)")
        #expect(first.filter { $0.hasPrefix("New record! /modes/classic/best:") }.count == 1)
        let better = try await tipob(device, "play", "classic", "20")
        #expect(better.contains("New record! /modes/classic/best: 20, before 12"), "\(better)")
        let worse = try await tipob(device, "play", "classic", "19")
        #expect(!worse.contains { $0.hasPrefix("New record!") }, "\(worse)")
    }

    @Test func promise26_legacyKeysAreRead() async throws {
        let device = try Device()
        let old = device.folder + "/old/tipob.json"
        try Disk.write(
            #"{"highScoreClassic": 31, "longestStreakClassic": 4, "totalGames": 9, "soundOn": false, "theme": "dark"}"#,
            to: old)
        let status = try await tipob(device, "status", "--save", old)
        #expect(status.contains("classic: best 31, streak 4, rounds 0"), "\(status)")
        #expect(status.contains { $0.hasPrefix("rounds: 9,") } && status.contains("sound: off, speed: 1"))
        // Unknown members stay, and the old keys are gone, so the next start reads it like any other save.
        let text = try #require(Disk.read(old).map { String(decoding: $0, as: UTF8.self) })
        #expect(text.contains(#""theme": "dark""#) && !text.contains("highScore"))
        #expect(try await tipob(device, "status", "--save", old) == Array(status.dropFirst()))
    }

    @Test func promise27_oneListOfKeysAndAResetOfAll() async throws {
        let device = try Device()
        let keys = try await Program("Tipob", ["keys"], in: device.folder).outcome().lines
        #expect(
            keys.map { $0.prefix { $0 != ":" } } == [
                "/modes/*/best", "/modes/*/bestStreak", "/modes/*/rounds", "/statistics/rounds", "/statistics/moves",
                "/lastPlayed", "/settings",
            ])
        let fresh = try await tipob(device)
        #expect(fresh.contains("last played: never") && fresh.contains("sound: on, speed: 1"))
        _ = try await tipob(device, "play", "classic", "12")
        _ = try await tipob(device, "set", "--no-sound", "--speed", "3")
        _ = try await tipob(device, "reset")
        let scores = try await tipob(device)
        #expect(scores.contains("classic: best 0, streak 0, rounds 0") && scores.contains("sound: off, speed: 3"))
        _ = try await tipob(device, "play", "memory", "12")
        _ = try await tipob(device, "reset", "--everything")
        #expect(try await tipob(device) == fresh)
    }

    @Test func promise28_whatRunsAndWhatIsComputedIsNotStored() async throws {
        let device = try Device()
        let played = try await tipob(device, "play", "classic", "12", "15")
        #expect(played.contains("classic: 2 rounds, 2 in a row now"))
        let save = try save(device)
        guard case .object(let members) = save else { throw Failure("\(save)") }
        #expect(Set(members.map(\.key.string)) == ["version", "modes", "statistics", "lastPlayed"])
        #expect(save["total"] == nil && save["streak"] == nil && save["statistics"]?["average"] == nil)
        #expect(try await tipob(device).contains("total: 15"))
        #expect(try await tipob(device, "play", "classic", "11").contains("classic: 1 rounds, 1 in a row now"))
    }

    @Test(.timeLimit(.minutes(5))) func promise29_scoresReachEveryDeviceAndSettingsDoNot() async throws {
        try await withHousehold { laptop, deck in
            _ = try await tipob(laptop, "play", "classic", "12", "15")
            _ = try await tipob(laptop, "set", "--speed", "5")
            #expect(try await eventually { try await tipob(deck)[0] == "classic: best 15, streak 2, rounds 2" })
            let watch = try deck.start("Tipob", ["watch"])
            #expect(await eventually { watch.output.contains("Watching") })
            _ = try await tipob(laptop, "play", "classic", "30")
            #expect(
                await eventually { watch.output.contains("laptop: /modes/classic/best: 15 became 30 (new record)") },
                "\(watch.output)")
            watch.kill()
            _ = try await tipob(deck, "play", "classic", "8", "8")
            #expect(try await eventually { try await tipob(laptop)[0] == "classic: best 30, streak 2, rounds 5" })
            #expect(try await eventually { try await tipob(deck)[0] == "classic: best 30, streak 2, rounds 5" })
            #expect(try await tipob(laptop).contains("sound: on, speed: 5"))
            #expect(try await tipob(deck).contains("sound: on, speed: 1"))
        }
    }
}
