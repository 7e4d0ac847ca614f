import HearthTesting
import Testing

/// Games that save in the middle of what Hearth writes.
@Suite struct AmidTests {
    /// What is set aside of a save that lands while another one is taken up stays out of every file, and the version in.
    @Test func aSetAsideSaveLeavesAllFilesTheSame() {
        let home = Household<Hero>(["laptop", "deck"], seed: 10)
        home.laptop.overwritesFromMemory(.set("/medals/streak", "13"), beforeDiskStep: 1)
        home.laptop.plays(.set("/tutorialDone", "true"))
        home.settle()
        #expect(home.findings.isEmpty, "\(home)")
    }

    /// A game saves before each of the disk steps of writing what another device earned into its file. Once that stands in
    /// the file nobody knows whether the game has read it; where that is guessed it is said.
    @Test(arguments: 1...17) func savesAmidTheStepsOfAWrite(step: Int) {
        let home = play(step)
        let isSaid = home.timeline.description.contains("was guessed from the content")
        #expect(home.devices.map(\.profile.coins) == [112, 112] || isSaid && step >= Self.swap, "\(home)")
        #expect(home.findings.isEmpty, "\(home)")
    }

    /// The first disk step before which the new content stands in the file.
    private static let swap = 5

    /// The deck earns 5 before a disk step of its own, and the laptop 7.
    private func play(_ step: Int) -> Household<Hero> {
        let home = Household<Hero>(["laptop", "deck"], seed: 3, beginning: StoryTests.rich)
        home.deck.overwritesFromMemory(.add("/coins", 5), beforeDiskStep: step)
        home.laptop.plays { $0.coins += 7 }
        home.wait(.seconds(20))
        home.settle()
        return home
    }
}
