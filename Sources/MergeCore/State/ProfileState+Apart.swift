package import LosslessJSON

/// Counters of two profiles that a player joins into one. A plain join keeps the larger of both starts and adds what
/// was earned since. That is too much where one start is a copy of the other profile and already contains its earnings.
/// It is too little where the two were played independently. The device at which the player joins them writes the
/// difference.
extension ProfileState {
    /// An amount to add to a counter; it may be below zero.
    package struct CounterAmount: Hashable, Sendable {
        package var path: DocumentPath
        package var rule: MergeRule
        package var amount: ExactDecimal
        /// Of an amount below zero, which a copy contains: the start of the profile that it is a copy of.
        package var origin: ExactDecimal? = nil
    }

    /// The amounts to add to the counters after a join with another profile, so that the sums come out right.
    ///
    /// If the profiles were played independently, the amount is the smaller of both starts at each counter. A counter
    /// that both profiles earned from nothing is left out, because another function counts it (see
    /// ``countBeginning(of:_:_:)``). If they may be copies, the larger start may be a copy of the other profile: then what
    /// that one had earned by then counts once. The sum is the larger total, and what was played on the copy since.
    ///
    /// - Parameters:
    ///   - joinedRules: The rules of the joined profile. A value that the profile holds under other rules is its start.
    ///   - isApart: Whether the player says that neither profile is a copy of the other.
    package func beside(joining other: ProfileState, under joinedRules: RuleSet, isApart: Bool) -> [CounterAmount] {
        let (earned, theirs) = (beginning?.amounts ?? [:], other.beginning?.amounts ?? [:])
        let pairs = pairs(joining: other, under: joinedRules)
        func smallerStarts(where isMeant: (_ pair: SharePair, _ isEarned: Bool) -> Bool) -> [CounterAmount] {
            pairs.compactMap { pair in
                let smaller = min(pair.here.start, pair.there.start)
                let isEarned = earned[pair.path] != nil && theirs[pair.path] != nil
                guard smaller > .zero, isMeant(pair, isEarned) else { return nil }
                return CounterAmount(path: pair.path, rule: joinedRules.rule(for: pair.path), amount: smaller)
            }
        }
        // The other function takes the amounts that were noted, and leaves out what is counted here beside a corrected start.
        // These come first, so that the note lists them.
        let besideCorrected = smallerStarts { $1 && $0.isCorrected }
        guard !isApart else { return besideCorrected + smallerStarts { pair, isEarned in !isEarned } }
        // One of the two is the copy. Where some counters speak for the one and some for the other, neither is.
        let copies = pairs.filter { ($0.isOtherCopy ? theirs : earned)[$0.path] == nil }
        let isContested = Set(copies.filter(\.isPlayedCopy).map(\.isOtherCopy)).count > 1
        let contained = copies.compactMap { pair -> CounterAmount? in
            guard !isContested || !pair.isPlayedCopy, let amount = pair.countedTwice else { return nil }
            return CounterAmount(
                path: pair.path, rule: joinedRules.rule(for: pair.path), amount: amount, origin: pair.originStart)
        }
        return besideCorrected + contained
    }

    /// Writes the starts of counters after the join with another profile, where a change of rules had corrected one of them. Such
    /// a start is above another one also where it is less, and may be below zero; of two profiles it says nothing of the other's.
    ///
    /// To be called once, by the device whose player joins the two, after ``carryOver(_:_:)``.
    ///
    /// - Parameter former: This profile before the join.
    package mutating func settleStarts(
        of former: ProfileState, _ other: ProfileState, _ context: WriteContext
    ) -> [KeyedAtom] {
        var batch = WriteBatch(state: self, context: context)
        for pair in former.pairs(joining: other, under: rules) where pair.isCorrected {
            guard let kind = rules.rule(for: pair.path).kind, kind.base == .counter, let wanted = pair.joinedStart,
                wanted.isCountable, case let known = start(pair.path, kind), wanted != known
            else { continue }
            if wanted < known {
                batch.putCorrected(pair.path, kind, start: wanted)
            } else {
                batch.put(AtomKey(pair.path, kind), .baseline(wanted))
            }
        }
        return write(batch.contents, raised: batch.raised, as: context.replica)
    }

    /// What both profiles have at each counter where both have a start, ordered by path.
    private func pairs(joining other: ProfileState, under rules: RuleSet) -> [SharePair] {
        let (shares, others) = (shares(under: rules), other.shares(under: rules))
        return others.sorted(by: { $0.key < $1.key }).compactMap { path, there in
            shares[path].map { here in SharePair(path, here, there) }
        }
    }

