extension BaseChoice {
    /// The evidence for a base: why it was chosen.
    public enum Evidence: Hashable, Sendable {
        /// There was one snapshot only.
        case onlySnapshot
        /// The writing process started when this snapshot was in the file already, and no later one is possible.
        case processStart
        /// No program has opened any of the other snapshots that the game may have read.
        case unread
        /// Every other snapshot holds more of a leaf that only grows than the save does.
        case othersRuledOut
        /// As ``othersRuledOut``, but more places speak for one of the snapshots that were ruled out.
        case contested
        /// Like ``othersRuledOut``, but weak: one place alone rules out a later snapshot, and only a near number
        /// supports this one. The game may have read the later snapshot and lowered that place.
        case onePlaceLowered
        /// Two places or more speak for this snapshot and hardly any for another, though no program here has opened it.
        case unopened
        /// The program that wrote runs since before a later snapshot and has not opened it, so it cannot have had that from
        /// this file. But two places or more of the save speak for that snapshot and hardly any for another: the game came
        /// by the same things by itself, or its program fetched another machine's save in another way.
        case heldByUnread
        /// The snapshots that the game may have read differ in nothing that the rules look at.
        case snapshotsAgree
        /// The places in which the snapshots differ speak for this one, by so many votes against so many for the next.
        case nearer(votes: Int, against: Int)
        /// The save lacks what other snapshots hold, as this snapshot does, and hardly anything else speaks for it. A
        /// game that had read another snapshot may have removed what is lacking.
        case lacking
        /// One or two values, or one element, are in the save as in this snapshot, which is not the newest. A game that
        /// had read a later snapshot may have set them back.
        case setBack
        /// The save has its arrays in the order of the newest snapshot and not of the earlier one for which most speaks.
        /// Hardly anything speaks for that one against the newest, and the save only adds to what the newest holds
        /// otherwise, so the newest was taken. A game that had read the earlier one could have the same order by chance.
        case order
        /// This snapshot's votes all come from numbers that another snapshot lacks. None is clearly nearer to this
        /// snapshot's number than to zero. So a game that had read the other snapshot may have started these numbers
        /// over.
        case begunAnew
        /// The snapshots differ only in what the save removed, so the oldest was taken. A game that had read a later
        /// one may have removed that.
        case removed
        /// This snapshot is from before a reset, a restore or an undo. Hardly anything but a flag or two speaks for it,
        /// or it is the only one left. A game that read the reset file may have started over and set the same flags
        /// again.
        case outdated
        /// The content speaks for a snapshot that was taken back, by a restore, a reset or an undo, but the save is not beyond
        /// it in the numbers that have grown with every save so far. So its game plays the same stretch again.
        case playedAgain
        /// The content speaks for a save about which a person was asked, and which was not accepted. A game that had
        /// read what has been in the file since may have come to the same content.
        case notAccepted
        /// The content speaks for this snapshot, or for no other. The file was opened while it held this snapshot, and
        /// opens by other programs are rare for this file.
        case reopened
        /// The file was opened while it held this snapshot, the newest one, and opens by other programs are rare for this
        /// file. Hardly anything of the content speaks for an earlier snapshot: a value or two that were set back, or what
        /// the save lacks. Mostly a game reads its file when it starts.
        case openedLast
        /// Votes tie, and the file was opened after the swap to this snapshot.
        case opened
        /// The content speaks a little more for another snapshot, which was in the file for less than a second.
        case stoodLonger
        /// The snapshots that the game may have read differ in the order of arrays alone, and the save has the order of
        /// an older one.
        case olderOrder
        /// Nothing speaks for one snapshot more than for another: the newest was taken.
        case undecided

        /// How sure a choice is.
        public enum Certainty: Int, Comparable, Sendable {
            /// Another reading is well possible.
            case guess
            /// More than one leaf speaks for it, or an element, and nothing against it.
            case likely
            /// No other snapshot can have been read (as far as one game writes the file).
            case certain

            /// The less sure one is smaller.
            public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
        }

        /// Whether the choice rests on the content of the save alone, and is no guess.
        var isOfContent: Bool {
            switch self {
            case .othersRuledOut, .nearer: certainty > .guess
            default: false
            }
        }

        /// How sure this evidence makes a choice.
        public var certainty: Certainty {
            switch self {
            case .onlySnapshot, .processStart, .unread, .othersRuledOut, .snapshotsAgree: .certain
            case .reopened: .likely
            case .nearer(let votes, let against): votes > BaseVotes.equal && against == 0 ? .likely : .guess
            case .contested, .onePlaceLowered, .unopened, .heldByUnread, .lacking, .setBack, .order, .begunAnew,
                .removed, .outdated, .playedAgain, .notAccepted, .openedLast, .opened, .stoodLonger, .olderOrder,
                .undecided:
                .guess
            }
        }
    }
}

extension BaseChoice.Evidence: CustomStringConvertible {
    /// One sentence without a full stop, for people.
    public var description: String {
        switch self {
        case .onlySnapshot: "the file had one state since the game's last save"
        case .processStart: "the game was started when this state was in the file"
        case .unread: "no program has opened any later state of the file"
        case .othersRuledOut:
            "any other state holds something that the save lacks and a game that had read it would have"
        case .contested:
            "guessed: most of the save speaks for another state, which holds something that the save lacks"
        case .onePlaceLowered:
            "guessed: a later state holds more in one place that only grows, which its game may also have lowered"
        case .unopened: "guessed: the save holds what only this state held, though no program here has opened it"
        case .heldByUnread:
            "guessed: the save holds what only a later state held, which the program that wrote it has not opened here"
        case .snapshotsAgree: "the states it may have read differ in nothing that counts"
        case .nearer(let votes, let against):
            certainty == .likely
                ? "the save holds what only this state held"
                : "guessed from the content, by \(votes) \(votes == 1 ? "vote" : "votes") against \(against)"
        case .reopened: "the file was opened while this state was in it, and the save fits that"
        case .lacking: "guessed: this state lacks what the save lacks, which its game may also have removed"
        case .setBack: "guessed: the save holds what this earlier state held, which its game may also have set back"
        case .order:
            "guessed: its lists are in the order of the newest state, though it also holds what an earlier state held"
        case .begunAnew:
            "guessed: its new numbers are nearest to those of this state, and its game may also have started them over"
        case .removed:
            "guessed: the states differ only in what the save lacks, so what another machine changed there came back"
        case .outdated:
            "guessed: the save fits a state from before a reset or a restore, and its game may also have started over"
        case .playedAgain:
            "guessed: the save fits a state that was taken back, and is not beyond it, so its game plays the same again"
        case .notAccepted:
            "guessed: the save fits one that was not accepted, and its game may also have read the present file"
        case .openedLast:
            "guessed: the file was opened while it held the newest state, and hardly anything in the save speaks for an "
                + "earlier one"
        case .opened: "guessed: the content says nothing, and the file was opened after this state was put there"
        case .stoodLonger:
            "guessed: the save fits another state a little better, which was in the file for less than a second"
        case .olderOrder:
            "guessed: its lists are in the order of an earlier state, so their new order was taken to be unread"
        case .undecided: "guessed: the content says nothing, so the newest state was taken"
        }
    }
}
