import Libc
import SaveOracle
import TestSupport

/// What happens in a round of each kind.
extension LiveRun {
    func act(_ kind: Kind, _ plan: inout Plan) throws {
        let writer = dice.number(0...home.devices.count - 1)
        let other = (writer + dice.number(1...2)) % home.devices.count
        switch kind {
        case .renamed, .inPlace: playSomeTimes(writer, &plan, inPlace: kind == .inPlace)
        case .offline: try away([writer]) { playSomeTimes(writer, &plan) }
        case .bystanderOff: try away([other]) { playSomeTimes(writer, &plan) }
        case .apart: try apart(&plan)
        case .stale: try stale(writer, other, &plan)
        case .killed: try killed(writer, other, &plan)
        case .paused, .pausedHere:
            let machine = home.devices[kind == .paused ? other : writer]
            try machine.tell("pause", "game")
            playSomeTimes(writer, &plan)
            _ = try home.devices[writer].ask("sync", "--json")
            try machine.tell("resume", "game")
        case .undone: try undone(writer, &plan)
        case .reset, .resetUndone: try reset(writer, &plan, isUndone: kind == .resetUndone)
        case .startedOver: startOver(writer, &plan)
        case .unread: try unread(writer, &plan)
        case .restored: try restored(writer, &plan)
        case .accepted, .kept: try questioned(writer, &plan, isMeant: kind == .accepted)
        case .carried: try carried(writer, other, &plan)
        case .deleted: unlink(home.devices[writer].save)
        case .rotated:
            let machine = home.devices[writer]
            guard let memory = home.file(writer) else { return }
            rename(machine.save, machine.save + ".bak")
            save(writer, from: memory, &plan, inPlace: dice.once(in: 2))
        case .moved: try moved(writer, &plan)
        }
    }

    func playSomeTimes(_ writer: Int, _ plan: inout Plan, inPlace: Bool = false) {
        for _ in 0..<dice.number(1...3) {
            save(writer, from: home.file(writer), &plan, inPlace: inPlace)
            usleep(UInt32(dice.number(0...60_000)))
        }
    }

    /// Ends agents in good order, does something, and starts them again.
    private func away(_ gone: [Int], _ work: () throws -> Void) throws {
        for device in gone { try home.devices[device].stop() }
        try work()
        for device in gone { try home.devices[device].launch() }
        for device in gone { try home.devices[device].waitUntilReady() }
    }

    /// Of machines that have a way to each other only one runs at a time, or none.
    private func apart(_ plan: inout Plan) throws {
        let order = home.devices.indices.shuffled(using: &dice)
        if home.isLine, dice.once(in: 2) {
            // The ends run, and nothing goes through the middle.
            return try away([1]) { for device in order { save(device, from: home.file(device), &plan) } }
        }
        let watching = dice.once(in: 2) ? order.first : nil
        try away(order.filter { $0 != watching }) {
            for device in order { save(device, from: home.file(device), &plan) }
            if let watching { _ = try home.devices[watching].ask("history", "game", "--json") }
        }
    }

    /// What came in is in the file, but not in the memory of a game that goes on.
    private func stale(_ writer: Int, _ other: Int, _ plan: inout Plan) throws {
        save(writer, from: plan.before[writer], &plan)
        guard let news = plan.after[writer] else { return }
        let cameIn = waitFor(seconds: 10) {
            same(home.synced(home.file(other)), home.synced(news)) ? true : nil
        }
        // What is asked about may not come, and what is lower than before where a rule only grows.
        let isLower = SaveMeaning(from: plan.before[writer], to: news, rules: home.rules).lowered > 0
        // A purse that nobody can tell is asked about on the writer's machine, and stays as it was on the others.
        // And what nobody can tell from the memory of before a reset is guessed, and said.
        if cameIn != true {
            let isAsked = try home.remarks(writer).contains { $0.contains("hearth accept") }
            if try isAsked || isSaid() { plan.mayBeAsked = true }
        }
        guard cameIn == true || plan.mayBeAsked || isLower else {
            let told = try [writer, other].map { device in
                let (machine, held) = (home.devices[device], home.text(device) ?? "no save")
                return try "\(machine.name) holds \(held): \(machine.ask("status", "--json").output)"
            }
            throw Failure("a save did not reach \(home.devices[other].name)\n\(told.joined(separator: "\n"))")
        }
        plan.stale = other
        save(other, from: plan.before[other], &plan)
    }

    private func killed(_ writer: Int, _ other: Int, _ plan: inout Plan) throws {
        let victim = home.devices[dice.once(in: 2) ? writer : other]
        for _ in 0..<dice.number(1...2) {
            save(writer, from: home.file(writer), &plan)
            usleep(UInt32(dice.number(0...80_000)))
            victim.kill()
            try victim.launch()
        }
        if dice.once(in: 3) {
            // Again, while it starts.
            usleep(UInt32(dice.number(0...40_000)))
            victim.kill()
            try victim.launch()
        }
        try victim.waitUntilReady()
    }

