import HouseholdSimulation
import MergeCore
import SyncProtocol
import Synchronization

/// The households from which a game is played: the devices are paired, and all have the save.
///
/// To bring one together takes longer than the play of most seeds. So there are ``count``, which differ in their keys and
/// in the times of their messages, and every seed begins with a copy of one of them, always the same.
final class HouseholdBeginnings: Sendable {
    static let count: UInt64 = 16

    let game: SimulatedGame
    let names: [String]
    /// The signatures that a device of one of the households has verified.
    let signatures = VerifiedSignatures()
    private let made = Mutex<[UInt64: Result<HouseholdCopy, StageFault>]>([:])

    init(_ game: SimulatedGame, devices names: [String]) { (self.game, self.names) = (game, names) }

    /// The household from which a seed is played.
    ///
    /// - Throws: ``StageFault`` where the game's save cannot be kept at all.
    func household(for seed: UInt64) throws(StageFault) -> HouseholdCopy {
        let number = seed % Self.count
        if let known = made.withLock({ $0[number] }) { return try known.get() }
        // Two threads that want the same one make it twice, and get the same.
        let result: Result<HouseholdCopy, StageFault>
        do throws(StageFault) {
            result = .success(try SimulatedHousehold.together(game, names, seed: number).copy)
        } catch {
            result = .failure(error)
        }
        made.withLock { $0[number] = result }
        return try result.get()
    }
}
