import HearthKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Brings keys, time, news of other devices, the profile and the terminal together.
final class Shell {
    enum Event: Sendable {
        /// Empty when the terminal is gone.
        case typed([UInt8])
        case tick
        case changed(ProfileChange)
        case told(HouseholdWork.News)
    }

    /// How often the clock is looked at.
    private static let beat = Duration.milliseconds(100)
    /// A beat that took so long means that this was stopped, or the machine asleep.
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

    /// Runs until the player quits. What needs the agent runs beside the game, which waits for nobody.
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

    /// Every key sees what the one before it did; what is left for the caller waits for no key.
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

    /// Does it, or returns what is to be done beside the game.
    private func perform(_ act: Cabinet.Act) async -> HouseholdAct? {
        let occasion = Occasion(device: device, now: Date())
        switch act {
        case .move(let move):
            do {
                cabinet.show(try await store.update { $0.make(move, occasion) })
            } catch {
                // It counts all the same, and is saved as soon as that is possible.
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
