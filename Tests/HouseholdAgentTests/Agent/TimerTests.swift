import MergeCore
import ProfileKeeping
import Testing

@testable import HouseholdAgent
@testable import HouseholdSimulation

/// A timer leads to something when it comes: an agent whose deadline stayed where it was would be woken again after a
/// second only, and whatever is due meanwhile would wait as well.
@Suite struct TimerTests {
    private func saves(_ number: Int) -> String { "/saves/\(number).json" }

    /// Games that save several times a second in three saves, on two devices, so that backups, files that settle and
    /// what arrives are due together.
    @Test func noDeadlineStaysAfterItsTimer() throws {
        let (home, a, b) = try Home.sharing(#"{"coins":0}"#, at: saves(0), rules: [], seed: 7)
        for number in 1...2 { try home.add(saves(number), #"{"coins":0}"#, name: "game \(number)", on: a) }
        home.household.run(milliseconds: 10_000)
        let before = home.household.timersThatStayedDue
        for round in 1...90 {
            for number in 0...2 where number == 0 || round % (number + 1) == 0 {
                let device = number == 0 && round % 4 == 0 ? b : a
                home.household.save(#"{"coins":\#(round)}"#, to: saves(number), on: device)
            }
            home.household.run(milliseconds: 20 + Int64(round * 37 % 330))
        }
        home.household.run(milliseconds: 30_000)
        #expect(home.household.timersThatStayedDue == before)
        home.expect(#"{"coins":90}"#, at: saves(0), on: [a, b])
        // Nothing waits any more, and the backups were made.
        let ids = try #require(a.machine?.engine.ids.map { $0 })
        for id in ids {
            let next = a.machine?.engine.backupDeadline(id)
            let backups = try a.machine?.engine.backups(id)
            #expect(next == nil && backups?.isEmpty == false)
        }
    }
}
