import HouseholdAgent
import HouseholdSimulation
import MergeCore
import RuleFile
import SaveOracle
import TestSupport

/// A household in virtual time with a made-up game on every device. What is in the files is for the model to judge.
final class OracleHousehold {
    struct Failure: Error, CustomStringConvertible { let description: String }

    private static let start = "/saves/player.json"

    let household: SimulatedHousehold
    let devices: [SimulatedDevice]
    let game: Field
    let rules: RuleTable
    private let layout: JSON.Layout
    /// Where the save is on each device by now.
    private(set) var paths: [String]
    private var shown: [[(text: String, document: JSON)]]

    /// How a household is made up.
    struct Form {
        let devices: Int
        let isLine: Bool
        /// What the game holds beside what it holds by chance.
        let wishes: [Field.Wish]
        /// Whether the game has a field in which it says that it starts over; one in eight has it by chance.
        let startsOver: Bool
    }

    /// Devices that know one another, and one save on all of them.
    init(seed: UInt64, _ form: Form, dice: inout Dice) throws {
        let (count, isLine) = (form.devices, form.isLine)
        game = Field.save(&dice, wishes: form.wishes)
        var rules = RuleTable(game.rules(at: Pattern([])))
        if case .object(let fields) = game, dice.once(in: 2) {
            rules.resets = [("part", dice.some(fields.map(\.name), dice.number(1...fields.count)))]
        }
        // Dice of its own: all else is the same for the same seed, with the field or without it.
        var aside = dice
        if aside.once(in: 8) || form.startsOver { rules.resetAt = "reset" }
        let isEmpty = rules.resetAt != nil && aside.once(in: 2)
        self.rules = rules
        paths = Array(repeating: Self.start, count: count)
        shown = Array(repeating: [], count: count)
        layout = dice.pick(JSON.Layout.allCases)
        household = SimulatedHousehold(seed: seed)
        household.keepsTrace = false
        var devices: [SimulatedDevice] = []
        for name in ["laptop", "deck", "desktop", "tablet"].prefix(count) {
            devices.append(try household.addDevice(name))
        }
        self.devices = devices
        for other in 1..<count {
            try household.pair(devices[isLine ? other - 1 : 0], devices[other])
            household.run(milliseconds: 2_000)
        }
        if isLine, count > 2 { household.part(devices[0], devices[2]) }
        let first = game.save(&dice)
        save(isEmpty ? first.setting("reset", to: .string("")) : first, on: 0)
        guard
            case .response(is ProfileAnswer)? = ask(
                AddRequest(path: Self.start, name: "game", rules: try RuleSet(yaml: rules.yaml)), on: 0)
        else {
            throw Failure(description: "the save was not added")
        }
        household.run(milliseconds: 10_000)
        for device in 1..<count {
            guard case .response(is ProfileAnswer)? = ask(RestoreRequest(profile: "game", path: Self.start), on: device)
            else {
                throw Failure(description: "not restored: \(devices[device].replies.values.flatMap { $0 })")
            }
        }
        settle()
    }

    // MARK: Playing

    /// What a device's file holds.
    func text(_ device: Int) -> String? { household.text(of: paths[device], on: devices[device]) }

    func file(_ device: Int) -> JSON? { text(device).flatMap { JSON($0) } }

    /// Puts a text that is no save in a device's file.
    func spoil(_ text: String, on device: Int) {
        household.save(text, to: paths[device], on: devices[device])
    }

    func save(_ save: JSON, on device: Int, inPlace: Bool = false) {
        let text = save.text(layout)
        if inPlace {
            household.saveInPlace(text, to: paths[device], on: devices[device])
        } else {
            household.save(text, to: paths[device], on: devices[device])
        }
    }

    /// A game starts, reads its file, saves once and ends, and the agent sees who saved: it is known what was read.
    func saveSeen(_ save: JSON, on device: Int) {
        let game = household.launch(nil, on: devices[device])
        _ = household.read(paths[device], by: game, on: devices[device])
        // What saves sooner may be a child that the game has split off for that.
        household.run(milliseconds: 15_000)
        household.save(save.text(layout), to: paths[device], by: game, isCaught: true, on: devices[device])
        household.run(milliseconds: 4_000)
        devices[device].programs.end(game)
    }

    /// The player moves the save to another folder; the game goes on there.
    func move(on device: Int, to path: String) {
        household.moveFile(from: paths[device], to: path, on: devices[device])
        paths[device] = path
    }

    func delete(on device: Int) { household.delete(paths[device], on: devices[device]) }

    /// The last answer to a request, when it is there.
    func ask(_ request: any AgentRequest, on device: Int) -> AgentReply? {
        let id = household.ask(request, on: devices[device])
        _ = household.run(until: { devices[device].replies[id]?.last?.isFinal == true })
        return devices[device].replies[id]?.last
    }

    /// Long enough for everything to be everywhere.
    func settle() { run(milliseconds: 90_000) }

    /// Lets time pass, and notes what the files hold meanwhile.
    func run(milliseconds: Int64) {
        let end = household.now + .milliseconds(milliseconds)
        _ = household.run(
            until: {
                noteFiles()
                return false
            }, within: milliseconds)
        household.run(milliseconds: max(0, end.milliseconds - household.now.milliseconds))
    }

    /// Notes what each file holds by now: what comes in one after the other is shown one after the other, and a game may
    /// have read any of it.
    private func noteFiles() {
        for device in devices.indices {
            guard let text = text(device), text != shown[device].last?.text else { continue }
            guard let document = JSON(text) else { continue }
            shown[device].append((text, document))
            if shown[device].count > 24 { shown[device].removeFirst() }
        }
    }

    /// What a file held lately, the newest last.
    func shown(on device: Int) -> [JSON] { shown[device].map(\.document) }

    func part(_ isParted: Bool, isLine: Bool) {
        for one in devices.indices {
            for two in devices.indices where one < two {
                if isLine, two - one > 1 { continue }
                household.part(devices[one], devices[two], isParted)
            }
        }
    }

    /// Takes one device out of the network, or back.
    func cut(off device: Int, _ isCut: Bool, isLine: Bool) {
        for other in devices.indices where other != device {
            if isLine, abs(other - device) > 1 { continue }
            household.part(devices[device], devices[other], isCut)
        }
    }
}
