import LosslessJSON

/// Steps whose places lie inside the value of an atom, or that change the value.
extension UpcastPiece {
    /// The piece with another value. Only for registers and candidates, whose join does not compare values; `nil` for
    /// all other kinds. A value that a step takes away becomes a tombstone, so that the keys that come out do not
    /// depend on what a value holds.
    func changing(_ change: (JSONValue?) -> JSONValue?) -> UpcastPiece? {
        var piece = self
        switch atom.content {
        case .register(let stamp, let value):
            piece.atom = Atom(.register(stamp, value == nil ? nil : change(value)), atom.dot, epoch: atom.epoch)
        case .candidate(let stamp, let value, let replaced):
            let content = AtomContent.candidate(stamp, value == nil ? nil : change(value), replaced: replaced)
            piece.atom = Atom(content, atom.dot, epoch: atom.epoch)
        default: return nil
        }
        return piece
    }

    func mapped(_ pairs: [MigrationStep.Mapping]) -> [UpcastPiece] {
        switch kind.base {
        case .latest, .choice, .furthest:
            return changing { value in value.map { value in pairs.first { $0.old == value }?.new ?? value } }.map {
                [$0]
            } ?? []
        // An array as a whole, and the membership of an element, are not compared with plain values.
        case .union where kind.reading == nil, .set, .element, .order: return [self]
        default: return []
        }
    }

    /// Takes a step whose places lie inside this piece's value.
    func inside(_ rest: [RulePattern.Step], _ step: (RulePattern) -> MigrationStep) -> [UpcastPiece] {
        switch kind.base {
        case .latest, .choice, .furthest:
            let step = step(RulePattern(steps: rest))
            return [changing { value in value.map { $0.taking(step) } } ?? self]
        case .union where kind.reading == nil, .set, .order: return element(rest, step)
        default: return [self]
        }
    }

    /// Takes such a step on one element of a set. The element is named by its value, so that its key changes too.
    private func element(_ rest: [RulePattern.Step], _ step: (RulePattern) -> MigrationStep) -> [UpcastPiece] {
        // A step's path cannot name an element by its index, since sets have no order.
        switch rest.first {
        case .any?, .keyed?: break
        default: return [self]
        }
        let inner = Array(rest.dropFirst())
        func change(_ value: JSONValue) -> JSONValue? {
            guard inner.isEmpty else { return value.taking(step(RulePattern(steps: inner))) }
            switch step(RulePattern(steps: inner)) {
            case .remove: return JSONValue?.none
            case .map(_, let pairs): return pairs.first { $0.old == value }?.new ?? value
            case .wrap(_, let name): return .object([JSONMember(key: name, value: value)])
            default: return value
            }
        }
        var piece = self
        switch atom.content {
        case .member(let value):
            guard let new = change(value) else { return [] }
            piece.sub = new.canonicalBytes
            piece.atom = Atom(.member(new), atom.dot, epoch: atom.epoch)
        case .membership(let length, let value):
            guard let new = change(value) else { return [] }
            piece.sub = new.canonicalBytes
            piece.atom = Atom(.membership(length: length, new), atom.dot, epoch: atom.epoch)
        case .position:
            // The sub of a long element is a hash, so its value is not known. Then the order atom stays as it is.
            guard let value = try? JSONValue(parsing: sub) else { return [self] }
            guard let new = change(value) else { return [] }
            piece.sub = ArrayOrder.sub(new.canonicalBytes)
        default: break
        }
        return [piece]
    }
}

extension JSONValue {
    /// The value after a step, with the value as the document. A step that cannot be done changes nothing.
    fileprivate func taking(_ step: MigrationStep) -> JSONValue {
        switch self {
        case .object(let members) where !members.isEmpty: break
        case .array(let elements) where !elements.isEmpty: break
        default: return self
        }
        guard let document = try? JSONDocument(parsing: jsonBytes) else { return self }
        var run = StepRun(document, MigrationReport(from: nil, to: "", size: document.bytes.count))
        do throws(MigrationFault) {
            _ = try run.forward(step)
            return run.document.value(run.document.root)
        } catch {
            return self
        }
    }

    /// The parts of a value that is split; `nil` where the number of parts is not `count`, or a part is not of the
    /// wanted type.
    func parts(_ separator: JSONString?, count: Int, asNumbers: Bool) -> [JSONValue]? {
        var parts: [JSONValue] = []
        if let separator {
            guard case .string(let text) = self else { return nil }
            for part in text.bytes.split(separator: separator.bytes) {
                if !asNumbers {
                    parts.append(.string(JSONString(bytes: Array(part))))
                } else if let number = JSONNumber(text: String(decoding: part, as: UTF8.self)) {
                    parts.append(.number(number))
                } else {
                    return nil
                }
            }
        } else {
            guard case .array(let elements) = self else { return nil }
            parts = elements
        }
        return parts.count == count ? parts : nil
    }
}
