import HouseholdAgent
import MergeCore
import Testing

@testable import HouseholdSimulation

/// What `hearth doctor` says of the looking for other machines, by what the backend tells while it waits.
extension DoctorTests {
    private func tell(_ home: Home, _ device: SimulatedDevice, _ event: DiscoveryEvent) {
        home.household.deliver(home.household.index(device), .discovery(event))
    }

    private func ask(_ home: Home, _ device: SimulatedDevice) -> RequestID {
        let id = home.household.ask(DoctorRequest(), on: device)
        home.household.run(milliseconds: 4_000)
        return id
    }

    /// A firewall that came later: the machine had seen its own announcement before.
    @Test func whetherMulticastArrivesIsTriedAnew() throws {
        let (home, a, _) = try household()
        tell(home, a, .running(backend: "embedded", interfaces: []))
        tell(home, a, .seesItself(true))
        let (name, looks) = (a.announced?.instance, a.announced?.looks)
        var id = ask(home, a)
        #expect(a.announced?.looks == (looks ?? 0) + 1 && a.replies[id] == nil, "it waits for what comes of that")
        tell(home, a, .seesItself(true))
        #expect(a.replies[id]?.last?.message(DoctorReport.self)?.ok == true)

        id = ask(home, a)
        tell(home, a, .seesItself(false))
        #expect(a.announced?.instance != name && a.replies[id] == nil, "another name decides")
        tell(home, a, .trouble("no multicast; check the firewall", isUnseen: true))
        let found = faults(try #require(a.replies[id]?.last?.message(DoctorReport.self)))
        #expect(found.map(\.kind) == ["multicast"] && found.first?.command == "sudo ufw allow 5353/udp", "\(found)")
    }

    @Test func whatIsToBeDoneForTheSystemsServiceIsSaid() throws {
        let (home, a, _) = try household()
        tell(home, a, .running(backend: "system", interfaces: []))
        tell(home, a, .trouble("the daemon is gone; start it", command: "start daemon"))
        let fault = try #require(faults(try doctor(home, on: a)).first)
        #expect(fault.kind == "discovery" && fault.command == "start daemon")
    }
}
