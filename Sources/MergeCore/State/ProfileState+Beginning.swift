package import LosslessJSON

/// Profiles that began empty while the library watched. The content of their counters when an agent first read them was
/// earned from nothing, by the replica that is noted.
///
/// Such amounts are written as baselines, like those of a file that was found. If another device reads a copy before
/// the devices connect, the larger baseline wins and the amount counts once. If two profiles that *both* began empty
/// become one, neither is a copy. Then the smaller amount, which the larger baseline hid, counts as well, once. The
/// device whose profile disappears in the join writes it.
extension ProfileState {
    /// The start of a profile that began empty: which replica read it first, and with which amounts.
    package struct Beginning: Hashable, Sendable {
        /// The replica that read the profile first.
        package var replica: ReplicaID
        /// The amount that each counter began with.
        package var amounts: [DocumentPath: ExactDecimal]
    }

    /// Most counters that are noted. Further ones are treated like those of a profile that was found.
    private static let beginningLimit = 200

    /// How the profile began; `nil` if it did not begin empty but was found.
    package var beginning: Beginning? {
        guard case .register(_, let json?)? = atom(AtomKey(.beginning, .latest))?.content,
            case .string(let text)? = json["replica"], let replica = ReplicaID(hex: text.string),
            case .object(let members)? = json["amounts"], members.count <= Self.beginningLimit
        else { return nil }
        var amounts: [DocumentPath: ExactDecimal] = [:]
        for member in members {
            guard case .number(let number) = member.value, let amount = number.decimal, !amount.isNegative else {
                return nil
            }
            amounts[DocumentPath(encoded: member.key.bytes)] = amount
        }
        return Beginning(replica: replica, amounts: amounts)
    }

    /// Notes that the profile began empty. To be called right after ``adopt(_:_:)``.
    package mutating func noteBeginning(_ document: JSONDocument, _ context: WriteContext) -> [KeyedAtom] {
        var amounts: [JSONMember] = []
        for change in DocumentDiff(from: nil, to: document, rules: rules).changes where change.rule.merge == .counter {
            guard case .value(_, let value?) = change.change, amounts.count < Self.beginningLimit,
                case .number(let amount)? = Ordinal(value, by: change.rule), amount > .zero
            else { continue }
            let name = JSONString(bytes: change.path.encoded)
            amounts.append(JSONMember(key: name, value: .number(JSONNumber(amount))))
        }
        return note(
            .beginning, ["replica": .string(JSONString(context.replica.hex)), "amounts": .object(amounts)], context)
    }

    /// Counts the amounts that a joined profile began with, as far as the larger baseline hid them. Writes nothing if
    /// either profile was found, or if the amounts were counted already. Only for the replica that read the joined
    /// profile first.
    ///
    /// - Parameters:
    ///   - gone: The joined profile, with the id `id`.
    ///   - kept: The id of this profile. Another device may have joined the two the other way.
    package mutating func countBeginning(
        of gone: ProfileState, _ id: ProfileID, in kept: ProfileID, _ context: WriteContext
    ) -> [KeyedAtom] {
        guard let own = beginning, let other = gone.beginning, own.replica != other.replica,
            counted(.began, for: [id, kept]).isEmpty
        else { return [] }
        // Beside a corrected start they are counted at the join, which may not be known here yet.
        let said = Set(counted(.said, for: [id, kept]).flatMap { $0.amounts.map(\.key) })
        func isSaid(_ path: DocumentPath, _ kind: AtomKind) -> Bool {
            guard said.isEmpty else { return said.contains(JSONString(bytes: path.encoded)) }
            return isCorrectedByRules(path, kind) || gone.isCorrectedByRules(path, kind)
        }
        let amounts = other.amounts.sorted(by: { $0.key < $1.key }).compactMap { path, amount -> CounterAmount? in
            let rule = rules.rule(for: path)
            guard rule.merge == .counter, let kind = rule.kind, let known = own.amounts[path],
                !isSaid(path, kind),
                case .baseline(let start)? = live(AtomKey(path, kind))?.content, start >= max(amount, known)
            else { return nil }
            return CounterAmount(path: path, rule: rule, amount: min(amount, known))
        }
        return count(amounts, .began, besideJoining: id, context)
    }
}
