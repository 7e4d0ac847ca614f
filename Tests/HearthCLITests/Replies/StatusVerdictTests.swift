import HearthCLI
import MergeCore
import Testing

@testable import HouseholdAgent

/// The last lines of `hearth status`: whether all is well.
struct StatusVerdictTests {
    private static let now: Int64 = 1_700_000_000_000

    private static func device(_ name: String, this: Bool = false, connected: Bool = true) -> DeviceReport {
        DeviceReport(id: "id-of-\(name)", name: name, isThisDevice: this, connected: connected)
    }

    private static func save(_ name: String) -> ProfileReport {
        ProfileReport(
            id: name, name: name, file: "/saves/\(name).json", state: "good", unreadable: [], pending: false,
            lastSync: now - 120_000)
    }

    private static func report(
        _ saves: [ProfileReport], household: [DeviceReport] = [device("deck"), device("nas")]
    ) -> StatusReport {
        StatusReport(
            device: device("desk", this: true), port: 4_000, discovery: "off", household: household, profiles: saves,
            troubles: [])
    }

    private func text(_ report: StatusReport) -> String {
        var text = StatusText(report, now: WallTime(milliseconds: Self.now), style: Style(isColoured: false))
        return text.text()
    }

    @Test func allIsWellWhereEverySaveIsInStepAndNothingWaits() {
        var relayed = Self.save("far")
        (relayed.state, relayed.file, relayed.lastSync) = ("relayed", nil, nil)
        let text = text(Self.report([Self.save("rpg"), relayed]))
        #expect(text.hasSuffix("\n\nAll is well.\n"), "\(text)")
    }

    /// What is behind is named with the machine that says why, also beside things to know.
    @Test func whatIsBehindIsNotWell() {
        let saves = ["a", "b", "c", "d", "e", "f", "g"].map { name in
            var save = Self.save(name)
            save.behind = name == "g" ? ["deck", "nas"] : name == "a" ? nil : ["deck"]
            return save
        }
        let behind =
            "deck is behind with b, c, d, e, f and 1 more; if it stays so, 'hearth status' there says why.\n"
            + "nas is behind with g; if it stays so, 'hearth status' there says why.\n"
        let calm = text(Self.report(saves))
        #expect(calm.hasSuffix("\nNothing needs you.\n" + behind) && !calm.contains("All is well"), "\(calm)")
        var report = Self.report(saves)
        report.troubles = ["port 5353 is taken"]
        #expect(text(report).hasSuffix("One thing to know:\n  - port 5353 is taken\n" + behind))
    }

    /// Also where this machine has no file of the save, and only passes it on.
    @Test func aRelayedSaveThatIsBehindIsNotWell() {
        var save = Self.save("far")
        (save.state, save.file, save.behind) = ("relayed", nil, ["deck"])
        let text = text(Self.report([Self.save("rpg"), save]))
        #expect(
            text.contains("Nothing needs you.\ndeck is behind with far;") && !text.contains("All is well"), "\(text)")
    }

    @Test func aMachineThatIsSwitchedOffIsNoTrouble() {
        let household = [Self.device("deck", connected: false), Self.device("nas")]
        var late = Self.save("late")
        late.behind = ["nas"]
        #expect(
            text(Self.report([Self.save("rpg"), late], household: household)).hasSuffix(
                "Nothing needs you.\nnas is behind with late; if it stays so, 'hearth status' there says why.\n"
                    + "What you play is brought over as soon as deck can be reached.\n"))
    }

    /// A save that is no reason to worry, and in step with nobody.
    @Test(arguments: ["paused", "pending", "never"]) func whatIsNotInStepIsNotWell(_ kind: String) {
        var save = Self.save("rpg")
        switch kind {
        case "paused": save.state = "paused"
        case "pending": (save.pending, save.held) = (true, "rpg")
        default: save.lastSync = nil
        }
        let text = text(Self.report([Self.save("other"), save]))
        #expect(text.hasSuffix("\n\nNothing needs you.\n"), "\(text)")
    }

    /// Another save that is broken, or about which something is asked, and a machine that somebody else let in.
    @Test func whatWaitsIsNotWell() {
        var broken = Self.save("broken")
        (broken.state, broken.reason) = ("bad", "/saves/broken.json:1:1: expected a value")
        var asked = Self.save("asked")
        asked.decisions = ["a choice waits for you"]
        for save in [broken, asked] {
            let text = text(Self.report([Self.save("rpg"), save]))
            #expect(text.contains("One thing to know:\n  - \(save.name): ") && !text.contains("All is well"), "\(text)")
        }
        var report = Self.report([Self.save("rpg")])
        report.newcomers = ["tv is new in the household"]
        #expect(text(report).hasSuffix("One thing to know:\n  - tv is new in the household\n"))
    }
}
