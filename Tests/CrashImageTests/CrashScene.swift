import HouseholdSimulation
import MergeCore
import ProfileKeeping

/// Something that happens on one device, stopped at every moment.
struct CrashScene: Sendable {
    /// What the device and the other one start from.
    enum Start: Hashable, Sendable {
        /// A save that Hearth knows nothing of yet.
        case alone
        /// A shared profile; the other device has played, and the first one knows and is about to write it down.
        case shared
        /// The same, but the first one does not know of it yet.
        case unheard
        /// The same, and a second profile in the same folder, with as much to be written down.
        case twoFiles
        /// Two devices adopted copies of a save apart, so there are two profiles, of which one has no file here: the
        /// one with the larger id, or the one with the smaller. The player joins them here.
        case apart, apartReversed
        /// The same, and the player has joined them on the other device, of which this one does not know yet.
        case apartElsewhere, apartElsewhereReversed

        var isApart: Bool { [.apart, .apartReversed].contains(self) || isJoinedElsewhere }
        var isReversed: Bool { [.apartReversed, .apartElsewhereReversed].contains(self) }
        var isJoinedElsewhere: Bool { [.apartElsewhere, .apartElsewhereReversed].contains(self) }
    }

    /// What must be in the file in the end.
    enum Expectation: Sendable {
        /// Every play that can be seen in what the crash left.
        case plays
        /// What the record holds, to which a reset or restore belongs: nobody played meanwhile.
        case record
    }

    var name: String
    var kind: TallySave.Kind
    var swapping: MemoryFiles.Swapping
    var start: Start
    var expects: Expectation
    /// How many images of a moment are looked at, and of a moment of what follows one of them.
    var limit: Int
    var again: Int { limit < 20 ? 2 : 6 }
    var run: @Sendable (Stage, inout CrashDevice) throws -> Void

    /// Scenes of one family may leave the same, and then must come to the same.
    var family: Family { Family(kind: kind, swapping: swapping, start: start, expectsPlays: expects == .plays) }

    struct Family: Hashable {
        let kind: TallySave.Kind
        let swapping: MemoryFiles.Swapping
        let start: Start
        let expectsPlays: Bool
    }

    static let profile = ProfileID(random: 1, 2)
    static let second = ProfileID(random: 3, 4)
    /// What the other device played.
    static let remote: UInt32 = 0b11 << 18

    init(
        _ name: String, _ kind: TallySave.Kind = .logged, _ swapping: MemoryFiles.Swapping = .exchange,
        start: Start = .shared, expects: Expectation = .plays, limit: Int = 100,
        _ run: @escaping @Sendable (Stage, inout CrashDevice) throws -> Void
    ) {
        (self.name, self.kind, self.swapping) = (name, kind, swapping)
        (self.start, self.expects, self.limit, self.run) = (start, expects, limit, run)
    }
}
