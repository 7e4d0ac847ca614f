/// A save told again on another document: what its game changed beside the state that it had read is done to what
/// stands there.
///
/// Which state a game had read is not always known. For a state that it may have read this says what the files hold
/// then, each place by its rule. In which order a list stands is not told.
package struct Replay {
    /// What a game had read, and what it saved.
    package typealias Session = (read: JSON?, save: JSON?)

    private let rules: RuleTable
    /// Saves of others, of which this one's game knew nothing.
    private let apart: [Session]
    /// Whether the game had read a state from before something was taken back or started over: where that changed
    /// something, the save gives way.
    private let givesWay: Bool

    package init(rules: RuleTable, apart: [Session] = [], givesWay: Bool = false) {
        (self.rules, self.apart, self.givesWay) = (rules, apart, givesWay)
    }

    /// - Parameters:
    ///   - read: The state that the game had read.
    ///   - save: What it saved.
    ///   - document: What the household held meanwhile.
    /// - Returns: What the household holds then; places of a device's own stand as in the document.
    package func onto(_ document: JSON?, read: JSON?, save: JSON?) -> JSON? { tell(.root, read, save, document) }

    private func tell(_ place: Place, _ read: JSON?, _ save: JSON?, _ there: JSON?) -> JSON? {
        let rule = rules.rule(at: place)
        if rule.merge == .local || same(read, save) { return there }
        let known = [read, there].compactMap { $0 }
        let isObject = save?.members != nil && known.allSatisfy { $0.members != nil } && !rule.takesAll
        if givesWay, !isObject, !same(read, there) { return there }
        guard let save else { return removed(place, rule, read, there) }
        // What another one removed comes back whole.
        if rule.takesAll || there == nil && read != nil && save.isContainer { return save }
        if isObject { return object(place, read, save, there) }
        guard save.elements != nil, known.allSatisfy({ $0.elements != nil }) else {
            return leaf(rule, read, save, there)
        }
        switch rules.shape(at: place) {
        case .value: return save
        case .elements: return list(rule, read, save, there)
        case .indexed, .keyed: return array(place, read, save, there)
        }
    }

    /// What another one changed in it brings it back; of a value under `latest` the removal is the newer word.
    private func removed(_ place: Place, _ rule: Rule, _ read: JSON?, _ there: JSON?) -> JSON? {
        guard let there, let read else { return there }
        if !there.isContainer, rule.onlyGrows { return there }
        // Of a set, what another one added stays.
        if rule.merge == .set, rules.shape(at: place) == .elements {
            let known = Set((read.elements ?? []).map(\.identity))
            let added = (there.elements ?? []).filter { !known.contains($0.identity) }
            return added.isEmpty ? nil : .array(added)
        }
        let isEdited = ([(read, there)] + apart.map { ($0.read?.at(place), $0.save?.at(place)) }).contains {
            (former: JSON?, latter: JSON?) in
            let essences = [former, latter].map { $0.flatMap { rules.essence(of: $0, at: place) } }
            return latter != nil && !same(essences[0], essences[1], spelling: false)
        }
        // Of a counter, what another one earned stays.
        if isEdited, rule.merge == .counter, let old = rule.number(read), let new = rule.number(there) {
            return Self.spelled(new - old, as: there)
        }
        return isEdited && there.isContainer ? there : nil
    }

    private func object(_ place: Place, _ read: JSON?, _ save: JSON, _ there: JSON?) -> JSON? {
        var result = there ?? .object([])
        for name in names(save, there, read) {
            let value = tell(place.appending(.member(name)), read?[name], save[name], there?[name])
            result = result.setting(name, to: value)
        }
        // Where all of a new object gives way, nothing of it is there.
        return givesWay && there == nil && result.isEmpty ? nil : result
    }

    private func names(_ values: JSON?...) -> [String] {
        var seen = Set<String>()
        return values.flatMap { ($0?.members ?? []).map(\.name) }.filter { seen.insert($0).inserted }
    }

    private func array(_ place: Place, _ read: JSON?, _ save: JSON, _ there: JSON?) -> JSON? {
        var steps: [Place.Step] = []
        for value in [save, there, read].compactMap({ $0 }) {
            for step in value.steps(rules.shape(at: place)) where !steps.contains(step) { steps.append(step) }
        }
        return .array(
            steps.compactMap { step in
                let inner = place.appending(step)
                let (old, new, now) = (read?.at(step), save.at(step), there?.at(step))
                guard case .element(let key, _) = step else { return tell(inner, old, new, now) }
                // The key is no value that the game changes.
                return tell(inner, old, new, now)?.setting(key, to: (new ?? now ?? old)?[key])
            })
    }

    private func list(_ rule: Rule, _ read: JSON?, _ save: JSON, _ there: JSON?) -> JSON {
        func ids(_ value: JSON?) -> Set<String> { Set((value?.elements ?? []).map(\.identity)) }
        let (old, new, held) = (ids(read), ids(save), ids(there))
        let kept = (there?.elements ?? []).filter { element in
            rule.merge == .union || new.contains(element.identity) || !old.contains(element.identity)
        }
        let added = (save.elements ?? []).filter { !old.contains($0.identity) && !held.contains($0.identity) }
        let all = kept + added
        guard let limit = rule.limit else { return .array(all) }
        return .array(Array(all.sorted(by: rule.shows).prefix(limit)))
    }

    /// A number as text where the save has it so.
    private static func spelled(_ number: ExactNumber, as former: JSON) -> JSON {
        if case .string = former { return .string(number.description) }
        return .number(number.description)
    }

    private func leaf(_ rule: Rule, _ read: JSON?, _ save: JSON, _ there: JSON?) -> JSON? {
        guard rule.canRead(save) else { return there }
        switch rule.merge {
        case .max, .min:
            guard let there, !rule.isNone(there) else { return save }
            return !rule.isNone(save) && rule.compare(save, there) == rule.better ? save : there
        case .counter:
            func amount(_ value: JSON?) -> ExactNumber { value.flatMap(rule.number) ?? .zero }
            // What was spent twice is a debt, which shows as nothing, see `showsDebt`.
            return Self.spelled(amount(there) + (amount(save) - amount(read)), as: save)
        case .flag: return .bool([save, there].contains { same($0, .bool(true)) })
        case .union where rule.reading == .bits:
            return .number(String((rule.bits(save) ?? 0) | (there.flatMap(rule.bits) ?? 0)))
        default: return save
        }
    }
}

