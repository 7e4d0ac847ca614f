import Libc
import LosslessJSON
import TestSupport
import Testing

/// Shift Shift: one profile under an id that is made once, the further progress wins, a reset, a new device, returning
/// to the foreground.
@Suite struct ShiftShiftTests {
    private func shift(_ device: Device, _ words: String...) async throws -> [String] {
        let outcome = try await device.start("ShiftShift", words).outcome()
        guard outcome.code == 0 else { throw Failure("ShiftShift \(words): \(outcome)") }
        return outcome.lines
    }

    /// The progress that a device shows last.
    private func progress(_ device: Device) async throws -> String {
        let line = try await shift(device).last ?? ""
        return line.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? ""
    }

    /// Waits until a device shows a progress that starts with this text.
    private func comes(_ start: String, to device: Device) async throws -> Bool {
        try await eventually { try await progress(device).hasPrefix(start) }
    }

    private static let start = "level 1, 0 m, speed 10, grip 10, runs meadow, 0 shifts, longest 0 m, no achievements"

    @Test func promise3_theFileIsNamedByAnIdThatIsMintedOnce() async throws {
        let device = try Device()
        _ = try await shift(device, "play", "120")
        let file = try device.save()
        let name = try #require(file.split(separator: "/").last?.dropLast(".json".count))
        let parts = name.split(separator: "-").map(\.count)
        #expect(parts == [8, 4, 4, 4, 12])
        let book = try JSONValue(parsing: Array(Disk.text(device.saves + "/profiles.json").utf8))
        #expect(book["shift-shift/player"]?["id"] == .string(JSONString(String(name))))
        _ = try await shift(device, "play", "10")
        // The profile has the same id once an agent has held it. A game that ends at once may be faster than that, so
        // play again.
        func isKept() -> Bool { Disk.names(in: device.home + "/backups").contains(String(name)) }
        for _ in 0..<20 where !isKept() { _ = try await shift(device, "play", "10") }
        #expect(isKept())
        #expect(try await shift(device).first == "file: \(file)")
        #expect(try device.save() == file)
    }

    /// A process listens on the agent's socket but never answers.
    @Test func promise4_theLocalFileComesFirstAndNobodyIsWaitedFor() async throws {
        let device = try Device()
        _ = try await shift(device, "play", "250")
        let mute = try MuteAgent(home: device.home)
        defer { mute.close() }
        let game = try device.start("ShiftShift", ["play", "50"])
        #expect(await eventually { game.output.hasPrefix("50 m: level 4, 300 m") }, "\(game.output)")
        // It is in the file already, so the kill loses nothing.
        game.kill()
        let text = try device.text()
        #expect(text.contains("\"distance\": 300"))
    }

    @Test(.timeLimit(.minutes(5))) func promise5_theOneThatGotFurtherWinsWhole() async throws {
        let household = try Household()
        let (laptop, deck) = (household.laptop, household.deck)
        try await household.together(pairing: true) {
            _ = try await shift(laptop, "play", "120")
            #expect(try await comes("level 2, 120 m", to: deck))
        }
        _ = try await shift(laptop, "play", "90", "--run", "desert")
        _ = try await shift(deck, "play", "100", "100", "100")
        let (less, more) = (try await progress(laptop), try await progress(deck))
        #expect(less.hasPrefix("level 3, 210 m, speed 14, grip 14,"))
        #expect(more.hasPrefix("level 5, 420 m, speed 18, grip 14,"))
        try await household.together {
            for device in [laptop, deck] {
                let came = try await comes(more, to: device)
                #expect(came, "\(device.name)")
            }
        }
        // The conflict between local and remote progress is resolved, and saved on both devices.
        for text in [try laptop.text(), try deck.text()] {
            #expect(text.filter { $0 != " " }.contains(#""distance":420"#))
        }

        // A tie: both devices take the same one of the two.
        _ = try await shift(laptop, "play", "80")
        _ = try await shift(deck, "play", "80", "--run", "desert")
        let (here, there) = (try await progress(laptop), try await progress(deck))
        #expect(here != there)
        try await household.together {
            let isSame = try await eventually {
                let here = try await progress(laptop)
                return try await progress(deck) == here
            }
            #expect(isSame)
        }
        #expect(try await progress(laptop).hasPrefix("level 6, 500 m"))
    }

    @Test(.timeLimit(.minutes(5))) func promise6_aNewDeviceGoesOnAndOneAloneStartsFresh() async throws {
        try await withHousehold { laptop, deck in
            #expect(try await progress(laptop) == Self.start)
            _ = try await shift(laptop, "play", "250", "250")
            let far = try await progress(laptop)
            #expect(try await comes(far, to: deck))
            let text = try deck.text()
            #expect(text.filter { $0 != " " }.contains(#""distance":500"#))
            _ = try await shift(deck, "play", "100")
            #expect(try await comes("level 7, 600 m", to: laptop))
        }
    }

    @Test(.timeLimit(.minutes(5))) func promise7_aResetClearsEverythingEverywhere() async throws {
        let household = try Household()
        let (laptop, deck) = (household.laptop, household.deck)
        try await household.together(pairing: true) {
            _ = try await shift(laptop, "play", "250", "250")
            #expect(try await comes("level 6, 500 m", to: deck))
        }
        // The deck plays on without knowing that the laptop resets.
        _ = try await shift(deck, "play", "300")
        _ = try await shift(laptop, "reset")
        #expect(try await progress(laptop) == Self.start)
        try await household.together {
            #expect(try await comes(Self.start, to: deck))
            #expect(try await progress(laptop) == Self.start)
            _ = try await shift(deck, "play", "130")
            #expect(try await comes("level 2, 130 m", to: laptop))
            #expect(try await progress(deck).hasPrefix("level 2, 130 m"))
        }
    }

    @Test func promise7_whatIsPlayedAfterAResetStays() async throws {
        let device = try Device()
        _ = try await shift(device, "play", "250")
        _ = try await shift(device, "reset")
        _ = try await shift(device, "play", "130")
        #expect(try await progress(device).hasPrefix("level 2, 130 m"))
    }

    @Test(.timeLimit(.minutes(5))) func promise8_backInTheForegroundItLooksAgain() async throws {
        let household = try Household()
        let (laptop, deck) = (household.laptop, household.deck)
        try await laptop.withAgent { port in
            try await deck.withAgent(peers: [port]) { _ in
                try await laptop.pair(with: deck, port: port)
                _ = try await shift(laptop, "play", "120")
                #expect(try await comes("level 2", to: deck))
            }
        }
        // The deck is running, and the laptop is away for a while.
        let port = try FreePort.find()
        try await deck.withAgent(peers: [port]) { _ in
            let game = try deck.start("ShiftShift", ["watch"])
            #expect(await eventually { game.output.hasPrefix("here: level 2, 120 m") })
            game.signal(SIGSTOP)
            _ = try await shift(laptop, "play", "100")
            try await laptop.withAgent(port: port) { _ in
                game.signal(SIGCONT)
                #expect(await eventually { game.output.contains("in the foreground again") })
                #expect(await eventually { game.output.contains("now: level 3, 220 m") }, "\(game.output)")
            }
        }
    }
}
