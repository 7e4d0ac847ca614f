/// Decoding a stored state: fills the tables of a new one.
extension ProfileState {
    /// Numbers the replicas in the order in which a stored state lists them; false if one occurs twice.
    mutating func adopt(replicas ids: [ReplicaID]) -> Bool {
        for id in ids { _ = number(of: id) }
        return replicas.count == ids.count
    }

    mutating func adopt(epochs ids: [EpochID]) -> Bool {
        for id in ids { _ = epochRegistry.number(id) }
        return epochRegistry.all.count == ids.count
    }

    /// Reads the records of a stored state; false if they are damaged.
    mutating func take(_ count: Int, _ columns: StateColumns.Reader, replicas: Int, epochs: Int) -> Bool {
        var columns = columns
        table.reserve(count)
        for number in 0..<count {
            guard
                let record = columns.next(kindOf: {
                    $0 < number && table[$0].place == AtomTable.none ? table[$0].kind : nil
                }),
                record.sequence == 0 || record.replica < replicas, record.epoch <= epochs,
                table.append(columns.key, record.kind, place: record.place)
            else { return false }
            if record.place == nil, DocumentPath(encoded: columns.key).namesVersion { namesVersions = true }
            if record.place == nil, record.kind == .latest { noteContainers(of: DocumentPath(encoded: columns.key)) }
            guard record.sequence > 0 else { continue }
            let form = AtomForm(record.kind, isPart: record.place != nil)
            if !AtomContent.isPlain(columns.content, form) {
                guard (try? AtomContent.check(columns.content, key: table.key(number, columns.key))) != nil else {
                    return false
                }
            }
            table.set(
                number, columns.content, sequence: record.sequence, replica: UInt32(record.replica),
                epoch: UInt32(record.epoch))
            note(record.sequence, number, UInt32(record.replica))
        }
        return columns.isAtEnd
    }

    mutating func finishDecoding(_ vector: VersionVector) {
        self.vector = vector
        if let epochs = table.place(.epochs, .epoch) {
            for number in Array(table.parts(of: epochs)) { keyedAtom(at: number).map { declare($0, nil) } }
        }
        var result = JoinResult(isKept: false)
        beginDeclared(&result)
        reloadRemovals()
        reloadRules()
        // Even when the rules name no version, or one that cannot be read, there may be atoms of a version.
        if upcasters.own == .none, namesVersions { rebuild(writtenAtoms) }
    }
}
