import HearthKit
import Observation
import TestSupport
import Testing

/// Views that follow the profile by Observation.
@Suite struct ObservingTests {
    /// A view: reads the profile on the main actor, and reads it again each time it is told of a change.
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

    /// In whatever order updates and reads happen, the last read shows the last update.
    @Test(.timeLimit(.minutes(5))) func aViewEndsWithTheNewestValue() async throws {
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

    /// The same with updates that are on disk before the next one starts.
    @Test(.timeLimit(.minutes(5))) func aViewFollowsUpdates() async throws {
        let saves = try await desk.open()
        let view = await View { saves.profile.coins }
        for _ in 0..<40 { try await Task.detached { _ = try await saves.update { $0.coins += 1 } }.value }
        #expect(await eventually { await view.shown == 40 })
        try await saves.close()
    }

    /// An observer that is told reads the new value, because it is told after the change.
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

    /// Written on the calling thread before `edit` returns, so `@unchecked` is safe.
    private final class Seen: @unchecked Sendable { var coins = 0 }
}
