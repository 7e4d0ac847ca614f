import HouseholdAgent
import HouseholdSimulation
import LosslessJSON
import MergeCore
import SaveOracle
import TestSupport

/// Two paired devices in virtual time, and any number of saves that both have: the whole way of a save, from the file
/// on one device to the file on the other, and what is said of it.
final class TwoMachines {
    struct Failure: Error, CustomStringConvertible { let description: String }

    let household: SimulatedHousehold
    let devices: [SimulatedDevice]

    init(seed: UInt64 = 1) throws {
        household = SimulatedHousehold(seed: seed)
        devices = [try household.addDevice("laptop"), try household.addDevice("deck")]
        try household.pair(devices[0], devices[1])
        household.run(milliseconds: 2_000)
    }

    private static func path(_ name: String) -> String { "/saves/\(name).json" }

    /// Gives both devices one save, byte for byte.
    func share(_ text: String, as name: String, under rules: RuleSet?) throws {
        let path = Self.path(name)
        household.save(text, to: path, on: devices[0])
        guard case .response(is ProfileAnswer)? = ask(AddRequest(path: path, name: name, rules: rules), on: 0) else {
            throw Failure(description: "not added: \(devices[0].replies.values.flatMap { $0 })")
        }
        household.run(milliseconds: 5_000)
        guard case .response(is ProfileAnswer)? = ask(RestoreRequest(profile: name, path: path), on: 1) else {
            throw Failure(description: "not restored: \(devices[1].replies.values.flatMap { $0 })")
        }
        household.run(milliseconds: 5_000)
        guard self.text(name, 1) != text else { return }
        // What is the device's own is not restored: the game there writes it anew.
        household.save(text, to: path, on: devices[1])
        household.run(milliseconds: 5_000)
    }

    func save(_ text: String, as name: String, on device: Int) {
        household.save(text, to: Self.path(name), on: devices[device])
        household.run(milliseconds: 2_000)
    }

    /// The player starts a scope of the rules over.
    func reset(_ name: String, _ scope: String, on device: Int) throws {
        guard case .response? = ask(ResetRequest(profile: name, scope: scope), on: device) else {
            throw Failure(description: "not reset: \(devices[device].replies.values.flatMap { $0 })")
        }
    }

    /// A game that is known to run, so that Hearth knows what it had read; what comes in waits until it ends.
    func start(_ name: String, on device: Int) -> RequestID {
        let id = household.ask(PlayRequest(profile: name, game: "game", since: nil), on: devices[device])
        household.run(milliseconds: 6_000)
        return id
    }

    func end(_ game: RequestID, on device: Int) {
        household.abandon(game, on: devices[device])
        household.run(milliseconds: 3_000)
    }

    func text(_ name: String, _ device: Int) -> String? { household.text(of: Self.path(name), on: devices[device]) }

    func file(_ name: String, _ device: Int) -> JSON? { text(name, device).flatMap { JSON($0) } }

    /// Apart, neither hears of the other.
    func part(_ isParted: Bool) {
        household.part(devices[0], devices[1], isParted)
        household.run(milliseconds: isParted ? 1_000 : 60_000)
    }

    /// The last answer to a request, when it is there.
    func ask(_ request: any AgentRequest, on device: Int) -> AgentReply? {
        let id = household.ask(request, on: devices[device])
        _ = household.run(until: { devices[device].replies[id]?.last?.isFinal == true })
        return devices[device].replies[id]?.last
    }

    // MARK: What is said

    /// What a device says of a save.
    struct Words: CustomStringConvertible {
        /// What waits for the player, open choices aside.
        var asked: [String] = []
        /// Open choices.
        var choices: [String] = []
        /// What was guessed, kept or put aside.
        var remark: String?
        /// Places that their rule cannot read.
        var notRead: [String] = []
        /// Anything else that is not well.
        var trouble: [String] = []

        /// Whether the player is told of places that a game lowered and their rules keep.
        var namesLowered: Bool { remark?.contains("the game changed") == true }
        var isAllWell: Bool { asked + choices + notRead + trouble == [] && remark == nil }

        var description: String { (asked + choices + notRead + trouble + [remark ?? ""]).joined(separator: "; ") }
    }

    func words(_ name: String, _ device: Int) -> Words {
        guard let status = ask(StatusRequest(), on: device)?.message(StatusReport.self),
            let profile = status.profiles.first(where: { $0.name == name }),
            let open = ask(ConflictsRequest(profile: name), on: device)?.message(ConflictList.self)?.conflicts
        else { return Words(trouble: ["no status"]) }
        var words = Words(remark: profile.remark, notRead: profile.unreadable)
        if let remark = profile.remark, remark.contains("does not take what the game wrote") {
            words.notRead.append(remark)
        }
        words.choices = open.map(\.place)
        words.asked = open.isEmpty ? profile.decisions ?? [] : []
        if profile.state != "good" { words.trouble.append(profile.state) }
        words.trouble += [profile.reason, profile.held, profile.backupTrouble].compactMap { $0 }
        return words
    }
}

extension RuleTable {
    /// Rules as the model reads them.
    init(_ set: RuleSet) {
        self.init(set.entries.map { (Pattern(text: $0.pattern.description), Rule($0.rule)) })
    }
}

extension Rule {
    /// A rule as the model reads it.
    init(_ rule: MergeRule) {
        guard let merge = Merge(rawValue: rule.merge.rawValue) else { preconditionFailure("no rule: \(rule.merge)") }
        self.init(merge, as: rule.reading.flatMap { Reading(rawValue: $0.rawValue) })
        (format, isWhole, limit) = (rule.format, rule.whole, rule.limit)
        none = rule.none.map { String(decoding: $0.jsonBytes, as: UTF8.self) }
        by = rule.by.map(\.string)
        sort = rule.sort?.string
    }
}
