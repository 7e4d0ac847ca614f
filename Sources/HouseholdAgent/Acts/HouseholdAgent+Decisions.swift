import LosslessJSON
import MergeCore
import ProfileKeeping
import SyncProtocol

/// Resets, choices and explanations: what only the player can decide, and why places show their values.
extension HouseholdAgent {
    /// Plans to reset a scope of a profile. Without a scope: everything that the rules name, or the whole profile.
    mutating func planReset(_ id: RequestID, _ name: String, _ scope: String?) -> PlannedAct? {
        guard let profile = one(named: name, for: id), let held = engine.profiles[profile] else { return nil }
        let scopes = held.rules.resets
        let patterns: [RulePattern]
        if let scope {
            guard let chosen = scopes.first(where: { $0.name == scope }) else {
                let names = scopes.map(\.name).joined(separator: ", ")
                let known = names.isEmpty ? "its rules name no scopes; leave the scope out" : "it has: \(names)"
                fail(id, .usage, "\(held.name) has no scope \(scope); \(known)")
                return nil
            }
            patterns = chosen.patterns
        } else {
            patterns = scopes.flatMap(\.patterns)
        }
        let selector = patterns.isEmpty ? PathSelector.everything : PathSelector(patterns: patterns)
        return PlannedAct(profile: profile, act: .reset(selector, scope: scope))
    }

    /// Explains why a place shows its value.
    mutating func explain(_ call: Call<ExplainRequest>, _ name: String, _ pointer: String) {
        guard let profile = one(named: name, for: call.id), let held = engine.profiles[profile],
            let path = place(call.id, pointer, in: held)
        else { return }
        let explanation = held.state.explain(path)
        let sentence: String
        if explanation.rule.merge == .local {
            sentence = "\(path) is each device's own: its rule is local"
        } else if !explanation.contributions.isEmpty {
            sentence = explanation.sentence { deviceName($0) }
        } else {
            let places = places(shownBy: held)
            guard let words = whatIsIn(path, places) ?? Self.whatIsNotCounted(explanation) else {
                // Containers have no value of their own, but the player may mean one.
                let known = Set(places.flatMap { Array(sequence(first: $0, next: \.parent)) }).sorted()
                let meant = NearWord.of(path.description, in: known.map(\.description)).map { "; did you mean \($0)?" }
                return fail(call.id, .failed, "\(held.name) has no place \(path)\(meant ?? "")")
            }
            sentence = words
        }
        let report = ExplainReport(
            place: path.description, rule: explanation.rule.merge.rawValue, sentence: sentence,
            contributions: explanation.contributions.map { part in
                ExplainReport.Part(
                    text: part.part.words, device: deviceName(part.dot.replica), time: part.time?.milliseconds,
                    counts: part.counts)
            })
        answer(call) { _ in report }
    }

    /// The places whose values a profile shows. O(document).
    private func places(shownBy held: KeptProfile) -> [DocumentPath] {
        guard let text = merged(held), let shown = try? JSONDocument(parsing: text),
            let empty = try? JSONDocument(parsing: Array("{}".utf8))
        else { return [] }
        return DocumentDiff(from: empty, to: shown, rules: held.rules).changes.compactMap { change in
            switch change.change {
            case .value, .elements: change.path
            default: nil
            }
        }
    }

    /// An extra sentence if the place shows a value that its rule ignores, such as a value of `none`; else `nil`.
    private static func whatIsNotCounted(_ explanation: Explanation) -> String? {
        explanation.shown.map { value in
            let text = String(decoding: value.jsonBytes, as: UTF8.self)
            return
                "\(explanation.path) shows \(text), of which the rule \(explanation.rule.merge.rawValue) counts nothing"
        }
    }

    /// For a container that holds no value of its own: the places in it that have explanations of their own. `nil` if
    /// there are none.
    private func whatIsIn(_ path: DocumentPath, _ places: [DocumentPath]) -> String? {
        let inside = Set(places.filter { place in sequence(first: place, next: \.parent).dropFirst().contains(path) })
        guard let first = inside.min() else { return nil }
        let whole = path == .root ? "the whole save" : "\(path)"
        return inside.count == 1
            ? "\(whole) holds one place that has an explanation: \(first)"
            : "\(whole) holds \(inside.count) places, and each has its own explanation, such as \(first)"
    }

    /// Lists every choice that waits for the player, and every counter below zero because several devices spent it at
    /// once.
    mutating func conflicts(_ call: Call<ConflictsRequest>, _ name: String?) {
        var wanted = engine.ids
        if let name {
            guard let profile = one(named: name, for: call.id) else { return }
            wanted = [profile]
        }
        answer(call) { agent in
            var found: [ConflictReport] = []
            for profile in wanted { found += agent.conflicts(of: profile) }
            return ConflictList(conflicts: found)
        }
    }

