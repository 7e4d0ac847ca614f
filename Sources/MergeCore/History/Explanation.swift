public import LosslessJSON

/// The explanation of what a place shows: who contributed what.
public struct Explanation: Sendable {
    /// The contribution of one atom.
    public struct Contribution: Hashable, Sendable {
        /// What one atom can add to a place.
        public enum Part: Hashable, Sendable {
            /// A counter's start, before anything was earned or spent.
            case start(ExactDecimal)
            /// All that a replica ever earned there.
            case earned(ExactDecimal)
            /// All that a replica ever spent there, as a positive number.
            case spent(ExactDecimal)
            /// The amount by which an undo, or the answer that two machines saved the same play, changed the counter: below
            /// zero where it took off what was earned, above zero where it gave back what was spent.
            case takenBack(ExactDecimal)
            /// The amount by which the device changed the counter when its player made two profiles one: above zero where
            /// both count, below zero where one holds what the other one holds already. It is neither earned nor spent.
            case joined(ExactDecimal)
            /// A value; `nil` is a removal.
            case value(JSONValue?)
            /// A member of a set came.
            case member(JSONValue)
            /// A member of a set was removed.
            case removal(JSONValue)
        }

        /// What the atom adds.
        public let part: Part
        /// The write that the atom came with. For a counter's parts, the replica's last write there; the replica counts also
        /// where another one carried its amount to another name of the place.
        public let dot: Dot
        /// The date at which it was written; `nil` where the rule keeps none.
        public let time: WallTime?
        /// The epoch in which it was written.
        public let epoch: EpochID?
        /// Whether it is part of what shows. A value that lost against another one, or that was written before a reset,
        /// is not.
        public let counts: Bool
    }

    /// The place that was asked about.
    public let path: DocumentPath
    /// The rule in force there.
    public let rule: MergeRule
    /// The value that a new file would show there; `nil` for nothing.
    public let shown: JSONValue?
    /// The contributions that count come first. Then, in this order: a counter's start, what was earned, what was
    /// spent, what was taken back, what came of a join, all others. Then by time, the newest first, then by write.
    public let contributions: [Contribution]

    /// One sentence: `480 = 300 + laptop earned 200 − deck spent 20`. Of a counter that was overspent, it says so.
    ///
    /// - Parameter name: Gives the name that people use for the device of a replica.
    public func sentence(naming name: (ReplicaID) -> String) -> String {
        let value = shown.map { String(decoding: $0.jsonBytes, as: UTF8.self) } ?? "nothing"
        let live = contributions.filter(\.counts)
        guard !live.isEmpty else {
            if contributions.isEmpty { return "\(path) is not known" }
            return shown == nil
                ? "\(path) shows nothing: it was reset or removed" : "\(value): nothing since it was reset"
        }
        switch rule.merge {
        case .counter: return value + " =" + Self.sum(live, name) + (debt(live) ?? "")
        case .union, .set:
            let parts = live.map { "\(Self.text($0.part)) by \(name($0.dot.replica))" }
            return "\(live.count) members: " + parts.joined(separator: ", ")
        case .max, .min, .flag:
            return "\(value), \(rule.merge.rawValue) of all devices, from \(name(live[0].dot.replica))"
        case .furthest: return "\(value), the side that got furthest, from \(name(live[0].dot.replica))"
        case .choice where live.count > 1:
            return "undecided: "
                + live.map { "\(Self.text($0.part)) by \(name($0.dot.replica))" }.joined(separator: ", ")
        case .latest, .choice, .local: return "\(value), written last by \(name(live[0].dot.replica))"
        }
    }

    private static func sum(_ parts: [Contribution], _ name: (ReplicaID) -> String) -> String {
        var text = ""
        for part in parts {
            let sign = text.isEmpty ? " " : " + "
            switch part.part {
            case .start(let amount): text += sign + amount.text
            case .earned(let amount): text += "\(sign)\(name(part.dot.replica)) earned \(amount.text)"
            case .spent(let amount): text += " − \(name(part.dot.replica)) spent \(amount.text)"
            case .takenBack(let amount) where amount.isNegative:
                text += " − \(name(part.dot.replica)) took back \(amount.magnitude.text)"
            case .takenBack(let amount): text += "\(sign)\(name(part.dot.replica)) gave back \(amount.text)"
            case .joined(let amount):
                text += amount.isNegative ? " − " : sign
                text += "\(amount.magnitude.text) as \(name(part.dot.replica)) made two saves one"
            default: continue
            }
        }
        return text
    }