extension RuleTable {
    /// Whether two documents hold the same at a place that a finding names: all but the order of lists, the spelling of
    /// numbers, and what is a device's own.
    package func holdSame(_ one: JSON?, _ two: JSON?, at text: String) -> Bool {
        let values = [one, two].map { document in
            document.flatMap { part(of: $0, at: text, .root) }.flatMap { part in
                essence(of: part.value, at: part.place, withChoices: false).map { Self.unordered($0) }
            }
        }
        return same(values[0], values[1], spelling: false)
    }

    /// Whether a counter that is spent below zero in one document shows as zero in the other.
    package func showsDebt(_ one: JSON?, _ two: JSON?, at text: String) -> Bool {
        let amounts = [one, two].map { document in
            document.flatMap { part(of: $0, at: text, .root) }.flatMap { rule(at: $0.place).number($0.value) }
        }
        return amounts[0]?.isBelowZero == true && amounts[1] == .zero
    }

    /// What stands at a place that is given as text.
    private func part(of value: JSON, at text: String, _ place: Place) -> (place: Place, value: JSON)? {
        if "\(place)" == text { return (place, value) }
        for part in parts(of: value, at: place) {
            let inner = place.appending(part.step)
            guard text.hasPrefix("\(inner)"), let found = self.part(of: part.value, at: text, inner) else { continue }
            return found
        }
        return nil
    }

    private static func unordered(_ value: JSON) -> JSON {
        if let members = value.members { return .object(members.map { .init($0.name, unordered($0.value)) }) }
        guard let elements = value.elements else { return value }
        return .array(elements.map(unordered).sorted { $0.identity < $1.identity })
    }
}
