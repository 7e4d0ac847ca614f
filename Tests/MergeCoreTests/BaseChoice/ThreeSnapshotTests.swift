import LosslessJSON
import MergeCore
import Testing

/// A place in which two of three snapshots are the same says nothing between these two.
@Suite struct ThreeSnapshotTests {
    private static let rules = MergeCoreTests.rules([
        "/coins": .init(.counter), "/score": .init(.counter), "/level": .init(.max), "/best": .init(.max),
    ])

    /// A save with a lower level was set aside; then the former level stood in the file, and what another machine earned.
    private static let snapshots = [
        #"{"coins":100,"score":993,"level":1,"best":7}"#,
        #"{"coins":100,"score":993,"level":3,"best":7}"#,
        #"{"coins":101,"score":994,"level":3,"best":10}"#,
    ]

    private func choice(_ save: String) throws -> BaseChoice {
        BaseChoice(
            among: try Self.snapshots.map { try JSONDocument(parsing: Array($0.utf8)) },
            for: try JSONDocument(parsing: Array(save.utf8)), rules: Self.rules, sightings: .init(notAccepted: [0]))
    }

    /// The game lowers its best result. Measured against the older snapshot, what another machine earned would count twice.
    @Test func theNewestIsReadThoughOnePlaceWasLowered() throws {
        #expect(try choice(#"{"coins":101,"score":994,"level":3,"best":8}"#).base == 2)
    }

    /// A save that has a place as the older snapshots do comes from one of them, whatever else it earned.
    @Test func anOlderOneIsReadWhereTheLoweredPlaceIsAsItWas() throws {
        #expect(try choice(#"{"coins":101,"score":994,"level":3,"best":7}"#).base == 1)
    }
}
