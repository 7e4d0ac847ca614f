import MergeCore
import Testing

@testable import HearthCLI
@testable import HouseholdAgent

/// The lines of `hearth log`.
@Suite struct LogTextTests {
    private func entry(
        _ minute: Int64, _ profile: String = "RPG", _ origin: String = "save", by device: String = "laptop",
        changing changes: [ChangeReport] = []
    ) -> LogReport.Entry {
        LogReport.Entry(
            profile: profile, id: profile,
            step: HistoryReport(
                number: Int(minute), time: minute * 60_000, origin: origin, devices: [device], changes: changes, more: 0
            ))
    }

    private func change(_ place: String, _ old: String?, _ new: String?) -> ChangeReport {
        ChangeReport(place: place, old: old, new: new)
    }

    private func text(_ entries: [LogReport.Entry], leftOut: Bool = false) -> String {
        // Entries come newest first.
        LogText.text(LogReport(entries: entries.reversed(), leftOut: leftOut)) { time in
            let minutes = time.milliseconds / 60_000
            let (day, hour, minute) = (1 + minutes / 1_440, minutes / 60 % 24, minutes % 60)
            return "2026-11-0\(day) \(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
        }
    }

    @Test func playInARowIsOneEntry_withWhatItChangedTogether() {
        let entries = [
            entry(1_380, changing: [change("/coins", "300", "320")]),
            entry(1_410, changing: [change("/coins", "320", "480"), change("/level", "4", "5")]),
            entry(1_530, changing: [change("/hat", "1", "2")]), entry(1_531, changing: [change("/hat", "2", "1")]),
        ]
        #expect(
            text(entries) == """
                2026-11-01 23:00  RPG  laptop  played, 4 times until 2026-11-02 01:31
                    /coins 300 → 480, /level 4 → 5

                """)
    }

    @Test func anotherSaveDeviceOrActIsAnEntryOfItsOwn() {
        let entries = [
            entry(0), entry(1, "Chess"), entry(2), entry(3, "RPG", "merge", by: "deck"),
            entry(4, "RPG", "undo"), entry(5, "RPG", "undo"),
        ]
        #expect(
            text(entries) == """
                2026-11-01 00:00  RPG  laptop  played
                2026-11-01 00:01  Chess  laptop  played
                2026-11-01 00:02  RPG  laptop  played
                2026-11-01 00:03  RPG  deck  came in
                2026-11-01 00:04  RPG  laptop  step taken back
                2026-11-01 00:05  RPG  laptop  step taken back

                """)
    }

    @Test func theDayIsSaidOnce() {
        #expect(text([entry(60), entry(61)]) == "2026-11-01 01:00  RPG  laptop  played, 2 times until 01:01\n")
    }

    @Test func nothing_andTooMuch() {
        #expect(text([]) == "Nothing has happened in that time.\n")
        #expect(text([entry(0)], leftOut: true).hasPrefix("There was more before; "))
    }

    /// What other devices wrote cannot move the cursor.
    @Test func namesAreMadeSafe() {
        #expect(!text([entry(0, "R\u{1B}[2JPG\n", by: "deck\u{202E}")]).contains("\u{1B}"))
    }
}
