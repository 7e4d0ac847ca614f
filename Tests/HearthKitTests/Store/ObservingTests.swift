import HearthKit
import Observation
import Testing

/// Views that follow the profile through Observation.
@Suite struct ObservingTests {
    /// A view: looks on the main actor, and looks again whenever it is told.
    @MainActor final class View {
        private let look: () -> Int
        private(set) var shown = 0

        init(_ look: @escaping () -> Int) {
            self.look = look
            show()
        }

        private func show() {
            shown = withObservationTracking(look) {
                Task { @MainActor [weak self] in self?.show() }
            }
        }
    }

    private let desk = Desk("observing")

    /// However the updates and the looks fall, the last look shows the last update.
    @Test(.timeLimit(.minutes(2))) func aViewEndsWithTheNewestValue() async throws {
        let saves = try await desk.open()
        for round in 1...30 {
            let view = await View { saves.profile.coins }
            let updates = Task.detached {
                for step in 0..<40 {
                    saves.edit { $0.coins += 1 }
                    if step % 8 == 0 { await Task.yield() }
                }
            }
            await updates.value
            #expect(await eventually { await view.shown == round * 40 }, "round \(round)")
        }
        try await saves.close()
    }

    /// The same where every update is on the disk before the next one.
    @Test(.timeLimit(.minutes(2))) func aViewFollowsUpdates() async throws {
        let saves = try await desk.open()
        let view = await View { saves.profile.coins }
        for _ in 0..<40 { try await Task.detached { _ = try await saves.update { $0.coins += 1 } }.value }
        #expect(await eventually { await view.shown == 40 })
        try await saves.close()
    }

    /// Whoever is told looks, and sees the new value: the change comes first.
    @Test func whatIsToldHasHappened() async throws {
        let saves = try await desk.open()
        let seen = Seen()
        withObservationTracking {
            _ = saves.profile.coins
        } onChange: {
            seen.coins = saves.profile.coins
        }
        saves.edit { $0.coins = 7 }
        #expect(seen.coins == 7)
        try await saves.close()
    }

    /// Written on the calling thread, before `edit` returns.
    private final class Seen: @unchecked Sendable { var coins = 0 }
}
