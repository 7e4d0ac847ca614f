import HouseholdAgent
import HouseholdSimulation
import SaveOracle

/// Rounds about one counter at the top of the save, with amounts of which the model knows what must come of them.
extension HouseholdRun {
    private static let purse = Field.Wish.purse.rawValue

    /// What the purse holds in every file; `nil` where there is none, or it is in debt, or no whole number.
    private var purse: Int? {
        let amounts = home.devices.indices.map { amount(home.file($0)) }
        guard let first = amounts[0], first >= 0, !isOwed("/\(Self.purse)") else { return nil }
        return amounts.allSatisfy { $0 == first } ? first : nil
    }

    func amount(_ file: JSON?) -> Int? {
        guard case .number(let text)? = file?[Self.purse] else { return nil }
        return Int(text)
    }

    private func with(_ amount: Int, in file: JSON) -> JSON { file.setting(Self.purse, to: .number("\(amount)")) }

    private func round(after former: HouseholdRound) -> HouseholdRound {
        HouseholdRound(former.number, former.kind, before: home.devices.indices.map { home.file($0) })
    }

    /// A game that is seen to read its file saves another amount and nothing else: nobody has to guess.
    private mutating func savePurse(_ change: Int, on device: Int, _ round: inout HouseholdRound) -> Bool {
        guard let file = home.file(device), let amount = amount(file) else { return false }
        round.isClear = true
        save(with(amount + change, in: file), from: file, on: device, &round, isSeen: true)
        finish(round)
        return findings.isEmpty
    }

    // MARK: A purse alone

    /// Which state a game had read, as far as a purse alone tells it: the one that leaves less to be earned or spent.
    private enum Reading { case newer, older, asked }

    /// For the older state the newer one must be eight times as far away; for the newer one twice as far is enough, and
    /// nothing more where both earned or both spent. Of two that are equally far the newest counts.
    private func reading(_ saved: Int, newer: Int, older: Int) -> Reading {
        let (read, unread) = (saved - newer, saved - older)
        if abs(read) == abs(unread) { return .newer }
        if abs(unread) < abs(read) { return 8 * abs(unread) > abs(read) ? .asked : .older }
        if (read < 0) == (unread < 0) { return .newer }
        return 2 * abs(read) > abs(unread) ? .asked : .newer
    }

