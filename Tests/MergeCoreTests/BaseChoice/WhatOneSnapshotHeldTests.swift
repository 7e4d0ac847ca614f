import LosslessJSON
import MergeCore
import Testing

/// What only one snapshot held, and the save holds as well, tells that its game had read that one, though a number or a
/// lowered place speaks for another.
@Suite struct WhatOneSnapshotHeldTests {
    private static let rules = MergeCoreTests.rules([
        "/coins": .init(.counter), "/level": .init(.max), "/themes": .init(.union), "/friends": .init(.set),
    ])

    private func choice(_ save: String, _ snapshots: String...) -> BaseChoice {
        BaseChoice(among: snapshots.map { document($0) }, for: document(save), rules: Self.rules)
    }

    // MARK: A place that the game lowered

    private static let own = #"{"coins":100,"level":3,"themes":["dark"]}"#
    private static let came = #"{"coins":101,"level":6,"themes":["dark","blue"]}"#

    /// The game lowers its level and spends: whoever spends is nearer to the smaller of two amounts, by the one coin
    /// that came in. The theme that only the newest snapshot held tells more than that coin. Measured against the older
    /// one, the coin would be there once more.
    @Test func anAmountThatIsHardlyNearerDoesNotSpeakAgainstAnElement() {
        let between = #"{"coins":101,"level":6,"themes":["dark"]}"#
        for save in [
            #"{"coins":44,"level":4,"themes":["dark","blue"]}"#,
            #"{"coins":44,"level":4,"themes":["dark","blue","red"]}"#,
        ] {
            for choice in [choice(save, Self.own, Self.came), choice(save, Self.own, between, Self.came)] {
                #expect(choice.diff.changes.contains { $0.change == .value(old: 101, new: 44) }, "\(save)")
                #expect(choice.evidence.certainty == .guess, "a game may add the same theme by itself")
            }
        }
    }

    /// An amount that is eight times nearer to the older snapshot is no chance: the game came by the theme itself.
    @Test func anAmountThatIsClearlyNearerSpeaksAgainstAnElement() {
        let save = #"{"coins":104,"level":4,"themes":["dark","blue"]}"#
        #expect(choice(save, Self.own, #"{"coins":130,"level":6,"themes":["dark","blue"]}"#).base == 1)
        #expect(choice(save, Self.own, #"{"coins":140,"level":6,"themes":["dark","blue"]}"#).base == 0)
    }

    /// An amount alone, without the theme, does not make the newest one likely.
    @Test func withoutTheElementTheLoweredPlaceRulesTheNewestOut() {
        let choice = choice(#"{"coins":44,"level":4,"themes":["dark"]}"#, Self.own, Self.came)
        #expect(choice.base == 0)
    }

    // MARK: An element that was put back

    private let friends = #"{"coins":100,"friends":["Bo","Cy"],"mood":"calm"}"#
    private let fewer = #"{"coins":100,"friends":["Cy"],"mood":"calm"}"#

    /// Another machine took a friend out, and the game, which had read that, adds it again at the end. Which one was read
    /// is told by the order; what the game played beside that is the same play by both.
    @Test func anElementIsAddedAgainBesideOtherPlay() {
        let choice = choice(#"{"coins":101,"friends":["Cy","Bo"],"mood":"wild"}"#, friends, fewer)
        #expect(choice.base == 1 && choice.evidence == .order, "\(choice.evidence)")
        #expect(choice.diff.changes.count == 3)
    }

    /// The same where something else came in before the removal, so that a third snapshot lies between: what the two later
    /// ones both hold says nothing between these.
    @Test func anElementIsAddedAgainThoughMoreHadComeInBefore() {
        let more = friends.replacing("100", with: "160")
        let choice = choice(
            #"{"coins":160,"friends":["Cy","Bo"],"mood":"calm"}"#, friends, more, fewer.replacing("100", with: "160"))
        #expect(choice.base == 2 && choice.evidence == .order, "\(choice.evidence)")
        #expect(choice.diff.changes.count == 1)
    }

    /// Not where more came in than was taken out: by the newest, the game would have taken coins that it never saw.
    @Test func whatCameInBesideTheRemovalIsNotTakenAway() {
        let more = fewer.replacing("100", with: "160")
        let choice = choice(#"{"coins":101,"friends":["Cy","Bo"],"mood":"wild"}"#, friends, more)
        #expect(choice.base == 0, "\(choice.evidence)")
    }

    /// Nor where the element stands as it stood: its game may never have seen the removal.
    @Test func anElementAtItsFormerPlaceWasNotAddedAgain() {
        let choice = choice(#"{"coins":101,"friends":["Bo","Cy"],"mood":"wild"}"#, friends, fewer)
        #expect(choice.base == 0 && choice.evidence == .setBack, "\(choice.evidence)")
    }
}
