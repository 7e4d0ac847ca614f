import HearthKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Connects the keyboard, the clock, news of other devices, the profile and the terminal.
final class Shell {
    enum Event: Sendable {
        /// Typed bytes; none when the terminal is gone.
        case typed([UInt8])
        case tick
        case changed(ProfileChange)
        case told(HouseholdWork.News)
    }

    /// The time between two ticks.
    private static let beat = Duration.milliseconds(100)
    /// A tick that took longer than this means that the process was stopped or the machine was asleep.
    private static let absence = Duration.seconds(2)

    private let store: ProfileStore<Arcade>
    private let terminal: Terminal
    private let device: String
    private var cabinet: Cabinet
    private var reader = KeyReader()
    private var hasTyped = false
    private var lastBeat = ContinuousClock.now
    private var isOver = false

    init(_ store: ProfileStore<Arcade>, _ terminal: Terminal, device: String, seed: UInt64) {
        (self.store, self.terminal, self.device) = (store, terminal, device)
        cabinet = Cabinet(seed: seed)
    }

    /// Runs until the player quits. Work that needs the agent runs beside the game, so the game never waits.
    func run() async {
        let (events, inbox) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(1_024))
        let keyboard = Keyboard { inbox.yield(.typed($0)) }
        defer { withExtendedLifetime(keyboard) {} }
        let store = store
        let changes = store.changes
        terminal.enter()
        defer { terminal.leave() }
        await withDiscardingTaskGroup { group in
            group.addTask {
                while (try? await Task.sleep(for: Self.beat)) != nil { inbox.yield(.tick) }
            }
            group.addTask { for await change in changes { inbox.yield(.changed(change)) } }
            draw()
            for await event in events {
                for act in await acts(on: event) {
                    guard let work = await perform(act) else { continue }
                    group.addTask {
                        await HouseholdWork.run(work, store) { inbox.yield(.told($0)) }
                    }
                }
                if isOver { break }
                draw()
            }
            group.cancelAll()
        }
    }

    private func draw() { terminal.draw(cabinet.frame(store.profile, HouseholdWork.state(of: store, device))) }

    // MARK: Events

    private func acts(on event: Event) async -> [Cabinet.Act] {
        switch event {
        case .typed(let bytes):
            hasTyped = true
            guard !bytes.isEmpty else { return [.quit] }
            return await press(reader.keys(bytes))
        case .tick: return await beat()
        case .changed(let change):
            if let news = HouseholdWork.news(of: change) { cabinet.note = news }
        case .told(.sentence(let sentence)): cabinet.note = sentence
        case .told(.code(let code)): cabinet.code = code
        case .told(.paired(let device)): cabinet.paired(with: device)
        }
        return []
    }

    private func beat() async -> [Cabinet.Act] {
        let now = ContinuousClock.now
        let passed = lastBeat.duration(to: now)
        lastBeat = now
        defer { hasTyped = false }
        let settled = hasTyped ? [] : await press(reader.settle())
        if passed > Self.absence {
            terminal.forget()
            return settled + [.household(.recheck)]
        }
        let milliseconds = Int(passed / .milliseconds(1))
        return settled + cabinet.pass(milliseconds, store.profile)
    }

    /// Handles keys one by one, so that each key sees the effect of the one before. Returns the acts that the caller
    /// performs later.
    private func press(_ keys: [Key]) async -> [Cabinet.Act] {
        var left: [Cabinet.Act] = []
        for key in keys {
            for act in cabinet.press(key, store.profile, HouseholdWork.state(of: store, device)) {
                switch act {
                case .move, .edit, .suspend: _ = await perform(act)
                case .household, .quit: left.append(act)
                }
            }
        }
        return left
    }

    /// Performs an act, or returns the one that has to run beside the game.
    private func perform(_ act: Cabinet.Act) async -> HouseholdAct? {
        let occasion = Occasion(device: device, now: Date())
        switch act {
        case .move(let move):
            do {
                cabinet.show(try await store.update { $0.make(move, occasion) })
            } catch {
                // The move counts, and is saved as soon as the disk allows it.
                cabinet.note = "\(error)"
            }
        case .edit(let move): store.edit { _ = $0.make(move, occasion) }
        case .household(let act): return act
        case .suspend: terminal.suspend()
        case .quit: isOver = true
        }
        return nil
    }
}