    mutating func playWithPurse(_ first: inout HouseholdRound) {
        let device = anyDevice()
        let other = anyDevice(but: device)
        guard purse != nil, savePurse(dice.number(100...900), on: device, &first) else { return }
        guard let saved = first.after[device], same(saved, home.file(device)), let older = amount(saved) else { return }
        var second = round(after: first)
        let earned = 2 * dice.number(10...30) * dice.pick([1, 1, -1])
        guard savePurse(earned, on: other, &second), same(with(older + earned, in: saved), home.file(device)) else {
            return
        }
        let newer = older + earned
        let isUnread = dice.once(in: 2)
        let base = isUnread ? older : newer
        // Just between the two, or anywhere.
        let steps: [Int] = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233].flatMap { [$0, -$0] }
        let amount = dice.once(in: 3) ? older + earned / 2 : base + dice.pick(steps)
        // What stands in the file is no save, and what stood there is another state and no amount.
        guard amount != newer, amount != older else { return }
        var last = isUnread ? second : round(after: second)
        let expected = reading(amount, newer: newer, older: older)
        last.unread = isUnread ? device : nil
        last.isClear = expected == (isUnread ? .older : .newer)
        save(with(amount, in: saved), from: with(base, in: saved), on: device, &last)
        home.settle()
        let isAsked = home.question(device) == .purse
        tally["a purse alone, \(expected)", default: 0] += 1
        if isAsked != (expected == .asked) {
            let kind = isAsked ? "asked of a clear purse" : "a purse alone, and not asked"
            let found = "\(amount) after \(older) and \(newer): \(home.words(device))"
            let place = "/\(Self.purse)"
            note(last, Finding(.words, kind, place: place, expected: "\(expected)", found: found), on: device)
        }
        finish(last)
        // Else three states that hardly differ would be told apart at the next save. A debt of the last one is paid first.
        noteDebts()
        var end = round(after: last)
        _ = findings.isEmpty && savePurse(dice.number(100...900), on: device, &end)
    }

    // MARK: Below zero

    mutating func overspend(_ former: inout HouseholdRound) {
        guard purse != nil, savePurse(dice.number(100...900), on: anyDevice(), &former), let held = purse else {
            return
        }
        var first = round(after: former)
        if isBelowZeroAllowed || dice.once(in: 3) { return goBelowZero(&first) }
        // Spent to the last coin, so that every file shows what its game wrote.
        home.part(true, isLine: isLine)
        home.run(milliseconds: 1_000)
        for device in home.devices.indices {
            guard let file = home.file(device) else { continue }
            save(with(0, in: file), from: file, on: device, &first, isSeen: true)
            wait(400...4_000)
        }
        home.part(false, isLine: isLine)
        finish(first)
        guard findings.isEmpty else { return }
        // What each spent is missing but once.
        let debt = held * (home.devices.count - 1)
        var total = -debt
        for part in [dice.number(1...debt), debt + dice.number(1...50)] where findings.isEmpty {
            var next = round(after: first)
            let device = anyDevice()
            guard let file = home.file(device), let shown = amount(file) else { return }
            total += part
            save(with(shown + part, in: file), from: file, on: device, &next, isSeen: true)
            home.settle()
            guard !isAnswered(next) else { return }
            tally["earned against a debt", default: 0] += 1
            expectEverywhere(with(max(0, total), in: file), "a debt", next)
            judgeWords(next)
        }
    }

    /// One game by itself writes less than nothing: that is its own way to count, and stands as it was written.
    private mutating func goBelowZero(_ first: inout HouseholdRound) {
        let device = anyDevice()
        guard let amount = amount(home.file(device)), savePurse(-amount - dice.number(1...40), on: device, &first)
        else { return }
        tally["below zero", default: 0] += 1
        isBelowZeroAllowed = true
        var next = round(after: first)
        _ = savePurse(dice.number(50...90), on: anyDevice(), &next)
    }

    // MARK: A record that is lowered

    /// Everything but a record says that the game had read what came in: so it had, and the record stays.
    mutating func playAndLower(_ first: inout HouseholdRound) {
        let (record, unlocked) = (Field.Wish.record.rawValue, Field.Wish.unlocked.rawValue)
        let device = anyDevice()
        let other = anyDevice(but: device)
        func best(_ file: JSON?) -> Int? {
            guard case .number(let text)? = file?[record], file?[unlocked]?.elements != nil else { return nil }
            return Int(text)
        }
        /// The file with more of everything that such a game earns.
        func played(_ file: JSON, _ words: [String], best: Int, coins: Int) -> JSON {
            let list = (file[unlocked]?.elements ?? []) + words.map { JSON.string("\($0)\(first.number)") }
            let earned = with((amount(file) ?? 0) + coins, in: file)
            return earned.setting(record, to: .number("\(best)")).setting(unlocked, to: .array(list))
        }
        guard purse != nil, let file = home.file(device), let start = best(file) else { return }
        let own = played(file, ["a"], best: start + 10, coins: dice.number(300...900))
        save(own, from: file, on: device, &first)
        finish(first)
        guard findings.isEmpty, same(own, home.file(device)), let there = home.file(other) else { return }
        var second = round(after: first)
        save(
            played(there, ["b", "c"], best: start + 100, coins: dice.number(20...60)), from: there, on: other, &second)
        finish(second)
        guard findings.isEmpty, let came = home.file(device), best(came) == start + 100 else { return }
        var last = round(after: second)
        last.isClear = true
        let fallen = start + dice.number(20...90)
        save(played(came, ["d", "e", "f"], best: fallen, coins: dice.number(20...60)), from: came, on: device, &last)
        home.settle()
        tally["a record lowered", default: 0] += 1
        if home.question(device) == .heldLess {
            let found = "\(home.words(device))"
            note(last, Finding(.words, "asked of play", place: "/\(record)", found: found), on: device)
        }
        if !home.words(device).contains(where: { $0.contains("the game changed") && $0.contains("/\(record)") }) {
            let found = "\(home.words(device))"
            note(last, Finding(.words, "kept, and not said", place: "/\(record)", found: found), on: device)
        }
        finish(last)
    }
}
