/// Two saves that came from one, and the rules: what `hearth merge` gets.
package struct MergeCase: Sendable {
    package var rules: RuleTable
    package var base: JSON
    package var a: JSON
    package var b: JSON
    /// When the files were changed last.
    package var (timeA, timeB): (Int, Int)

    package init(rules: RuleTable, base: JSON, a: JSON, b: JSON, timeA: Int, timeB: Int) {
        (self.rules, self.base, self.a, self.b) = (rules, base, a, b)
        (self.timeA, self.timeB) = (timeA, timeB)
    }

    /// A case that is the same for the same seed.
    package init(seed: UInt64) {
        var dice = Dice(seed: seed)
        var game = Field.save(&dice)
        // A save that carries a checksum of itself, say, is one value.
        if dice.once(in: 40) {
            var rule = Rule(dice.pick([.choice, .latest]))
            rule.isWhole = rule.merge == .latest
            game = .whole(rule, game)
        }
        rules = RuleTable(game.rules(at: Pattern([])))
        base = game.save(&dice)
        if dice.once(in: 8), !rules.rule(at: .root).takesAll, let members = base.members, !members.isEmpty {
            (rules.resetAt, rules.resets) = ("reset", [("all", members.map(\.name))])
            if dice.once(in: 2) { base = base.setting("reset", to: .string("")) }
        }
        let losing = dice.once(in: 20) ? 3 : 0
        let start = base
        func side(_ dice: inout Dice) -> JSON {
            var save = start
            for _ in 0..<dice.pick([0, 1, 1, 1, 2, 3]) { save = game.play(save, &dice, losing: losing) }
            return save
        }
        a = side(&dice)
        b = side(&dice)
        timeA = 2_000 + dice.number(0...3)
        timeB = 2_000 + dice.number(0...3)
    }

    /// What each side means beside the base. A counter was spent where either side holds less of it.
    package var meanings: [SaveMeaning] {
        var spent = Set<String>()
        for side in [a, b] { SpentCounters(rules: rules).collect(base, side, at: .root, into: &spent) }
        return [a, b].map { side in
            SaveMeaning(from: base, to: side, rules: rules) { spent.contains($0.description) }
        }
    }

    /// What is wrong with a result.
    ///
    /// - Parameters:
    ///   - own: 0 for `merge A B` and 1 for `merge B A`.
    ///   - asked: The sides of which the program says that a person must decide: 0 for A, 1 for B.
    package func findings(_ result: JSON, own: Int, asked: Set<Int> = []) -> [Finding] {
        var findings: [Finding] = []
        for (side, meaning) in meanings.enumerated() where !meaning.isMixed {
            if meaning.isQuestion == asked.contains(side) { continue }
            let name = side == 0 ? "A" : "B"
            let counts = "up \(meaning.up), down \(meaning.down), removed \(meaning.removed)"
            let kind = meaning.isQuestion ? "a question is not asked" : "asked of an edit"
            let found = meaning.isQuestion ? "an edit" : "a question"
            findings.append(Finding(.words, kind, expected: "not so for \(name): \(counts)", found: found))
        }
        let safe = SafeGains(rules: rules)
        let sides = [a, b].enumerated().map { side, value in
            asked.contains(side) ? safe.taken(base, value) ?? value : value
        }
        var judge = Judge(rules: rules, own: own) { [timeA, timeB] side, _ in side == 0 ? timeA : timeB }
        judge.asked = asked
        judge.judge(base: base, sides: sides, found: result)
        return findings + judge.findings
    }
}

/// Finds the counters that a side holds less of than the base.
private struct SpentCounters {
    let rules: RuleTable

    func collect(_ base: JSON?, _ side: JSON?, at place: Place, into spent: inout Set<String>) {
        guard let base, let side else { return }
        let rule = rules.rule(at: place)
        if rule.takesAll { return }
        if rule.merge == .counter, let old = rule.number(base), let new = rule.number(side), new < old {
            spent.insert(place.description)
        }
        for step in base.steps(rules.shape(at: place)) {
            collect(base.at(step), side.at(step), at: place.appending(step), into: &spent)
        }
    }
}

extension MergeCase {
    /// How the game lays out its files.
    package var layout: JSON.Layout { JSON.Layout.allCases[(timeA + timeB) % 3] }

    /// Cases with a little less in them, the boldest first.
    package func smaller() -> [MergeCase] {
        var cases: [MergeCase] = []
        func add(_ base: JSON?, _ a: JSON?, _ b: JSON?) {
            guard let base, let a, let b else { return }
            var item = self
            (item.base, item.a, item.b) = (base, a, b)
            cases.append(item)
        }
        for path in base.paths(and: a, b) {
            add(base.removing(path), a.removing(path), b.removing(path))
        }
        for path in base.paths(and: a, b) {
            let old = base.at(path)
            if !same(a.at(path), old) { add(base, a.replacing(path, with: old), b) }
            if !same(b.at(path), old) { add(base, a, b.replacing(path, with: old)) }
        }
        cases = cases.filter { rules.canHold($0.base) && rules.canHold($0.a) && rules.canHold($0.b) }
        for index in rules.rules.indices {
            var item = self
            item.rules.rules.remove(at: index)
            cases.append(item)
        }
        return cases
    }

    /// As text, for people: what to write into files.
    package var text: String {
        """
        rules: \(rules.yaml.dropFirst("rules:\n".count).split(separator: "\n").joined(separator: " ;"))
        O: \(base.text(.spaced))
        A: \(a.text(.spaced))  (time \(timeA))
        B: \(b.text(.spaced))  (time \(timeB))
        """
    }
}

/// Places by position, to make documents smaller.
extension JSON {
    /// All places of three documents: member names and positions, the shallow ones first.
    fileprivate func paths(and others: JSON...) -> [[String]] {
        var paths: [[String]] = []
        var seen = Set<[String]>()
        func collect(_ value: JSON, _ path: [String]) {
            if !path.isEmpty, seen.insert(path).inserted { paths.append(path) }
            for member in value.members ?? [] { collect(member.value, path + ["." + member.name]) }
            for element in value.elements ?? [] { collect(element, path + ["=" + element.shortIdentity]) }
        }
        for value in [self] + others { collect(value, []) }
        return paths.sorted { $0.count < $1.count }
    }

    /// What tells an element of a list from the others here: its key, or itself.
    private var shortIdentity: String { (self["id"] ?? self["name"] ?? self).identity }

    fileprivate func at(_ path: [String]) -> JSON? {
        guard let first = path.first else { return self }
        let rest = Array(path.dropFirst())
        if first.hasPrefix(".") { return self[String(first.dropFirst())]?.at(rest) }
        return elements?.first { "=" + $0.shortIdentity == first }?.at(rest)
    }

    fileprivate func removing(_ path: [String]) -> JSON? { replacing(path, with: nil) }

    fileprivate func replacing(_ path: [String], with value: JSON?) -> JSON? {
        guard let first = path.first else { return value }
        let rest = Array(path.dropFirst())
        if first.hasPrefix(".") {
            let name = String(first.dropFirst())
            guard members != nil else { return self }
            guard let member = self[name] else { return rest.isEmpty && value != nil ? setting(name, to: value) : self }
            return setting(name, to: member.replacing(rest, with: value))
        }
        guard var list = elements else { return self }
        guard let index = list.firstIndex(where: { "=" + $0.shortIdentity == first }) else {
            if rest.isEmpty, let value { list.append(value) }
            return .array(list)
        }
        if let changed = list[index].replacing(rest, with: value) {
            list[index] = changed
        } else {
            list.remove(at: index)
        }
        return .array(list)
    }
}
