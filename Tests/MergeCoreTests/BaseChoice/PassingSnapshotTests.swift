import LosslessJSON
import MergeCore
import Testing

/// Snapshots that were in the file for less than a second, as when a device wakes and several others send what they have.
@Suite struct PassingSnapshotTests {
    private let rules = MergeCoreTests.rules([
        "/coins": .init(.counter), "/friends": .init(.set), "/level": .init(.max),
    ])

    private func choice(
        _ save: String, after snapshots: [String], passing: Set<Int>, opened: Set<Int> = []
    ) -> BaseChoice {
        BaseChoice(
            among: snapshots.map { document($0) }, for: document(save), rules: rules,
            sightings: .init(openedAfterSwap: opened, passing: passing))
    }

    private let snapshots = [
        #"{"coins":100,"level":3,"friends":["Bo","Cy"]}"#, #"{"coins":100,"level":8,"friends":["Cy"]}"#,
        #"{"coins":101,"level":8,"friends":["Bo","Cy"]}"#,
    ]

    /// The save lacks a friend, as the snapshot that passed does, and has the coins of the newest one. Measured against the
    /// first of them, a coin that another device earned would count twice.
    @Test func aGuessIsNotMadeForWhatPassed() {
        let save = #"{"coins":101,"level":8,"friends":["Cy"]}"#
        #expect(choice(save, after: snapshots, passing: []).base == 1)
        let chosen = choice(save, after: snapshots, passing: [1])
        #expect(chosen.base == 2 && chosen.evidence.certainty == .guess, "\(chosen.evidence)")
        #expect(choice(save, after: snapshots, passing: [0, 1]).base == 2)
        // Whatever opened it may have been the game.
        #expect(choice(save, after: snapshots, passing: [1], opened: [1]).base == 1)
    }

    /// Or where one place that the save has lower is all that rules out what came in the next moment. Measured against what
    /// passed, the coin that another device spent would be taken off twice.
    @Test func whatPassedIsNotChosenForOneLowerPlace() {
        let lasting = [
            #"{"coins":99,"level":14,"friends":["Cy"]}"#, #"{"coins":99,"level":14,"friends":["Bo","Cy"]}"#,
            #"{"coins":98,"level":20,"friends":["Bo","Cy"]}"#,
        ]
        let save = #"{"coins":186,"level":16,"friends":["Bo","Cy"]}"#
        #expect(choice(save, after: lasting, passing: []).base == 1)
        let chosen = choice(save, after: lasting, passing: [1])
        #expect(chosen.base == 2 && chosen.evidence.certainty == .guess, "\(chosen.evidence)")
        // The very amount of what passed says more.
        #expect(choice(save.replacing("186", with: "99"), after: lasting, passing: [1]).base == 1)
    }

    /// A game did start in that moment: it never lowers the record to the very number of what passed.
    @Test func theVeryRecordOfWhatPassedWasRead() {
        let lasting = [
            #"{"coins":4,"level":9}"#, #"{"coins":16421,"level":2096}"#, #"{"coins":16424,"level":2097}"#,
        ]
        let chosen = choice(#"{"coins":16429,"level":2096}"#, after: lasting, passing: [1])
        #expect(chosen.base == 1, "\(chosen.evidence)")
    }

    /// Where the content says more than a guess does, it counts.
    @Test func whatIsClearStays() {
        let passed = #"{"coins":100,"level":8,"friends":["Cy","Eve","Max"]}"#
        let chosen = choice(passed, after: [snapshots[1], passed, snapshots[1]], passing: [1])
        #expect(chosen.base == 1 && chosen.evidence.certainty > .guess, "\(chosen.evidence)")
    }

    /// So does a purse that is near: the game on another device had started just then, and runs since.
    @Test func aNearPurseStays() {
        let amounts = [1_000, 100, 500].map { "{\"coins\":\($0)}" }
        #expect(choice(#"{"coins":110}"#, after: amounts, passing: [1]).base == 1)
        // Or what came in between would count twice.
        let others = [
            #"{"coins":100,"friends":[]}"#, #"{"coins":500,"friends":[]}"#, #"{"coins":100,"friends":["Bo"]}"#,
        ]
        #expect(choice(#"{"coins":510,"friends":[]}"#, after: others, passing: [1]).base == 1)
    }

    /// Of equal contents one that stayed is enough.
    @Test func whatCameBackDidNotPass() {
        let (first, passed) = (snapshots[0], snapshots[1])
        let save = #"{"coins":101,"level":8,"friends":["Cy"]}"#
        #expect(choice(save, after: [first, passed, snapshots[2], passed, snapshots[2]], passing: [1]).base == 3)
        #expect(choice(save, after: [first, passed, snapshots[2], passed, snapshots[2]], passing: [1, 3]).base == 4)
    }
}