    private func undone(_ writer: Int, _ plan: inout Plan) throws {
        let machine = home.devices[writer]
        save(writer, from: home.file(writer), &plan)
        let after = plan.after[writer]
        let essence = plan.before[writer].flatMap { home.rules.essence(of: $0) }
        _ = try home.settle()
        // An order alone is no step of the history, nor is what is the device's own, nor what a rule put back: `undo`
        // would take back an older step.
        let isStep = [after, home.file(writer)].allSatisfy {
            !same(essence, $0.flatMap { home.rules.essence(of: $0) }, spelling: false)
        }
        guard isStep, !plan.mayBeAsked else { return }
        let outcome = try machine.ask("undo", "game", "--yes", "--json")
        guard outcome.code == 0 else { return tell("not undone: \(outcome.errors)") }
        tell("\(machine.name) takes it back")
        plan.after[writer] = home.onDevice(writer, plan.before[writer])
    }

    private func reset(_ writer: Int, _ plan: inout Plan, isUndone: Bool) throws {
        let machine = home.devices[writer]
        try machine.tell("reset", "game", "--yes", "--json")
        _ = try home.settle()
        tell("\(machine.name) resets: \(text(home.file(writer)))")
        let begun = Plan(before: home.devices.indices.map { home.file($0) })
        guard let first = begun.before[0], begun.before.allSatisfy({ same(home.synced($0), home.synced(first)) }) else {
            // Nothing but equal files is expected of a reset.
            return plan.isFree = true
        }
        let former = plan.before[writer]
        plan = begun
        // Nothing goes back to before there was anything.
        let isUndone = isUndone && former?.isEmpty == false
        if isUndone {
            let outcome = try machine.ask("undo", "game", "--yes", "--json")
            // A reset of what was reset before is no step, and nothing goes back to an empty save.
            guard outcome.code == 0 else {
                count("not undone")
                return tell("not undone: \(outcome.errors)")
            }
            tell("\(machine.name) takes the reset back")
            plan.whole = former
            if dice.once(in: 2) {
                _ = try home.settle()
                plan = Plan(before: home.devices.indices.map { home.file($0) })
                guard plan.before.allSatisfy({ same(home.synced($0), home.synced(former)) }) else {
                    return plan.whole = former
                }
                playSomeTimes(writer, &plan)
            }
        } else {
            playSomeTimes(dice.number(0...home.devices.count - 1), &plan)
        }
    }

    private func restored(_ writer: Int, _ plan: inout Plan) throws {
        let machine = home.devices[writer]
        let names = (try machine.ask("backups", "game", "--json").json?["backups"]?.elements ?? []).compactMap {
            $0["name"]?.string
        }
        guard !names.isEmpty else { return }
        let name = dice.pick(names)
        let outcome = try machine.ask("restore", "game", "--backup", name, "--yes", "--json")
        guard outcome.code == 0 else { return tell("not restored: \(outcome.errors)") }
        _ = try home.settle()
        tell("\(machine.name) puts \(name) back: \(text(home.file(writer)))")
        // Then somebody plays, and that is what counts from there on.
        let begun = Plan(before: home.devices.indices.map { home.file($0) })
        guard begun.before.allSatisfy({ same(home.synced($0), home.synced(begun.before[0])) }) else {
            return plan.isFree = true
        }
        plan = begun
        playSomeTimes(dice.number(0...home.devices.count - 1), &plan)
    }

    /// A save that holds far less: an older one, or hardly anything.
    private func questioned(_ writer: Int, _ plan: inout Plan, isMeant: Bool) throws {
        let machine = home.devices[writer]
        guard let members = home.file(writer)?.members, !members.isEmpty else { return }
        let old = past.first.map { home.onDevice(writer, $0) ?? $0 }
        let little = JSON.object(dice.once(in: 2) ? [] : Array(members.prefix(1)))
        let next = dice.once(in: 2) ? old ?? little : little
        write(next, writer, &plan)
        _ = try home.settle()
        guard try home.remarks(writer).contains(where: { $0.contains("hearth accept") }) else {
            count("not asked about")
            return plan.isFree = true
        }
        let outcome = try machine.ask(isMeant ? "accept" : "keep", "game", "--yes", "--json")
        guard outcome.code == 0 else { throw Failure("not answered: \(outcome.errors)") }
        tell("\(machine.name) \(isMeant ? "accepts" : "keeps")")
        if isMeant { plan.whole = next } else { plan.isFree = true }
    }

    /// By hand, to a machine whose agent reaches nobody.
    private func carried(_ writer: Int, _ other: Int, _ plan: inout Plan) throws {
        let (from, to) = (home.devices[writer], home.devices[other])
        let third = home.devices.indices.first { $0 != writer && $0 != other }
        try away([other] + (third.map { [$0] } ?? [])) {
            playSomeTimes(writer, &plan)
            let path = from.folder + "/carried.hearth"
            _ = try from.ask("sync", "--json")
            try from.tell("export", "game", "--output", path, "--force")
            try from.stop()
            try to.start()
            let outcome = try to.ask("import", path, "--yes", "--json")
            guard outcome.code == 0 else { throw Failure("not imported: \(outcome.errors)") }
            try to.stop()
            try from.start()
        }
    }

    private func moved(_ writer: Int, _ plan: inout Plan) throws {
        let machine = home.devices[writer]
        let name = machine.save.hasSuffix("save.json") ? "slot.json" : "save.json"
        let path = machine.folder + "/game/" + name
        unlink(path)
        rename(machine.save, path)
        machine.save = path
        try machine.tell("move", "game", path, "--json")
        playSomeTimes(writer, &plan)
    }
}
