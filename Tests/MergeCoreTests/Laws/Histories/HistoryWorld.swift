import LosslessJSON
import TestSupport
import Testing

@testable import MergeCore

/// A household with random rules, the ledger of what happened in it, and the story in words.
struct HistoryWorld {
    /// A mistake put in on purpose, to see that it is found and told in few steps.
    enum Fault { case firstDeviceLosesCounters }

    private(set) var devices: [Device]
    private(set) var ledger: HistoryLedger
    private(set) var story: [String] = []
    private let names: [JSONString]
    private var fields: [HistoryField]
    /// Former documents, for restores and undos.
    private var documents: [JSONDocument]
    private let fault: Fault?

    init(devices count: Int, fields: [HistoryField], skew: [Int64], fault: Fault? = nil) {
        self.fields = fields
        self.fault = fault
        names = fields.indices.map { JSONString("m\($0)") }
        ledger = HistoryLedger(fields)
        let start = JSONValue.object(zip(names, fields).map { JSONMember(key: $0, value: $1.start) })
        devices = Device.household(count, Self.rules(fields), sharing: start.spelled)
        documents = [document(start)]
        story = [
            "start: " + zip(names, fields).map { "\($0) (\($1.name)) \($1.start.spelled)" }.joined(separator: ", ")
        ]
        for index in devices.indices { devices[index].clock += .milliseconds(skew[index % skew.count]) }
        for member in fields.indices { ledger.start(member, fields[member].start, devices[0]) }
    }

    private static func rules(_ fields: [HistoryField]) -> RuleSet {
        let entries = fields.enumerated().flatMap { member, field in
            field.rules.map { RuleSet.Entry(try! RulePattern(parsing: "/m\(member)" + $0.suffix), $0.rule) }
        }
        return try! RuleSet(entries)
    }

    // MARK: Steps

    /// Does one step; returns what is wrong afterwards.
    mutating func take(_ step: HistoryStep) throws -> String? {
        switch step {
        case .save(let device, let back, let edits): save(device, back, edits)
        case .pull(let device, let other, let seed):
            if let wrong = pull(device, other, seed) { return wrong }
        case .project(let device):
            devices[device].project()
            if let document = devices[device].snapshots.last?.document { documents.append(document) }
            story.append("\(device) shows \(devices[device].shown)")
        case .meet:
            meet()
            story.append("all meet")
        case .reset(let device, let members, let to):
            let start = to.map { former($0) }
            let selector = PathSelector(
                patterns: try members.sorted().map { try RulePattern(parsing: "/\(names[$0])") })
            _ = try devices[device].state.reset(
                selector, to: start, devices[device].context(devices[device].state.vector))
            began(device, members, start)
            story.append("\(device) resets \(list(members)) to \(start.map { text($0.bytes) } ?? "nothing")")
        case .restore(let device, let number):
            let former = former(number)
            _ = try devices[device].state.restore(former, devices[device].context(devices[device].state.vector))
            began(device, nil, former)
            story.append("\(device) restores \(text(former.bytes))")
        case .undo(let device, let members, let number):
            let former = former(number)
            let places = members.sorted().map { DocumentPath([.member(names[$0])]) }
            _ = try devices[device].state.undo(
                places,
                to: former,
                devices[device].context(devices[device].state.vector)
            )
            began(device, members, former)
            story.append("\(device) takes back \(list(members)) to \(text(former.bytes))")
        case .decide(let device, let pick): decide(device, pick)
        case .rule(let device, let member, let pick): changeRule(device, member, pick)
        }
        return disagreement()
    }

    private mutating func save(_ device: Int, _ back: Int, _ edits: [(member: Int, seed: UInt64)]) {
        let snapshots = devices[device].snapshots
        let base = snapshots[max(0, snapshots.count - 1 - back)]
        let former = base.document.value(base.document.root)
        var value = former
        let known = devices[device].state.vector
        for (member, seed) in edits {
            var random = SeededRandom(seed: seed)
            value = value.setting(names[member], to: fields[member].edit(value[names[member]], &random))
        }
        devices[device].save(document(value), on: base)
        var told: [String] = []
        for member in Set(edits.map(\.member)).sorted() {
            let (old, new) = (former[names[member]], value[names[member]])
            ledger.wrote(member, from: old, to: new, base: base.vector, devices[device], before: known)
            told.append("\(names[member]) from \(old?.spelled ?? "nothing") to \(new?.spelled ?? "nothing")")
        }
        story.append("\(device) writes \(told.joined(separator: ", "))\(back > 0 ? ", on the image \(back) back" : "")")
    }

