import HearthKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Calls Hearth for the arcade, and turns its answers into sentences.
enum HouseholdWork {
    /// The result of an act.
    enum News: Sendable {
        case sentence(String)
        /// The code to type on another device; `nil` when it is no longer valid.
        case code(String?)
        /// The name of the paired device.
        case paired(String)
    }

    static func run(
        _ act: HouseholdAct, _ store: ProfileStore<Arcade>, tell: @escaping @Sendable (News) -> Void
    ) async {
        do {
            switch act {
            case .showCode:
                defer { tell(.code(nil)) }
                tell(.paired(try await store.pair { tell(.code($0)) }.device.name))
            case .pair(let code, let address):
                tell(.paired(try await store.pair(with: code, address: address).device.name))
            default: if let sentence = try await sentence(act, store) { tell(.sentence(sentence)) }
            }
        } catch is CancellationError {
            return
        } catch {
            tell(.sentence("\(error)"))
        }
    }

    /// The sentence after an act.
    private static func sentence(_ act: HouseholdAct, _ store: ProfileStore<Arcade>) async throws -> String? {
        switch act {
        case .reset:
            try await store.reset(.scope("progress"))
            return "Everything starts over."
        case .signOut:
            try await store.pause()
            return "Signed out. What you play stays here until you sign in."
        case .signIn:
            try await store.resume()
            return "Signed in."
        case .sync:
            let result = try await store.sync()
            if !result.behind.isEmpty { return "Not reached: \(result.behind.joined(separator: ", "))." }
            if result.inStep.isEmpty { return "There is no other device yet: P pairs one." }
            return "In step with \(result.inStep.joined(separator: ", "))."
        case .recheck: try await store.recheck()
        case .bringIn: try await store.pendingPrompt?.restore()
        case .startFresh: try await store.pendingPrompt?.startFresh()
        case .decideLater: store.pendingPrompt?.later()
        case .showCode, .pair: break
        }
        return nil
    }

    /// The present state of the household.
    static func state(of store: ProfileStore<Arcade>, _ device: String) -> HouseholdState {
        var household = HouseholdState(device: device, isPaused: store.isPaused, line: line(store))
        household.trouble = store.saveTrouble.map { "Not saved: \($0)" } ?? store.agentTrouble
        if let prompt = store.pendingPrompt {
            let played = prompt.lastPlayed.map { ["last played \(ago($0))"] } ?? []
            let fields = prompt.fields.sorted { $0.key < $1.key }
            household.offer = HouseholdState.Offer(
                device: prompt.device ?? "another device",
                lines: played + fields.map { "\($0.key.dropFirst()): \($0.value)" },
                hasOwnProgress: prompt.hasOwnProgress)
        }
        return household
    }

    /// The sentence about a change; `nil` for the player's own changes.
    static func news(of change: ProfileChange) -> String? {
        switch change.origin {
        case .device(let name) where change.path == "/best":
            return "New record on \(name.plain())!"
        case .device(let name) where change.path == "/trophies": return "A new trophy from \(name.plain())!"
        case .device(let name): return "News from \(name.plain())."
        case .reset: return "Everything starts over."
        case .restore: return "Your progress is here."
        default: return nil
        }
    }

    private static func line(_ store: ProfileStore<Arcade>) -> String {
        if store.isPaused { return "Signed out: what you play stays on this device." }
        guard store.isSubscribed else { return "Playing on this device alone." }
        guard let last = store.lastSync else { return "Signed in. Not synced yet." }
        return "Signed in. Last sync \(ago(last))."
    }

    private static func ago(_ date: Date) -> String {
        let seconds = max(0, Int(min(Date().timeIntervalSince(date), 1e9)))
        switch seconds {
        case ..<2: return "just now"
        case ..<120: return "\(seconds) seconds ago"
        case ..<7_200: return "\(seconds / 60) minutes ago"
        case ..<172_800: return "\(seconds / 3_600) hours ago"
        default: return "\(seconds / 86_400) days ago"
        }
    }
}
