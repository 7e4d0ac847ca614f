import HouseholdAgent
import HouseholdSimulation
import LosslessJSON
import MergeCore

/// A household on which a scenario is played: real agents in virtual time, one game on every device, and a checker that
/// looks on.
final class Stage {
    static let path = "/saves/save.json"
    static let name = "game"

    let game: SimulatedGame
    let names: [String]
    let seed: UInt64
    let home: SimulatedHousehold
    let devices: [SimulatedDevice]
    /// What has happened so far, in order.
    private(set) var steps: [HouseholdStep] = []
    /// What was found wrong.
    private(set) var findings: [HouseholdFinding] = []
    var timeline: Timeline
    /// What was played since all was quiet for the last time.
    var round: Round
    /// What came of each rule where it was put to the test.
    var outcomes = RuleOutcomes()
    /// How often all came to rest and the files were judged.
    var judgedRests = 0
    /// What each device's game holds in memory; `nil` while none runs.
    var memories: [[UInt8]?]
    /// The devices that have no power.
    var isDown: [Bool]
    /// Whether the record of a device is that of an earlier day, and no agent has started with it since.
    var isRecordOld: [Bool]
    /// The devices that lost their record and have not joined again.
    var isRecordLost: [Bool]
    /// The devices whose power a step took at once, and that did not start since.
    var isCrashed: [Bool]
    var isAsleep: [Bool] { devices.map(\.isAsleep) }
    var isFull: [Bool], isReadOnly: [Bool]
    /// What a game of each device is about to save in the middle of what Hearth writes.
    var plannedSaves: [PlannedSave?]
    /// The record of each device when all was quiet for the last time.
    var records: [MemoryRecord.Copy] = []
    /// The pairs of devices that have no network, or a silent one.
    var partings: Set<[Int]> = []
    /// What each file held when somebody looked last.
    var shown: [[UInt8]?]
    /// What each file has held since the last save of a game before the round, and whether a game saved it.
    var contents: [[(text: [UInt8], isSave: Bool)]]
    /// The saves that were read last as the files hold them, and with everything in them that the game knows.
    private var parsed: ParsedSaves, wholes: ParsedSaves
    /// The changed save that was worked out last.
    private var edit: (text: [UInt8], edits: [SaveEdit], result: [UInt8])?

    /// How long the agents have after their start, until all that they tell each other then is told.
    private static let startTime: Int64 = 10_000

    /// Makes a household that has come together, and starts the agents in it.
    ///
    /// - Throws: ``StageFault`` where the game's save cannot be kept at all.
    convenience init(_ game: SimulatedGame, devices names: [String], seed: UInt64) throws(StageFault) {
        try self.init(HouseholdBeginnings(game, devices: names), seed: seed, isTold: true)
    }

    /// Starts the agents in a household that has come together.
    ///
    /// - Parameter isTold: Whether a timeline is kept. Most random runs find nothing, and nobody reads theirs.
    /// - Throws: ``StageFault`` where the game's save cannot be kept at all.
    init(_ beginnings: HouseholdBeginnings, seed: UInt64, isTold: Bool) throws(StageFault) {
        let beginning = try beginnings.household(for: seed)
        (game, names, self.seed) = (beginnings.game, beginnings.names, seed)
        let limit = 2 * names.count + 16
        (parsed, wholes) = (ParsedSaves(game.rules, limit: limit), ParsedSaves(game.rules, limit: limit))
        home = SimulatedHousehold(seed: seed)
        home.keepsTrace = false
        memories = names.map { _ in nil }
        isDown = names.map { _ in false }
        isCrashed = isDown
        (isFull, isReadOnly) = (isDown, isDown)
        (isRecordOld, isRecordLost) = (isDown, isDown)
        plannedSaves = names.map { _ in nil }
        shown = names.map { _ in nil }
        contents = names.map { _ in [] }
        timeline = Timeline(devices: names, isKept: isTold)
        round = Round(before: [])
        do {
            try home.begin(with: beginning)
        } catch {
            throw StageFault("the agents do not start: \(error)")
        }
        devices = home.devices
        home.run(milliseconds: Self.startTime)
        rest()
    }

    // MARK: Playing

