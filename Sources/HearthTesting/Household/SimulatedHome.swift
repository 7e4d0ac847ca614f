import HouseholdSimulation
import MergeCore

/// What a ``Household`` and a ``PlainHousehold`` have in common: the network between the devices, time, and what was
/// found.
///
/// Everything happens in virtual time on the thread that calls; a minute of play takes milliseconds. The same steps with
/// the same seed give the same run; its ``digest`` is the same on every machine.
public class SimulatedHome: CustomStringConvertible {
    let stage: Stage

    init(_ stage: Stage) { self.stage = stage }

    /// Takes what could be made, or ends the test with the reason: a household that cannot be made tests nothing.
    static func made<Made>(_ make: () throws -> Made) -> Made {
        do {
            return try make()
        } catch {
            // A precondition says nothing in a build with optimisation.
            fatalError("\(error)")
        }
    }

    // MARK: The network

    /// Two devices lose their network; each of them still reaches the others.
    public func partition(_ one: String, _ other: String) { stage.perform(.partition(one, other)) }

    /// Nothing gets through between two devices from now on, and neither is told, as with a pulled cable. What was sent
    /// meanwhile comes in once the network is back.
    public func silence(_ one: String, _ other: String) { stage.perform(.silence(one, other)) }

    /// Nothing of one device gets through to another one from now on, while what that one sends arrives; neither is told.
    /// What was sent meanwhile comes in once the network is back.
    ///
    /// - Parameters:
    ///   - one: The device that is not heard any more.
    ///   - other: The device that does not hear it.
    public func silence(_ one: String, toward other: String) { stage.perform(.silencesOneWay(one, toward: other)) }

    /// All networks are back.
    public func heal() { stage.perform(.heal) }

    // MARK: Time

    /// Lets time pass.
    public func wait(_ duration: Duration) {
        stage.perform(.wait(duration.wholeMilliseconds))
    }

    /// Lets everything come to rest and checks it: devices without power start, those that sleep wake, those that lost
    /// their record are paired again, a minute and a half passes, and then the files, and what the devices say of them, must be as promised. What a device asks its player is answered with
    /// `hearth keep`, and an open choice is made, with the first value.
    ///
    /// While two devices have no network, or a disk is full or can only be read, or one that lost its record reaches nobody, only what the devices say is checked. What was played by
    /// then is judged when the household settles the next time without such a fault.
    ///
    /// - Returns: Everything that was found so far.
    @discardableResult
    public func settle() -> [HouseholdFinding] {
        stage.perform(.settle)
        return stage.findings
    }

    /// Does a step that is there as data.
    public func perform(_ step: HouseholdStep) { stage.perform(step) }

    // MARK: What came of it

    /// Everything that was found so far; empty where all is as promised.
    public var findings: [HouseholdFinding] { stage.findings }

    /// What happened so far, to be run again.
    public var scenario: Scenario { Scenario(devices: stage.names, seed: stage.seed, steps: stage.steps) }

    /// What happened so far as Swift code, one statement a line.
    public var code: String {
        ScenarioCode(scenario, of: stage.game).lines.joined(separator: "\n")
    }

    /// What happened so far, one lane a device, and why the values are what they are. Asking for it changes nothing in the
    /// run.
    public var timeline: Timeline {
        let former = stage.timeline
        stage.tellReasons()
        defer { stage.timeline = former }
        return stage.timeline
    }

    /// A hash of everything that happened so far; equal runs have equal ones, on every machine.
    public var digest: UInt64 { stage.digest }

    /// The timeline as text.
    public var description: String { timeline.description }

    func check(_ device: String) {
        guard !stage.names.contains(device) else { return }
        fatalError(
            "there is no device \"\(device)\" in this household; there are \(stage.names.joined(separator: ", "))")
    }
}
