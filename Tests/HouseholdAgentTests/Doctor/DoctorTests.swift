import HouseholdAgent
import HouseholdSimulation
import MergeCore
import ProfileKeeping
import Testing

/// `hearth doctor` in a household: what is tried, what is found, and when the answer comes.
@Suite struct DoctorTests {
    let path = "/saves/player.json"

    /// Two devices with one save, in step.
    func household() throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let home = Home(seed: 14)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        try home.add(path, #"{"coins":100}"#, rules: home.rules([("/coins", MergeRule(.counter))]), on: a)
        try home.restore(path, on: b)
        home.household.run(milliseconds: 5_000)
        return (home, a, b)
    }

    func doctor(_ home: Home, on device: SimulatedDevice) throws -> DoctorReport {
        let id = home.household.ask(DoctorRequest(), on: device)
        _ = home.household.run(until: { device.replies[id] != nil })
        return try #require(device.replies[id]?.last?.message(DoctorReport.self))
    }

    /// The findings that are faults.
    func faults(_ report: DoctorReport) -> [FindingReport] { report.findings.filter { !$0.ok } }

    // MARK: All is well

    @Test func inAHouseholdInStepAllIsWell_andItIsSaidAtOnce() throws {
        let (home, a, b) = try household()
        let began = home.household.now
        for (device, other) in [(a, "deck"), (b, "laptop")] {
            let report = try doctor(home, on: device)
            #expect(report.ok && faults(report) == [])
            #expect(
                report.findings.map(\.kind) == ["agent", "home", "disk", "discovery", "connected", "saves"],
                "on \(device.name)")
            #expect(report.findings.first { $0.kind == "connected" }?.about == other)
        }
        #expect(home.household.now - began < .seconds(1))
    }

    // MARK: Another machine

    /// The deck dialled the laptop, so it knows the laptop's address, and not the other way round.
    @Test func aMachineThatIsGoneIsDialledAgain_andNamed() throws {
        let (home, a, b) = try household()
        home.household.kill(a)
        home.household.run(milliseconds: 120_000)
        let report = try doctor(home, on: b)
        let fault = try #require(faults(report).first)
        #expect(!report.ok && faults(report).count == 1)
        #expect(fault.kind == "noAnswer" && fault.about == "laptop", "\(fault)")
        #expect(fault.command == "ping -c 3 device-0")
        try home.household.start(a)
        home.household.run(milliseconds: 5_000)
        #expect(try doctor(home, on: b).ok)
    }

    @Test func aMachineOfWhichNoAddressIsKnownIsUnseen() throws {
        let (home, a, b) = try household()
        home.household.kill(b)
        home.household.run(milliseconds: 120_000)
        let fault = try #require(faults(try doctor(home, on: a)).first)
        #expect(fault.kind == "unseen" && fault.about == "deck" && fault.command == "hearth agent --peer HOST:PORT")
    }

    /// The cable is pulled: the link still stands, and only a question shows that nobody answers.
    @Test func aLinkThatDoesNotAnswerIsFound_withinElevenSeconds() throws {
        let (home, a, b) = try household()
        home.household.mute(a, b)
        let began = home.household.now
        let report = try doctor(home, on: a)
        #expect(faults(report).contains { $0.kind == "silent" && $0.about == "deck" }, "\(report.findings)")
        #expect(home.household.now - began <= .seconds(11))
    }

    @Test func aClockThatIsWrongIsNamed_onBothMachines() throws {
        let (home, a, b) = try household()
        home.household.kill(b)
        // Three hours, and a minute for what a message takes.
        b.skew = .seconds(3 * 3_600 + 60)
        try home.household.start(b)
        home.household.run(milliseconds: 5_000)
        let ahead = try #require(faults(try doctor(home, on: a)).first { $0.kind == "clock" })
        #expect(ahead.about == "deck" && ahead.sentence.hasPrefix("its clock is 3 h ahead of this machine's"))
        guard let status = try home.reply(to: StatusRequest(), on: a).message(StatusReport.self) else {
            throw Home.Failure("no status")
        }
        #expect(!status.isWell && status.troubles.count == 1, "\(status.troubles)")
        #expect(status.troubles.first?.hasPrefix("deck: its clock is 3 h ahead") == true, "\(status.troubles)")
        let behind = try #require(faults(try doctor(home, on: b)).first { $0.kind == "clock" })
        #expect(behind.about == "laptop" && behind.sentence.hasPrefix("its clock is 3 h behind this machine's"))
        b.skew = .zero
        #expect(try doctor(home, on: b).ok, "the clock was set right")
    }

    /// Removed while it was away, a machine is still dialling, and the other one hangs up.
    @Test func aMachineThatTurnsThisOneAwayIsNamed() throws {
        let (home, a, b) = try household()
        let devices = home.household.ask(DevicesRequest(), on: b)
        let here = try #require(b.replies[devices]?.last?.message(DeviceList.self)?.devices.first { $0.isThisDevice })
        home.household.kill(b)
        home.household.run(milliseconds: 1_000)
        home.household.ask(UnpairRequest(device: here.id), on: a)
        home.household.run(milliseconds: 1_000)
        try home.household.start(b)
        home.household.run(milliseconds: 5_000)
        let found = faults(try doctor(home, on: b))
        let said = "laptop says that this device was removed from the household"
        #expect(found.contains { $0.kind == "household" && $0.sentence.hasPrefix(said) }, "\(found)")
        #expect(
            found.contains { $0.kind == "link" && $0.about == "laptop" && $0.command == "hearth devices" }, "\(found)")
        let alone = try #require(faults(try doctor(home, on: a)).first)
        #expect(alone.kind == "household" && alone.command == "hearth pair")
    }

    // MARK: The saves

    @Test func aPausedSaveIsNamed_withTheCommandThatEndsIt() throws {
        let (home, a, _) = try household()
        home.household.ask(PauseRequest(profile: "game"), on: a)
        let fault = try #require(faults(try doctor(home, on: a)).first)
        #expect(fault.kind == "paused" && fault.about == "game" && fault.command == "hearth resume game")
    }

    @Test func theOtherMachineIsNamedWhereItsFileIsBehind() throws {
        let (home, a, b) = try household()
        home.household.ask(PauseRequest(profile: "game"), on: b)
        home.household.run(milliseconds: 1_000)
        let began = home.household.now
        let fault = try #require(faults(try doctor(home, on: a)).first)
        #expect(fault.kind == "behind" && fault.about == "game" && fault.sentence.hasPrefix("deck is connected but"))
        #expect(home.household.now - began <= .seconds(3), "it is not waited for longer")
    }

    @Test func aSaveThatItsGameHoldsIsNamed() throws {
        let (home, a, b) = try household()
        home.household.configure(["game": "rpg"], on: a)
        a.programs.set("rpg", since: home.household.now)
        home.household.run(milliseconds: 60_000)
        home.household.save(#"{"coins":150}"#, to: path, on: b)
        home.household.run(milliseconds: 5_000)
        let fault = try #require(faults(try doctor(home, on: a)).first)
        #expect(fault.kind == "held" && fault.sentence.contains("when rpg ends"), "\(fault)")
    }

    @Test func aFileThatIsNoSaveIsNamed() throws {
        let (home, a, _) = try household()
        home.household.save("no save at all", to: path, on: a)
        home.household.run(milliseconds: 5_000)
        let fault = try #require(faults(try doctor(home, on: a)).first)
        #expect(fault.about == "game" && ["file", "decision"].contains(fault.kind), "\(fault)")
    }

    /// Where 'hearth status' has something to say, not all is well.
    @Test func whatIsSaidOfASaveAndOfItsRulesIsMentioned() throws {
        let (home, a, _) = try household()
        home.household.save(#"{"coins":20}"#, to: path, on: a)
        home.household.run(milliseconds: 5_000)
        home.household.save(#"{"coins":20,"#, to: path, on: a)
        home.household.run(milliseconds: 60_000)
        let said = faults(try doctor(home, on: a))
        #expect(said.contains { $0.kind == "said" && $0.about == "game" && $0.command == "hearth status" }, "\(said)")

        let (other, c, _) = try household()
        try other.add("/saves/idle.json", #"{"best":1}"#, rules: other.rules([("/bset", MergeRule(.max))]), on: c)
        other.household.run(milliseconds: 5_000)
        let idle = faults(try doctor(other, on: c))
        let rules = idle.filter { $0.kind == "rules" }
        #expect(rules.count == 1 && rules.first?.sentence.hasPrefix("one of its rules") == true, "\(idle)")
    }

    // MARK: This machine

    @Test func aDiskThatIsFullIsNamedOnce() throws {
        let (home, a, _) = try household()
        home.household.kill(a)
        a.trials.fault = StorageFault(.noSpace, "cannot write /hearth/.try: the disk is full; free some space")
        a.trials.room = DiskRoom(free: 3 << 20, total: 100 << 30)
        try home.household.start(a)
        home.household.run(milliseconds: 5_000)
        let found = faults(try doctor(home, on: a))
        #expect(found.map(\.kind) == ["home", "disk"])
        #expect(found.last?.sentence.hasPrefix("only 3 MB are free on the disk of /hearth") == true)
        #expect(found.last?.command == "df -h /hearth")
    }

    @Test func aMachineInNoHouseholdIsToldSo() throws {
        let home = Home(seed: 15)
        let fault = try #require(faults(try doctor(home, on: try home.device("laptop"))).first)
        #expect(fault.kind == "household" && fault.command == "hearth pair")
    }

    @Test func whoGoesAwayWaitsForNoAnswer() throws {
        let (home, a, b) = try household()
        home.household.mute(a, b)
        let id = home.household.ask(DoctorRequest(), on: a)
        home.household.run(milliseconds: 1_000)
        home.household.abandon(id, on: a)
        home.household.run(milliseconds: 20_000)
        #expect(a.replies[id] == nil)
    }
}