    /// Does one step.
    func perform(_ step: HouseholdStep) {
        steps.append(step)
        let fault = step.devices.first { name in !names.contains(name) }
        guard fault == nil else { return report(.trouble, nil, "there is no device \"\(fault!)\" in this household") }
        tell(step)
        switch step {
        case .plays(let device, let edits): play(index(device)) { try edited($0, edits) }
        case .moves(let device, let name, let seed): move(index(device), name, seed)
        case .overwrites(let device, let edits): overwrite(index(device)) { try edited($0, edits) }
        case .overwritesAmid(let device, let edits, let step):
            planOverwrite(index(device), before: step) { try edited($0, edits) }
        case .partition(let one, let other): part(index(one), index(other), .cut)
        case .silence(let one, let other): part(index(one), index(other), .silent)
        case .silencesOneWay(let one, let other): part(index(one), index(other), .silentOneWay)
        case .heal: heal()
        case .crashes(let device, nil): crash(index(device))
        case .crashes(let device, let step?): planCrash(index(device), before: step)
        case .starts(let device): start(index(device))
        case .rollsBack(let device): rollBack(index(device))
        case .losesRecord(let device): loseRecord(index(device))
        case .joinsAgain(let device): joinAgain(index(device))
        case .becomesCopy(let device, let other): copy(index(other), onto: index(device))
        case .sleeps(let device): sleep(index(device))
        case .wakes(let device): home.wake(devices[index(device)])
        case .fillsDisk(let device): setFull(index(device), true)
        case .freesDisk(let device): setFull(index(device), false)
        case .makesDiskReadOnly(let device): setReadOnly(index(device), true)
        case .makesDiskWritable(let device): setReadOnly(index(device), false)
        case .setsClock(let device, let ahead): setClock(index(device), ahead: ahead)
        case .undoes(let device): undo(index(device))
        case .resets(let device, let scope): reset(index(device), scope)
        case .restores(let device, let backup): restore(index(device), backup)
        case .wait(let milliseconds): run(milliseconds)
        case .settle: settle()
        }
        look()
    }

    /// Notes a step that was done in another way than by its data: a closure that changed a profile.
    func note(_ step: HouseholdStep) {
        steps.append(step)
        tell(step)
    }

    private func tell(_ step: HouseholdStep) {
        let devices = step.devices.compactMap { names.firstIndex(of: $0) }
        timeline.add(at: now, devices, step.isFault ? .fault : .step, step.description)
    }

    // MARK: Time

    /// Milliseconds since the first device of the household was there.
    var now: Int64 { home.now.milliseconds }

    /// Lets time pass, and looks at the files after every event.
    func run(_ milliseconds: Int64) {
        let end = home.now + .milliseconds(milliseconds)
        _ = home.run(
            until: {
                look()
                return false
            }, within: milliseconds)
        home.run(milliseconds: max(0, end.milliseconds - home.now.milliseconds))
    }

    func index(_ device: String) -> Int { names.firstIndex(of: device)! }

    // MARK: Saves

    /// What a text holds; `nil` where it is no JSON.
    func save(_ text: [UInt8]) -> ParsedSave? { parsed.save(text) { try JSONValue(parsing: $0) } }

    /// What a text holds with everything that the game knows of; `nil` where it is no save of the game.
    func whole(_ text: [UInt8]) -> ParsedSave? {
        let whole = wholes.save(text, game.whole)
        // Plain JSON holds everything itself, and is looked at once.
        guard let save = save(text), save.value == whole?.value else { return whole }
        return save
    }

    /// The text after the game has changed its save so.
    func edited(_ text: [UInt8], _ edits: [SaveEdit]) throws -> [UInt8] {
        if let edit, edit.text == text, edit.edits == edits { return edit.result }
        let result = try game.edited(text, edits)
        edit = (text, edits, result)
        return result
    }

    // MARK: What was found

    /// Notes something that is wrong.
    func report(_ finding: HouseholdFinding) {
        findings.append(finding)
        let devices = finding.device.flatMap { names.firstIndex(of: $0) }.map { [$0] } ?? []
        timeline.add(at: now, devices, .finding, finding.description)
    }

    func report(_ kind: HouseholdFinding.Kind, _ device: Int?, _ message: String) {
        report(HouseholdFinding(kind, device: device.map { names[$0] }, message: message))
    }

    /// A hash of all that happened; equal runs have equal ones.
    var digest: UInt64 { home.digest }
}