    private mutating func pull(_ device: Int, _ other: Int, _ seed: UInt64) -> String? {
        let (mine, theirs) = (devices[device].state, devices[other].state)
        if seed % 3 == 0, let wrong = HistoryLaws.broken(mine, theirs, seed: seed) {
            return wrong
        }
        if fault == .firstDeviceLosesCounters, device == 0 {
            let some = theirs.delta(beyond: mine.vector).filter { $0.key.kind.base != .counter }
            devices[0].state.join(some, vector: theirs.vector)
        }
        devices[device].pull(devices[other])
        story.append("\(device) hears \(other)")
        return nil
    }

    private mutating func meet() {
        for _ in 0..<2 {
            for a in devices.indices {
                for b in devices.indices where a != b { devices[a].pull(devices[b]) }
            }
        }
    }

    private mutating func began(_ device: Int, _ members: Set<Int>?, _ start: JSONDocument?) {
        let state = devices[device].state
        let dot = Dot(replica: devices[device].replica, sequence: state.vector.sequence(of: devices[device].replica))
        ledger.began(state.epochs[0].id, members, dot)
        devices[device].touched = nil
        guard let start, case let value = start.value(start.root) else { return }
        for member in fields.indices where members?.contains(member) ?? true {
            ledger.start(member, value[names[member]], devices[device])
        }
    }

    private mutating func decide(_ device: Int, _ pick: Int) {
        guard let path = devices[device].state.openChoices.first else { return }
        let open = devices[device].state.openChoice(path)
        guard let value = open[pick % open.count].value else { return }
        _ = devices[device].state.decide(path, value, devices[device].context(devices[device].state.vector))
        devices[device].touched = nil
        story.append("\(device) decides \(path): \(value.spelled)")
    }

    private mutating func changeRule(_ device: Int, _ member: Int, _ pick: Int) {
        let family = HistoryField.all.filter { $0.family != nil && $0.family == fields[member].family }
        guard !family.isEmpty, let last = devices[device].snapshots.last else { return }
        fields[member] = family[pick % family.count]
        ledger.close(member)
        // The others keep the rules that this device knows.
        let state = devices[device].state
        let others = state.rules.entries.filter {
            !$0.pattern.description.hasPrefix("/m\(member)/") && $0.pattern.description != "/m\(member)"
        }
        let own = Self.rules(fields).entries.filter { $0.pattern.description == "/m\(member)" }
        let rules = try! RuleSet(others + own)
        _ = devices[device].state.changeRules(
            to: rules,
            document: last.document,
            devices[device].context(state.vector)
        )
        devices[device].touched = nil
        story.append("\(device) makes \(names[member]) \(fields[member].name)")
    }

    private func former(_ number: Int) -> JSONDocument { documents[documents.count - 1 - number % documents.count] }

    private func list(_ members: Set<Int>) -> String {
        members.sorted().map { names[$0].string }.joined(separator: ", ")
    }

    // MARK: What must hold

    private func disagreement() -> String? {
        for (index, device) in devices.enumerated() {
            for member in names.indices {
                if let wrong = ledger.disagrees(member, names[member], device.state) {
                    return "on device \(index) \(wrong)"
                }
            }
        }
        return nil
    }

    /// Everybody hears of everything: then all hold the same and show the same.
    mutating func finish() throws -> String? {
        if let wrong = HistoryLaws.orderMatters(devices.map(\.state)) { return wrong }
        for _ in 0..<8 {
            meet()
            let vector = devices[0].state.vector
            if devices.allSatisfy({ $0.state.vector == vector }) { break }
        }
        for index in devices.indices { devices[index].project() }
        return try disagreement() ?? HistoryLaws.differ(devices)
    }
}
