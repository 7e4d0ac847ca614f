package import LosslessJSON

/// Profiles that began with nothing under the eyes of the library: what their counters held when an agent took them up
/// was earned, from nothing, by the replica that says so.
///
/// Such amounts are baselines like those of a file that was found, so that a copy, taken up elsewhere before the devices
/// knew each other, joins by the larger value and counts once. Where two profiles become one that *both* began with
/// nothing, neither is a copy: what the larger value swallows then counts as well, once, by the device whose profile is
/// the one that goes.
extension ProfileState {
    /// Who earned what.
    package struct Beginning: Hashable, Sendable {
        /// The replica that took the profile up.
        package var replica: ReplicaID
        /// What each counter began with.
        package var amounts: [DocumentPath: ExactDecimal]
    }

    /// Most counters that are noted; others count as found.
    private static let beginningLimit = 200

    /// How the profile began; `nil` where it was found.
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

    /// Notes that the profile began with nothing, right after ``adopt(_:_:)``.
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

    /// Counts what a profile that was joined into this one began with, as far as the larger baseline swallowed it;
    /// nothing where either was found, and where that was counted already. Only for the replica that took it up.
    package mutating func countBeginning(
        of gone: ProfileState, _ id: ProfileID, _ context: WriteContext
    ) -> [KeyedAtom] {
        guard let own = beginning, let other = gone.beginning, own.replica != other.replica else { return [] }
        let counted = DocumentPath(encoded: DocumentPath.beginning.encoded + Array("/\(id.hex)".utf8))
        guard atom(AtomKey(counted, .latest)) == nil else { return [] }
        var batch = WriteBatch(state: self, context: context)
        batch.put(AtomKey(counted, .latest), .register(batch.stamp(counted), .bool(true)))
        for (path, amount) in other.amounts.sorted(by: { $0.key < $1.key }) {
            let rule = rules.rule(for: path)
            guard rule.merge == .counter, let kind = rule.kind, let known = own.amounts[path],
                case .baseline(let start)? = live(AtomKey(path, kind))?.content, start >= max(amount, known)
            else { continue }
            let swallowed = JSONValue.number(JSONNumber(min(amount, known)))
            batch.earn(LeafChange(path: path, rule: rule, change: .value(old: nil, new: swallowed)))
        }
        return write(batch.contents, as: context.replica)
    }
}