    /// Says what of an overspent counter a file does not show (``Shortfall``); `nil` where it shows all.
    private func debt(_ parts: [Contribution]) -> String? {
        guard shown == .number(JSONNumber(0)) else { return nil }
        var total = ExactDecimal.zero
        for part in parts {
            switch part.part {
            case .start(let amount), .earned(let amount), .takenBack(let amount), .joined(let amount):
                total = (try? total.adding(amount)) ?? total
            case .spent(let amount): total = (try? total.subtracting(amount)) ?? total
            default: continue
            }
        }
        guard total.isNegative else { return nil }
        let missing = total.negated.text
        return "; \(missing) more was spent than there was, so the next \(missing) that are earned do not show"
    }

    private static func text(_ part: Contribution.Part) -> String {
        switch part {
        case .value(let value?), .member(let value), .removal(let value):
            String(decoding: value.jsonBytes, as: UTF8.self)
        case .value(nil): "nothing"
        case .start(let amount), .earned(let amount), .spent(let amount), .takenBack(let amount), .joined(let amount):
            amount.text
        }
    }
}

extension ProfileState {
    /// Who contributed what to a place. O(atoms of the place).
    public func explain(_ path: DocumentPath) -> Explanation {
        let rule = rules.rule(for: path)
        guard let kind = rule.kind, let place = table.place(path, kind) else {
            return Explanation(path: path, rule: rule, shown: shown(path, rule)?.json, contributions: [])
        }
        let current = Set(candidates(path, kind).map(\.dot))
        // The atoms of a removed element stay in the state, but no file shows them.
        let isAbsent = isInAbsentElement(path)
        let winner = kind == .furthest ? Candidate.furthest(candidates(path, kind), rule)?.dot : nil
        let joined = kind.base == .counter ? joinedAmounts(at: path) : [:]
        var all: [Explanation.Contribution] = []
        for number in [place] + Array(table.parts(of: place)) {
            guard let atom = atom(at: number) else { continue }
            let hidden =
                isAbsent || isHidden(number)
                || (kind.base == .counter ? isRemoved(path, kind) : isRemoved(number))
            let sub = number == place ? [] : Array(table.keyBytes(number))
            let owner = kind.base == .counter ? atom.counter(part: sub) : atom.dot.replica
            func add(_ part: Explanation.Contribution.Part, _ stamp: Stamp? = nil, counts: Bool = true) {
                all.append(
                    Explanation.Contribution(
                        part: part,
                        dot: Dot(replica: owner, sequence: atom.dot.sequence),
                        time: stamp?.time,
                        epoch: atom.epoch,
                        counts: counts && !hidden
                    )
                )
            }
            switch atom.content {
            case .register(let stamp, let value): add(.value(value), stamp)
            case .extremum(let value): add(.value(kind.spelled(value)))
            case .flag(let truth): add(.value(.bool(truth)))
            case .baseline(let amount): add(.start(amount))
            case .tally where UndoPart.isName(sub):
                guard let net = try? atom.content.net, !net.isZero else { continue }
                add(.takenBack(net))
            case .tally(var earned, var spent):
                // A reset since then has put these amounts aside as well.
                if atom.epoch == nil, let own = joined[owner], let rest = own.apart(from: earned, spent) {
                    (earned, spent) = rest
                    if !own.net.isZero { add(.joined(own.net)) }
                    if earned.isZero, spent.isZero { continue }
                }
                if !earned.isZero || spent.isZero { add(.earned(earned)) }
                if !spent.isZero { add(.spent(spent)) }
            case .member(let value): add(.member(value))
            case .membership(let length, let value):
                length % 2 == 1 ? add(.member(value)) : add(.removal(value), counts: false)
            case .candidate(let stamp, let value, _):
                let origin = ReplicaID(bytes: sub).map { atom.origin(of: $0) } ?? atom.dot
                add(.value(value), stamp, counts: current.contains(origin) && (winner == nil || winner == origin))
            case .epoch, .position, .removal, .opaque: continue
            }
        }
        all.sort { a, b in
            if a.counts != b.counts { return a.counts }
            if a.rank != b.rank { return a.rank < b.rank }
            return (a.time ?? 0, b.dot) > (b.time ?? 0, a.dot)
        }
        let shown = isAbsent ? nil : shown(path, rule)?.json
        return Explanation(path: path, rule: rule, shown: shown, contributions: all)
    }
}

extension Explanation.Contribution {
    fileprivate var rank: Int {
        switch part {
        case .start: 0
        case .earned: 1
        case .spent: 2
        case .takenBack: 3
        case .joined: 4
        default: 5
        }
    }
}