    /// Why an amount was added after a join.
    enum JoinedAmounts: String, CaseIterable {
        /// The player said whether the profiles were played independently, see ``beside(joining:under:isApart:)``.
        case said
        /// Both profiles began empty, see ``countBeginning(of:_:_:)``.
        case began
    }

    /// Adds the amounts of ``beside(joining:under:isApart:)`` after the join, and notes under which replica.
    ///
    /// - Parameter gone: The profile that was joined into this one.
    package mutating func count(
        _ amounts: [CounterAmount], besideJoining gone: ProfileID, _ context: WriteContext
    ) -> [KeyedAtom] {
        amounts.isEmpty ? [] : count(amounts, .said, besideJoining: gone, context)
    }

    mutating func count(
        _ amounts: [CounterAmount], _ reason: JoinedAmounts, besideJoining gone: ProfileID, _ context: WriteContext
    ) -> [KeyedAtom] {
        var batch = WriteBatch(state: self, context: context)
        var noted: [JSONMember] = []
        for counter in amounts {
            guard let kind = counter.rule.kind else { continue }
            credit(counter.amount, AtomKey(counter.path, kind, sub: context.replica.bytes), &batch)
            guard noted.count < Self.apartLimit else { continue }
            let value = NotedAmount(amount: counter.amount, origin: counter.origin).json
            noted.append(JSONMember(key: JSONString(bytes: counter.path.encoded), value: value))
        }
        let note = Self.note(of: reason, gone, context.replica)
        batch.put(AtomKey(note, .latest), .register(batch.stamp(note), .object(noted)))
        return write(batch.contents, as: context.replica)
    }

    /// Takes back the amounts that replicas of this device added for a join, if a replica with a smaller id had joined
    /// the same two profiles too, either way, before the two devices connected. So the amounts count once: those of the
    /// smallest replica id stay.
    ///
    /// - Parameters:
    ///   - gone: The profile that was joined into this one, `kept`.
    ///   - own: The replicas of this device.
    package mutating func takeBack(
        joining gone: ProfileID, into kept: ProfileID, own: Set<ReplicaID>, _ context: WriteContext
    ) -> [KeyedAtom] {
        var batch = WriteBatch(state: self, context: context)
        for reason in JoinedAmounts.allCases {
            for (replica, profile, amounts) in counted(reason, for: [gone, kept]).dropFirst()
            where own.contains(replica) {
                let note = Self.note(of: reason, profile, replica)
                // The note goes on to list the amounts, so that ``explain(_:)`` can leave them out on both sides. `counted`
                // reads objects alone, so nobody takes them back again.
                let done: JSONValue = .array([.object(amounts), .string(JSONString(context.replica.hex))])
                batch.put(AtomKey(note, .latest), .register(batch.stamp(note), done))
                for member in amounts {
                    let path = DocumentPath(encoded: member.key.bytes)
                    guard let kind = rules.rule(for: path).kind, let noted = NotedAmount(member.value),
                        let less = try? ExactDecimal.zero.subtracting(noted.amount)
                    else { continue }
                    credit(less, AtomKey(path, kind, sub: context.replica.bytes), &batch)
                }
            }
        }
        return write(batch.contents, as: context.replica)
    }

    /// Takes back what replicas of this device took off for a copy, as far as a replica with a smaller id took off the same
    /// for another copy of the same profile, before the two devices connected. The starts of both copies contain the same
    /// earnings, and of starts the largest counts alone: so these earnings are contained once.
    ///
    /// - Parameters:
    ///   - all: The profiles that were joined into this one.
    ///   - own: The replicas of this device.
    /// - Complexity: O(replicas · joined profiles · counters).
    package mutating func takeBackContainedTwice(
        joining all: [ProfileID], own: Set<ReplicaID>, _ context: WriteContext
    ) -> [KeyedAtom] {
        var batch = WriteBatch(state: self, context: context)
        var contained: [JSONString: [Range<ExactDecimal>]] = [:]
        for (replica, profile, amounts) in counted(.said, for: all) {
            var (members, isTakenBack) = (amounts, false)
            for (index, member) in amounts.enumerated() {
                guard let range = NotedAmount(member.value)?.contained else { continue }
                let twice = contained[member.key, default: []].map { range.length(within: $0) }.max() ?? .zero
                contained[member.key, default: []].append(range)
                let path = DocumentPath(encoded: member.key.bytes)
                guard own.contains(replica), twice > .zero, let kind = rules.rule(for: path).kind,
                    let rest = try? twice.subtracting(range.length(within: range))
                else { continue }
                credit(twice, AtomKey(path, kind, sub: context.replica.bytes), &batch)
                // Without an origin it is not compared again.
                members[index].value = NotedAmount(amount: rest, origin: nil).json
                isTakenBack = true
            }
            guard isTakenBack else { continue }
            let note = Self.note(of: .said, profile, replica)
            batch.put(AtomKey(note, .latest), .register(batch.stamp(note), .object(members)))
        }
        return write(batch.contents, as: context.replica)
    }

