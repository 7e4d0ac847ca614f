import SaveOracle

/// A save of which is known what it is.
struct KnownSave {
    enum Kind: String, CaseIterable, Sendable {
        case play = "play"
        case lowering = "play that lowers one or two places that only grow"
        case unread = "play from memory, while something else came in"
        case read = "play on what came in"
        case partlyAnew = "a part of the game started over"
        case olderCopy = "an older copy, of which Hearth still holds a copy"
        case ancientCopy = "an older copy that is held no more"
        case newGame = "the save of a new game"
        case emptied = "everything zero or empty"
        case truncated = "valid, and its last members are missing"
        case otherSlot = "the save of another slot"

        /// Whether the game was played: then all of it has to count.
        var isPlay: Bool { [.play, .lowering, .unread, .read].contains(self) }
    }

    let kind: Kind
    let save: JSON
    /// What the game may have had in memory, the oldest first, and which of them it was.
    let candidates: [JSON]
    let base: Int
}

extension JSON {
    /// With null, false, 0 and nothing everywhere.
    var zeroed: JSON {
        switch self {
        case .null: .null
        case .bool: .bool(false)
        case .number: .number("0")
        case .string: .string("")
        case .array: .array([])
        case .object(let members): .object(members.map { .init($0.name, $0.value.zeroed) })
        }
    }

    /// Without its last members; a part of them is gone where there are few.
    func truncated(_ dice: inout Dice) -> JSON {
        guard case .object(let members) = self, !members.isEmpty else { return self }
        let kept = dice.number(0...members.count - 1)
        var result = Array(members.prefix(kept))
        if dice.once(in: 2), members[kept].value.members != nil {
            result.append(.init(members[kept].name, members[kept].value.truncated(&dice)))
        }
        return .object(result)
    }

    /// With one or two members as a game begins with them.
    func partlyAnew(_ begun: JSON, _ dice: inout Dice) -> JSON {
        dice.some((begun.members ?? []), dice.number(1...2)).reduce(self) { $0.setting($1.name, to: $1.value) }
    }

    /// With one or two places lowered that only grow; `nil` where none holds anything.
    func lowered(_ rules: RuleTable, _ dice: inout Dice) -> JSON? {
        let places = leaves(rules).filter { place, rule in
            rule.onlyGrows && place.steps.reduce(self as JSON?) { $0?.at($1) }.flatMap { rule.lower($0) } != nil
        }
        guard !places.isEmpty else { return nil }
        return dice.some(places, dice.number(1...2)).reduce(self) { save, place in
            save.changed(place.place.steps[...]) { place.rule.lower($0) ?? $0 }
        }
    }
}

extension Rule {
    /// A value with less of what the rule keeps; `nil` where there is none.
    fileprivate func lower(_ value: JSON) -> JSON? {
        switch (merge, value) {
        case (.flag, .bool(true)): return .bool(false)
        case (.union, .array(let list)) where list.count > 1: return .array(Array(list.dropLast()))
        case (.union, .number(let text)):
            guard let bits = UInt64(text), bits != 0 else { return nil }
            return .number(String(bits & (bits - 1)))
        case (.max, .number(let text)):
            guard let number = ExactNumber(text), ExactNumber(1) < number else { return nil }
            return .number((number - ExactNumber(1)).description)
        case (.min, .number(let text)):
            guard let number = ExactNumber(text), !number.isZero else { return nil }
            return .number((number + ExactNumber(1)).description)
        default: return nil
        }
    }
}
