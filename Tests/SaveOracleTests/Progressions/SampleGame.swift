import MergeCore
import RuleFile
import SampleSaves
import SaveOracle

/// A real game's save, played on by somebody who knows of the game only its hand-written rules: what they call
/// grow-only grows, and everything else becomes whatever it likes, as text stays text and a number a number.
struct SampleGame: PlayedGame {
    private(set) var save: JSON
    let handWritten: RuleTable
    private let layout: JSON.Layout
    private let original: String
    private var isPlayed = false
    private var dice: Dice
    private let places: [(place: Place, rule: Rule)]
    private var made = 0

    /// `nil` where the sample is no JSON, or its rules are none.
    init?(_ sample: SampleSave, seed: UInt64) {
        original = String(decoding: sample.bytes, as: UTF8.self)
        guard let save = JSON(original), let rules = try? RuleSet(yaml: sample.rules) else { return nil }
        (self.save, handWritten) = (save, RuleTable(rules))
        layout = original.contains("\n") ? .lines : .compact
        dice = Dice(seed: seed)
        places = save.leaves(handWritten)
    }

    /// As the real game wrote it, until it is played on.
    var text: String { isPlayed ? save.text(layout) : original }

    mutating func load(_ file: JSON) { save = file }

    func elsewhere(seed: UInt64) -> SampleGame {
        var other = self
        other.dice = Dice(seed: seed &+ 1_000)
        other.made += 1_000 * (1 + Int(seed % 50))
        return other
    }

    mutating func play() {
        isPlayed = true
        for _ in 0...dice.number(3...12) {
            let (place, rule) = dice.pick(places)
            var (dice, made) = (self.dice, self.made)
            save = save.changed(place.steps[...]) { Self.played($0, rule, &dice, &made) }
            (self.dice, self.made) = (dice, made)
        }
        addMember()
    }

    /// What was not there before, beside something of its kind: a thing mined for the first time, a new achievement.
    private mutating func addMember() {
        let (place, _) = dice.pick(places)
        guard dice.once(in: 2), place.steps.count > 1, case .member? = place.steps.last else { return }
        made += 1
        let name = "new thing \(made)"
        let old = place.steps.reduce(save as JSON?) { $0?.at($1) }
        guard let old, !old.isContainer else { return }
        save = save.changed(place.steps.dropLast()) { $0.members == nil ? $0 : $0.setting(name, to: old) }
    }

    private static func played(_ value: JSON, _ rule: Rule, _ dice: inout Dice, _ made: inout Int) -> JSON {
        switch value {
        case .null: return dice.once(in: 2) ? .null : .number("\(dice.number(1...9))")
        case .bool(let isSet): return .bool(rule.merge == .flag ? true : rule.onlyGrows ? isSet : !isSet)
        case .number(let text):
            guard let number = ExactNumber(text) else { return value }
            return .number(Self.moved(number, rule, &dice).description)
        case .string(let text):
            if rule.reading == .date { return value }
            if rule.reading == .number || ExactNumber(text) != nil {
                let exponent = Self.exponent(text) + dice.number(1...9)
                return .string("\(dice.number(1...9)).\(dice.number(10...99))e+\(exponent)")
            }
            return rule.onlyGrows ? value : .string(String(text.prefix(40)) + dice.pick(["!", "?", "."]))
        case .array(let list):
            made += 1
            let number = JSON.number("\(100_000 + made)")
            var new = list.allSatisfy { $0.isContainer } ? list.last ?? .number("1") : number
            // A game gives no two things one id, also where the rules do not name it.
            if case .number? = new["id"] { new = new.setting("id", to: number) }
            if rule.merge == .union { return .array(list + [.number("\(100_000 + made)")]) }
            if list.isEmpty || dice.once(in: 2) { return .array(list + [new]) }
            return .array(dice.once(in: 3) ? Array(list.dropLast()) : list.shuffled(using: &dice))
        case .object: return value
        }
    }

    private static func moved(_ number: ExactNumber, _ rule: Rule, _ dice: inout Dice) -> ExactNumber {
        let step = ExactNumber(dice.number(1...60))
        switch rule.merge {
        case .max: return number + step
        case .min: return number < step ? number : number - step
        case .union:
            guard let bits = UInt64(number.description) else { return number }
            return ExactNumber(Int(bits | 1 << UInt64(dice.number(0...30))))
        case .counter: return dice.once(in: 3) && !(number < step) ? number - step : number + step
        default: return dice.once(in: 4) ? .zero : dice.once(in: 2) && !(number < step) ? number - step : number + step
        }
    }

    /// Of a number in text, so that the next one is larger.
    private static func exponent(_ text: String) -> Int {
        guard let index = text.firstIndex(where: { $0 == "e" || $0 == "E" }) else { return text.count }
        return Int(text[text.index(after: index)...].drop { $0 == "+" }) ?? 0
    }
}