    /// Adds an amount to the tally of the replica in the key: as earned, or as spent if the amount is below zero.
    private func credit(_ amount: ExactDecimal, _ key: AtomKey, _ batch: inout WriteBatch) {
        do {
            batch.put(key, try AtomContent.tally(adding: amount, to: live(key)?.content))
        } catch {
            batch.refuse(key.path, "the counter would need more than 1,000 digits")
        }
    }

    /// Most counters that a note lists, so that it stays small. Amounts of counters beyond that are never taken back.
    private static let apartLimit = 1_000

    /// Whether the amounts of ``count(_:besideJoining:_:)`` are counted already, or are being taken back, for a join of
    /// two profiles either way.
    package func hasCounted(joining gone: ProfileID, into kept: ProfileID) -> Bool {
        !counted(.said, for: [gone, kept]).isEmpty
    }

    /// The amounts that replicas added for profiles joined into this one and did not take back, the smallest replica
    /// first.
    func counted(
        _ reason: JoinedAmounts, for profiles: [ProfileID]
    ) -> [(replica: ReplicaID, profile: ProfileID, amounts: [JSONMember])] {
        vector.sortedReplicas.flatMap { replica in
            profiles.compactMap { profile in
                let key = AtomKey(Self.note(of: reason, profile, replica), .latest)
                guard case .register(_, .object(let members)?)? = atom(key)?.content else { return nil }
                return (replica, profile, members)
            }
        }
    }

    private static func note(of reason: JoinedAmounts, _ gone: ProfileID, _ replica: ReplicaID) -> DocumentPath {
        let place = "/\(gone.hex)/\(replica.hex)/\(reason.rawValue)"
        return DocumentPath(encoded: DocumentPath.beginning.encoded + Array(place.utf8))
    }
}

extension ProfileState {
    /// The amounts of this profile at every place that the given rules call a counter.
    fileprivate func shares(under rules: RuleSet) -> [DocumentPath: CounterShare] {
        (Projection.document(of: self)?.counterAmounts(under: rules) ?? [:]).reduce(into: [:]) { shares, shown in
            shares[shown.key] = share(shown.key, shown: shown.value)
        }
    }

    /// The amounts at one counter. A value under another rule, for example `latest`, is a start without play.
    private func share(_ path: DocumentPath, shown: ExactDecimal) -> CounterShare? {
        let rule = rules.rule(for: path)
        guard rule.merge == .counter, let kind = rule.kind else {
            return CounterShare(start: shown, played: nil, earned: .zero)
        }
        guard case .baseline(let start)? = live(AtomKey(path, kind))?.content,
            let total = counterTotal(path, kind)
        else { return nil }
        var (isPlayed, earned) = (false, ExactDecimal.zero)
        for case .tally(earned: let amount, spent: _) in liveParts(path, kind).map(\.1.content) {
            isPlayed = true
            earned = (try? earned.adding(amount)) ?? earned
        }
        var share = CounterShare(start: start, played: isPlayed ? try? total.subtracting(start) : nil, earned: earned)
        share.isCorrected = isCorrectedByRules(path, kind)
        share.isRaised = isCorrected(path, kind)
        return share
    }
}

extension JSONDocument {
    /// The amount of every counter in the document, by path.
    package func counterAmounts(under rules: RuleSet) -> [DocumentPath: ExactDecimal] {
        var amounts: [DocumentPath: ExactDecimal] = [:]
        for change in DocumentDiff(from: nil, to: self, rules: rules).changes where change.rule.merge == .counter {
            if case .value(_, let value?) = change.change, case .number(let amount)? = Ordinal(value, by: change.rule) {
                amounts[change.path] = amount
            }
        }
        return amounts
    }
}
