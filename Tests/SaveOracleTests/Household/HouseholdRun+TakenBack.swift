import HouseholdAgent
import HouseholdSimulation
import SaveOracle

/// Rounds in which a reset is taken back after a game removed something, and a game adds that again.
extension HouseholdRun {
    /// What was removed before the reset stays removed when the reset is taken back; what a game then adds under that
    /// name or key is new, and holds nothing of the former one.
    mutating func takeResetBack(_ first: inout HouseholdRound) {
        let remover = anyDevice()
        guard let file = home.file(remover), let (place, next) = withoutOne(file) else { return }
        save(next, from: file, on: remover, &first)
        finish(first)
        let isGone = home.devices.indices.allSatisfy { home.file($0).map { $0.at(place) == nil } ?? false }
        guard findings.isEmpty, isGone else { return }
        var second = round(after: first)
        guard resetAndTakeBack(on: anyDevice(), second) else { return }
        finish(second)
        let adder = anyDevice()
        guard findings.isEmpty, let now = home.file(adder), let next = adding(place, to: now) else { return }
        tally["added again after a reset was taken back", default: 0] += 1
        noteDebts()
        second = round(after: first)
        save(next, from: now, on: adder, &second)
        finish(second)
    }

    private func round(after former: HouseholdRound) -> HouseholdRound {
        HouseholdRound(former.number, former.kind, before: home.devices.indices.map { home.file($0) })
    }

    /// - Returns: Whether anything started over and was taken back.
    private mutating func resetAndTakeBack(on device: Int, _ round: HouseholdRound) -> Bool {
        let scope = dice.once(in: 2) ? home.rules.resets.first?.name : nil
        let before = home.file(device).flatMap(essence)
        guard act(ResetRequest(profile: "game", scope: scope), on: device, round) else { return false }
        home.settle()
        guard !same(before, home.file(device).flatMap(essence), spelling: false) else { return false }
        guard act(UndoRequest(profile: "game", step: nil, force: false), on: device, round) else { return false }
        return true
    }

    /// A document without one of its elements, or without a member of one of its objects, so that nothing is asked.
    private mutating func withoutOne(_ document: JSON) -> (removed: Place, document: JSON)? {
        var candidates: [Place] = []
        func collect(_ value: JSON, _ place: Place) {
            for part in home.rules.parts(of: value, at: place) {
                let inner = place.appending(part.step)
                switch part.step {
                case .element: candidates.append(inner)
                case .member:
                    if !place.steps.isEmpty { candidates.append(inner) }
                    collect(part.value, inner)
                case .index: break
                }
            }
        }
        collect(document, .root)
        for place in candidates.shuffled(using: &dice) {
            let next = document.changed(place.steps.dropLast()) { $0.without(place.steps[place.steps.count - 1]) }
            let mayBeAsked = SaveMeaning(from: document, to: next, rules: home.rules).mayBeAsked
            if !mayBeAsked, !dropsFlag(from: document, to: next) { return (place, next) }
        }
        return nil
    }

    /// A document with something anew at a place at which nothing stands.
    private mutating func adding(_ place: Place, to document: JSON) -> JSON? {
        let step = place.steps[place.steps.count - 1]
        for _ in 0..<60 {
            guard let new = home.game.save(&dice).at(place) else { continue }
            let next = document.changed(place.steps.dropLast()) { container in
                switch step {
                case .member(let name): container.setting(name, to: new)
                case .element, .index: .array((container.elements ?? []) + [new])
                }
            }
            return same(next, document) ? nil : next
        }
        return nil
    }
}

extension JSON {
    fileprivate func without(_ step: Place.Step) -> JSON {
        switch step {
        case .member(let name): setting(name, to: nil)
        case .element(let key, let id): .array((elements ?? []).filter { $0[key]?.identity != id })
        case .index: self
        }
    }
}
