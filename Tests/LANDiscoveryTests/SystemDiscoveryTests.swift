#if os(Linux)
    import Dispatch
    import HouseholdAgent
    import Synchronization
    import Testing

    @testable import LANDiscovery

    /// Where this machine has a responder of its own, there is nothing to test here.
    @Suite(
        "Discovery without a system responder",
        .serialized,
        .timeLimit(.minutes(5)),
        .enabled(if: !SystemBackend.answers(), "this machine runs avahi-daemon")
    )
    struct SystemDiscoveryTests {
        @Test("The system's responder is told absent")
        func absent() async throws {
            let device = Device(mode: .system, port: 40_010)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await device.run() }
                let event = try await device.next { _ in true }
                guard case .trouble(let sentence, isUnseen: false, let command) = event else {
                    Issue.record("\(event)")
                    return
                }
                #expect(sentence.hasPrefix("the system's discovery service (avahi-daemon) does not answer"))
                #expect(sentence.contains("start it again") && command == "sudo systemctl restart avahi-daemon")
                group.cancelAll()
                try await group.waitForAll()
            }
        }

        @Test("The automatic choice takes the embedded responder, and that finds others")
        func fallback() async throws {
            let device = Device(mode: .auto, port: 40_011)
            let other = Device(mode: .embedded, port: 40_012)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await device.run() }
                group.addTask { await other.run() }
                let event = try await device.next { _ in true }
                #expect(event == .running(backend: "embedded", interfaces: ["lo"]))
                _ = try await device.next(other.isFound(txt: ["v": "1"]))
                group.cancelAll()
                try await group.waitForAll()
            }
        }

        @Test("A responder that hangs keeps nobody waiting: the embedded one runs meanwhile, and goes on afterwards")
        func hanging() async throws {
            // The answer comes too late, and says that a responder is there, which is not so when it is to be used.
            let asked = Mutex(0)
            let release = DispatchSemaphore(value: 0)
            let device = Device(mode: .auto, port: 40_014) {
                asked.withLock { $0 += 1 }
                release.wait()
                return true
            }
            let other = Device(mode: .embedded, port: 40_015)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await device.run() }
                group.addTask { await other.run() }
                let event = try await device.next { _ in true }
                #expect(event == .running(backend: "embedded", interfaces: ["lo"]))
                _ = try await device.next(other.isFound(txt: ["v": "1"]))
                _ = try await other.next(device.isFound(txt: ["v": "1"]))
                #expect(asked.withLock { $0 } == 1, "nobody asks again while the question is open")
                release.signal()
                let again = try await device.next { if case .running = $0 { true } else { false } }
                #expect(again == .running(backend: "embedded", interfaces: ["lo"]))
                other.announce(["v": "2"])
                _ = try await device.next(other.isFound(txt: ["v": "2"]))
                group.cancelAll()
                try await group.waitForAll()
            }
            #expect(!device.events.contains { if case .trouble = $0 { true } else { false } })
        }

        @Test("Discovery that is off reports nothing and ends when cancelled")
        func off() async throws {
            let device = Device(mode: .off, port: 40_013)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await device.run() }
                group.cancelAll()
                await group.waitForAll()
            }
            #expect(device.events == [])
        }
    }

    @Suite("When the loop does what")
    struct ScheduleTests {
        @Test("Starting again takes longer each time, up to 30 s")
        func backOff() {
            let now = ContinuousClock.now
            var schedule = Schedule()
            let pauses = (0..<8).map { _ in
                schedule.failed(now, isAuto: false)
                return schedule.retry.map { $0 - now }
            }
            #expect(pauses == [1, 2, 4, 8, 16, 30, 30, 30].map { .seconds($0) })
            schedule.started(now)
            schedule.failed(now + .seconds(31), isAuto: true)
            #expect(schedule.retry == now + .seconds(31), "the other backend takes over at once")
        }

        @Test("An entry is due once, and the loop sleeps until the first")
        func entries() {
            let now = ContinuousClock.now
            var schedule = Schedule()
            schedule.retry = nil
            schedule.networkCheck = now + .seconds(3)
            schedule.sweep = now + .seconds(2)
            #expect(schedule.milliseconds(from: now, atMost: nil) == 2_001)
            #expect(schedule.milliseconds(from: now, atMost: now) == 1)
            #expect(schedule.milliseconds(from: now + .seconds(9), atMost: nil) == 0)
            #expect(schedule.takeDue(\.sweep, now) == false)
            #expect(schedule.takeDue(\.sweep, now + .seconds(2)) == true)
            #expect(schedule.takeDue(\.sweep, now + .seconds(2)) == false)
        }
    }
#endif
