import LosslessJSON
import MergeCore
import ProfileKeeping

/// Why places show their values.
extension HouseholdAgent {
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
}

extension Explanation.Contribution.Part {
    /// One contribution to a value, in words for people, such as "earned 5".
    fileprivate var words: String {
        func json(_ value: JSONValue) -> String { String(decoding: value.jsonBytes, as: UTF8.self) }
        switch self {
        case .start(let amount): return "started with \(amount.text)"
        case .earned(let amount): return "earned \(amount.text)"
        case .spent(let amount): return "spent \(amount.text)"
        case .takenBack(let amount) where amount.isNegative: return "took back \(amount.magnitude.text)"
        case .takenBack(let amount): return "gave back \(amount.text)"
        case .joined(let amount) where amount.isNegative:
            return "took off \(amount.magnitude.text) as two saves became one"
        case .joined(let amount): return "added \(amount.text) as two saves became one"
        case .value(let value?): return "wrote \(json(value))"
        case .value(nil): return "removed it"
        case .member(let value): return "added \(json(value))"
        case .removal(let value): return "removed \(json(value))"
        }
    }
}