    func conflicts(of id: ProfileID) -> [ConflictReport] {
        guard let held = engine.profiles[id], engine.profiles.isOffered(id) else { return [] }
        let choices = held.state.openChoices.map { path in
            ConflictReport(
                profile: held.name, id: id.description, place: path.description,
                candidates: held.state.openChoice(path).compactMap { candidate in
                    candidate.value.map {
                        ConflictReport.Candidate(
                            value: String(decoding: $0.jsonBytes, as: UTF8.self),
                            device: deviceName(candidate.dot.replica), time: candidate.stamp.time.milliseconds)
                    }
                }, handle: otherHandle(id))
        }
        return choices
            + held.state.shortfalls.map { shortfall in
                ConflictReport(
                    profile: held.name, id: id.description, place: shortfall.path.description, candidates: [],
                    information: words(shortfall))
            }
    }

    /// The sentence about a counter below zero. The safe default is in force already: what was bought stays, and the
    /// save shows 0.
    private func words(_ shortfall: Shortfall) -> String {
        let spent = shortfall.spent.map { "\(deviceName($0.replica)) spent \($0.amount.text)" }.joined(separator: ", ")
        let missing = shortfall.amount.text.drop { $0 == "-" }
        return
            "is −\(missing), because it was spent on several devices at once (\(spent)); the save shows 0 "
            + "until \(missing) are earned, and everything bought stays"
    }

    /// Decides a choice for every device. `choice` counts from 1, in the order that conflicts are listed in; `seen` is the
    /// value that the player saw there, because values of other devices may have come in since.
    mutating func resolve(
        _ call: Call<ResolveRequest>, _ name: String, _ pointer: String, _ choice: Int, seen: String?, now: Moment
    ) {
        guard let profile = one(named: name, for: call.id), let held = engine.profiles[profile],
            let path = place(call.id, pointer, in: held)
        else { return }
        let candidates = held.state.openChoice(path)
        guard !candidates.isEmpty else {
            return fail(
                call.id, .failed, "nothing waits for a decision at \(pointer); 'hearth conflicts' lists what does")
        }
        guard candidates.indices.contains(choice - 1), let value = candidates[choice - 1].value else {
            return fail(call.id, .usage, "there are \(candidates.count) values to choose from, not \(choice)")
        }
        guard seen == nil || seen == String(decoding: value.jsonBytes, as: UTF8.self) else {
            let why = "value \(choice) at \(pointer) is another one by now; 'hearth conflicts' lists what there is"
            return fail(call.id, .failed, why)
        }
        do {
            try engine.perform(.decide(path, value), on: profile, now: now)
            // The values may have moved since they were listed.
            let taken = String(decoding: value.jsonBytes, as: UTF8.self).prefix(200)
            answer(call) { ProfileAnswer(profile: $0.report(profile), note: "\(path) is \(taken) now") }
        } catch {
            fail(call.id, .failed, error.message)
        }
    }

    // MARK: Names

    private mutating func place(_ id: RequestID, _ pointer: String, in held: KeptProfile) -> DocumentPath? {
        do {
            let pointer = try JSONPointer(parsing: pointer)
            let text = merged(held) ?? Array("null".utf8)
            if let path = DocumentPath(pointer, in: try JSONDocument(parsing: text), rules: held.rules) {
                return path
            }
            fail(id, .failed, "\(held.name) has nothing there")
        } catch {
            let document = merged(held).flatMap { try? JSONDocument(parsing: $0) }
            let isThere = (try? JSONPointer(parsing: "/\(pointer)")).flatMap { document?.node(at: $0) } != nil
            fail(id, .usage, "\(error)" + (isThere ? "; did you mean /\(pointer)?" : ""))
        }
        return nil
    }

    /// The name of the device that writes as a replica.
    func deviceName(_ replica: ReplicaID) -> String {
        guard let origin = origins[replica] else { return "device \(replica.hex.prefix(8))" }
        return origin.device == signer.key ? identity.name : name(of: origin.device)
    }
}

extension Explanation.Contribution.Part {
    /// One contribution to a value, in words for people, such as "earned 5".
    fileprivate var words: String {
        func json(_ value: JSONValue) -> String { String(decoding: value.jsonBytes, as: UTF8.self) }
        switch self {
        case .start(let amount): return "started with \(amount.text)"
        case .earned(let amount): return "earned \(amount.text)"
        case .spent(let amount): return "spent \(amount.text)"
        case .value(let value?): return "wrote \(json(value))"
        case .value(nil): return "removed it"
        case .member(let value): return "added \(json(value))"
        case .removal(let value): return "removed \(json(value))"
        }
    }
}
