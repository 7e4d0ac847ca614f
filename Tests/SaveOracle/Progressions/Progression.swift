/// A made-up game in the shape of a real one, played session after session: a save, what play makes of it, and the
/// rules that a person who knows the game would write.
///
/// Play does what such games do: it earns and spends, sells, starts over, toggles, sorts, and writes what it likes into
/// what no rule is on. It lowers nothing that the hand-written rules call grow-only.
package struct Progression: Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case incremental, story, inventory, statistics, levelStars, baseBuilding
    }

    package let kind: Kind
    /// How the game writes names: `bestScore`, or `best_score`.
    package let isSnaked: Bool
    package let layout: JSON.Layout
    /// The save as the game has it in memory.
    var inner: JSON
    var dice: Dice
    /// What makes ids that were not there before, on no other device either.
    var made: Int

    /// A game that was just begun.
    package init(_ kind: Kind, seed: UInt64) {
        self.kind = kind
        var dice = Dice(seed: seed &+ 17)
        isSnaked = dice.once(in: 2)
        layout = dice.pick(JSON.Layout.allCases)
        made = 100
        self.dice = dice
        inner = .null
        inner = begun()
    }

    /// The save as it stands in the file.
    package var save: JSON { isSnaked ? inner.renamed(Self.snaked) : inner }

    package var text: String { save.text(layout) }

    /// The same save in other hands: it plays on with luck of its own.
    package func elsewhere(seed: UInt64) -> Progression {
        var other = self
        other.dice = Dice(seed: seed &+ 1_000)
        other.made += 1_000 * (1 + Int(seed % 50))
        return other
    }

    /// A session of play.
    package mutating func play() {
        for _ in 0...dice.number(0...3) {
            switch kind {
            case .incremental: playIncremental()
            case .story: playStory()
            case .inventory: playInventory()
            case .statistics: playStatistics()
            case .levelStars: playLevelStars()
            case .baseBuilding: playBaseBuilding()
            }
        }
    }

    /// The rules of a person who knows the game.
    package var rules: RuleTable {
        RuleTable(
            handWritten.map { path, rule in
                guard let rule = Rule(yaml: rule) else { preconditionFailure("no rule: \(rule)") }
                let pattern = Pattern(text: path)
                return (isSnaked ? pattern.renamed(Self.snaked) : pattern, rule)
            })
    }

    /// The game goes on from a file.
    package mutating func load(_ file: JSON) { inner = isSnaked ? file.renamed(Self.joined) : file }

    /// `bestScore` as `best_score`; names with a colon are ids and stay.
    private static func snaked(_ name: String) -> String {
        if name.contains(":") { return name }
        return name.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
    }

    private static func joined(_ name: String) -> String {
        if name.contains(":") { return name }
        let words = name.split(separator: "_", omittingEmptySubsequences: false)
        return words.dropFirst().reduce(words.first.map(String.init) ?? "") { name, word in
            name + word.prefix(1).uppercased() + word.dropFirst()
        }
    }

    // MARK: Changing the save

    mutating func change(_ path: String, _ body: (JSON?) -> JSON?) {
        inner = inner.changed(path.split(separator: "/").map(String.init)[...], body)
    }

    mutating func set(_ path: String, _ new: JSON?) { change(path) { _ in new } }

    mutating func set(_ path: String, _ number: Int) { set(path, .number("\(number)")) }

    mutating func add(_ path: String, _ amount: Int, floor: Int = 0) {
        change(path) { .number("\(Swift.max(floor, ($0?.int ?? 0) + amount))") }
    }

    mutating func raise(_ path: String, to new: Int) { change(path) { .number("\(Swift.max($0?.int ?? 0, new))") } }

    mutating func toggle(_ path: String) {
        change(path) { if case .bool(true)? = $0 { .bool(false) } else { .bool(true) } }
    }

    mutating func list(_ path: String, _ body: (inout [JSON], inout Dice) -> Void) {
        var dice = dice
        change(path) { value in
            guard var elements = value?.elements else { return value }
            body(&elements, &dice)
            return .array(elements)
        }
        self.dice = dice
    }

    mutating func include(_ path: String, _ new: JSON) {
        list(path) { list, _ in
            if !list.contains(where: { $0.isSame(as: new) }) { list.append(new) }
        }
    }

    func int(_ path: String) -> Int {
        path.split(separator: "/").reduce(inner as JSON?) { $0?[String($1)] }?.int ?? 0
    }

    mutating func new() -> Int {
        made += 1
        return made
    }
}

extension JSON {
    var int: Int? { if case .number(let text) = self { Int(text) } else { nil } }

    /// With what stands at a path changed; containers on the way are made.
    func changed(_ path: ArraySlice<String>, _ body: (JSON?) -> JSON?) -> JSON {
        guard let name = path.first else { return self }
        if path.count == 1 { return setting(name, to: body(self[name])) }
        return setting(name, to: (self[name] ?? .object([])).changed(path.dropFirst(), body))
    }

    /// With every member's name changed.
    func renamed(_ name: (String) -> String) -> JSON {
        switch self {
        case .array(let elements): .array(elements.map { $0.renamed(name) })
        case .object(let members): .object(members.map { .init(name($0.name), $0.value.renamed(name)) })
        default: self
        }
    }
}

extension Pattern {
    func renamed(_ name: (String) -> String) -> Pattern {
        Pattern(
            steps.map { step in
                switch step {
                case .name(let old): .name(name(old))
                case .keyed(let key): .keyed(name(key))
                default: step
                }
            })
    }
}
