import LosslessJSON

/// Rules of another version that come into force.
extension ProfileState {
    /// The version to upcast from, for atoms of versions that the new rules do not list.
    ///
    /// For atoms of the version in force the document decides, because both are at the same version. For example, if
    /// the former rules named no version, the save shows which version it was.
    func formers(under new: RuleSet, _ document: JSONDocument?) -> [VersionLabel: UpcasterTable.Former] {
        let order = VersionOrder(new)
        let last = replicatedRules
        var formers: [VersionLabel: UpcasterTable.Former] = [:]
        for label in labels.union((last?.former ?? [:]).keys) {
            guard label != VersionLabel(new), order.index(of: label.name) == nil || label == .none else { continue }
            switch last?.former[label] {
            case .listed(let name)? where order.index(of: name) != nil: formers[label] = .listed(name)
            case .legacy? where new.legacy != nil: formers[label] = .legacy
            default:
                if let version = rules.version, VersionLabel(rules) != .none, order.index(of: version) != nil {
                    // The former rules did not know these versions either, so their atoms kept their places. They
                    // are at the former rules' version.
                    if VersionOrder(rules).index(of: label.name) == nil { formers[label] = .listed(version) }
                } else if let document, VersionLabel(new) != .none {
                    formers[label] = document.former(under: new)
                }
            }
        }
        return formers
    }

    mutating func raise(
        _ change: (AtomKey, AtomContent), _ document: JSONDocument?, _ context: WriteContext
    ) -> WriteResult {
        guard let document, atomCount > 0 else {
            return WriteResult(atoms: write([change], as: context.replica))
        }
        // The upcast document is compared with the state as it shows after the upcast.
        var afterwards = self
        _ = afterwards.write([change], as: context.replica)
        var batch = WriteBatch(state: afterwards, context: context)
        batch.agree(with: document)
        let (contents, unreadable, _) = batch.finish()
        return WriteResult(atoms: write([change] + contents, as: context.replica), unreadable: unreadable)
    }

    /// Writes values of the upcast document again for atoms that the writer of the rules had not seen and that the
    /// steps could not upcast.
    mutating func reissueWaiting(
        _ unseen: [KeyedAtom], after former: RuleSet, _ document: JSONDocument, _ context: WriteContext
    ) -> WriteResult {
        guard let document = document.upcasted(to: rules) else { return WriteResult() }
        let waiting = PlaceSet(unseen.filter { !canShow($0) }.flatMap { upcasters.shown($0.key).map(\.path) })
        let upcaster = upcasters.upcaster(from: VersionLabel(former))
        var batch = WriteBatch(state: self, context: context)
        for change in DocumentDiff(from: nil, to: document, rules: rules).writes {
            let wasLocal = upcaster.origins(of: change.path).contains { former.rule(for: $0).kind == nil }
            if wasLocal || waiting.isNear(change.path) { batch.adopt(change) }
        }
        let atoms = write(batch.contents, as: context.replica)
        return WriteResult(atoms: atoms, unreadable: batch.unreadable)
    }
}

extension JSONDocument {
    /// The document upcast to the version of rules; `nil` where it cannot be upcast.
    func upcasted(to rules: RuleSet) -> JSONDocument? {
        if SaveVersion.detect(self, rules) == .same { return self }
        return Migration.run(self, rules: rules).text.flatMap { try? JSONDocument(parsing: $0) }
    }

    /// The version from which rules upcast a document; `nil` where the document needs no upcast or cannot be upcast.
    fileprivate func former(under rules: RuleSet) -> UpcasterTable.Former? {
        switch SaveVersion.detect(self, rules) {
        case .older(let version): .listed(version)
        case .unversioned, .unknown: rules.legacy == nil ? nil : .legacy
        case .same, .newer: nil
        }
    }
}
