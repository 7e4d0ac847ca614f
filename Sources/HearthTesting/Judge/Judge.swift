import LosslessJSON
import MergeCore

/// Judges what the files hold when all is quiet, by what the games read and wrote and by the words of the rules alone:
/// it shares no code with the merge.
///
/// Where a place was removed by one game and written by another, where it was one value to one and a container to another,
/// where a rule shows only some of its elements, and in a round in which a player undid, reset or restored, it does not know
/// what must be there and says nothing of values. The same goes for counters while one owes, and for choices while one is
/// open.
struct Judge {
    let names: [String]
    let rules: RuleSet
    let round: Round
    let files: [ParsedSave?]
    private(set) var findings: [HouseholdFinding] = []
    /// What came of places that two devices had written apart.
    private(set) var outcomes = RuleOutcomes()

    init(names: [String], rules: RuleSet, round: Round, files: [ParsedSave?]) {
        (self.names, self.rules, self.round, self.files) = (names, rules, round, files)
    }

    mutating func note(
        _ kind: HouseholdFinding.Kind, _ device: Int?, _ place: SavePlace?, expected: String?, found: String?,
        _ message: String
    ) {
        findings.append(
            HouseholdFinding(
                kind, device: device.map { names[$0] }, place: place?.description, expected: expected, found: found,
                message: message))
    }

    mutating func note(outcome pattern: String?, _ rule: MergeRule, example: String) {
        outcomes.add(pattern, rule, example: example)
    }

    // MARK: The laws

    /// All files hold the same.
    mutating func judgeConvergence() {
        for device in files.indices.dropFirst() {
            let (first, other) = (files[0]?.shared, files[device]?.shared)
            guard files[0] !== files[device], first != other else { continue }
            let place = difference(first?.value, other?.value)
            note(
                .converged, device, place, expected: first?.value?.text, found: other?.value?.text,
                "its file holds something else than that of \(names[0])\(place.map { " at \($0)" } ?? "")")
        }
    }

    /// One writer: the others have its save.
    mutating func judgeIdentity() {
        guard round.acts.isEmpty, round.writers.count == 1, let writer = round.writers.first,
            !round.plays.contains(where: \.isFromMemory), let save = round.last(of: writer)
        else { return }
        let (expected, former) = (save.leaves, round.before[writer]?.leaves ?? .none)
        for device in files.indices where files[device] !== save {
            let found = files[device]?.leaves ?? .none
            for leaf in expected.all where isJudged(leaf.rule) && !leaf.value.isEmptyContainer {
                guard !isSame(leaf.value, found[leaf.place], leaf.rule), !isKept(leaf, former) else { continue }
                note(
                    .identity, device, leaf.place, expected: leaf.value.text, found: found[leaf.place]?.text,
                    "only \(names[writer]) played, and \(leaf.place) is \(found[leaf.place]?.text ?? "missing"), "
                        + "not \(leaf.value.text)")
            }
            // An element that was removed is back where another device brought its file in again.
            for leaf in found.all
            where expected[leaf.place] == nil && isJudged(leaf.rule) && !round.isBroughtAgain {
                guard !leaf.value.isEmptyContainer, save.value.at(leaf.place) == nil, !leaf.rule.isGrowOnly else {
                    continue
                }
                note(
                    .identity, device, leaf.place, expected: nil, found: leaf.value.text,
                    "only \(names[writer]) played, whose save has no \(leaf.place)")
            }
        }
    }

    /// Whether values under a rule are judged in this round.
    func isJudged(_ rule: MergeRule) -> Bool { rule.merge != .local && !round.unjudged.contains(rule.merge) }

    /// Whether a rule keeps what was there, since the save lowered it.
    private func isKept(_ leaf: SaveLeaf, _ former: SaveLeaves) -> Bool {
        guard leaf.rule.isGrowOnly else { return false }
        let values =
            [former[leaf.place]]
            + round.plays.flatMap {
                [$0.read.value.at(leaf.place), $0.written.value.at(leaf.place)]
            }
        return values.contains { $0 != nil && $0 != leaf.value }
    }

    /// Whether two values are the same under a rule: the order of a set's elements does not count.
    func isSame(_ one: JSONValue, _ other: JSONValue?, _ rule: MergeRule) -> Bool {
        guard rule.isOfElements, case .array(let elements) = one, case .array(let others)? = other else {
            return one == other
        }
        return Set(elements) == Set(others)
    }

    /// The first place at which two saves differ.
    private func difference(_ one: JSONValue?, _ other: JSONValue?) -> SavePlace? {
        let (first, second) = (SaveLeaves(of: one, rules), SaveLeaves(of: other, rules))
        return first.all.first { !isSame($0.value, second[$0.place], $0.rule) }?.place
            ?? second.all.first { first[$0.place] == nil }?.place
    }
}

extension JSONValue {
    /// Whether this is an object or a list with nothing in it.
    var isEmptyContainer: Bool { self == .array([]) || self == .object([]) }
}
