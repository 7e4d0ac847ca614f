import SaveOracle

/// Rounds in which a game itself says that it starts over, or writes what its rule cannot read.
extension LiveRun {
    /// A game without a field for that plays on.
    func startOver(_ writer: Int, _ plan: inout Plan) {
        guard let field = home.rules.resetAt, let file = home.file(writer) else {
            count("no field to start over by")
            return playSomeTimes(writer, &plan)
        }
        // The field asks when it changes.
        let asking = JSON.string("all, in round \(round)")
        var next = home.game.save(&dice).setting(field, to: asking)
        for member in file.members ?? [] where isOwn(member.name) && member.name != field {
            next = next.setting(member.name, to: member.value)
        }
        write(next, writer, &plan)
        plan.whole = next
    }

    private func isOwn(_ member: String) -> Bool {
        home.rules.rule(at: Place.root.appending(.member(member))).merge == .local
    }

    /// A game writes a word where a number is counted: that counts for nothing, its status names the place, and nobody
    /// says that this file is in step. Then it writes a number again, and all files hold that.
    func unread(_ writer: Int, _ plan: inout Plan) throws {
        let file = home.file(writer)
        let counters = (file?.leaves(home.rules) ?? []).filter { place, rule in
            guard rule.merge == .counter, case .number(let text)? = file?.at(place) else { return false }
            // Where nothing counts (a zero, such as a reset leaves), the word travels as it is, and all files hold it.
            return Int(text).map { $0 > 0 } ?? false
        }
        guard let file, !counters.isEmpty else {
            count("nothing that is counted")
            return playSomeTimes(writer, &plan)
        }
        let place = dice.pick(counters).place
        write(file.changed(place.steps[...]) { _ in .string("plenty") }, writer, &plan)
        let words = try home.settle()
        try judgeUnread(place, file.at(place), words, on: writer)
        let next = file.changed(place.steps[...]) { number in
            if case .number(let text) = number, let amount = Int(text) { .number("\(amount + 7)") } else { number }
        }
        write(next, writer, &plan)
    }

    private func judgeUnread(
        _ place: Place, _ number: JSON?, _ words: [LiveHousehold.Words], on writer: Int
    ) throws {
        for (device, machine) in home.devices.enumerated() {
            let expected = device == writer ? JSON.string("plenty") : number
            let found = home.file(device)?.at(place)
            if !same(expected, found, spelling: false) {
                let kind = "what is not read counts"
                note(
                    .unread,
                    Finding(.words, kind, place: "\(place)", expected: text(expected), found: text(found)), on: device)
            }
            let inStep = words[device].inStep.filter { device == writer || $0 == home.devices[writer].name }
            if !inStep.isEmpty {
                let kind = "a value not read, and said to be in step"
                note(.unread, Finding(.words, kind, expected: "nobody", found: "\(inStep)"), on: device)
            }
            if device == writer, !(try home.status(device).unreadable.contains { $0.hasPrefix("\(place)") }) {
                let found = "\(try home.remarks(device)) on \(machine.name)"
                note(.unread, Finding(.words, "a value not read, and status is silent", found: found), on: device)
            }
        }
    }
}
