import MergeCore

/// Reads and writes roster statements on the wire.
enum RosterCoding {
    static func write(_ statements: [RosterStatement]) -> [WireStatement] {
        statements.map { statement in
            var wire = WireStatement()
            wire.household = statement.household.bytes.wire
            wire.subject = statement.subject.bytes.wire
            wire.name = statement.name
            wire.purpose = UInt32(statement.purpose.rawValue)
            wire.serial = statement.serial
            wire.issuer = statement.issuer.bytes.wire
            wire.signature = statement.signature.wire
            return wire
        }
    }

    /// Reads statements. Their signatures are checked later, by ``Roster/merging(_:)``.
    static func read(_ wires: [WireStatement]) throws(ProtocolFault) -> [RosterStatement] {
        guard wires.count <= Limits.statements else {
            throw ProtocolFault("a roster has \(wires.count) statements, more than \(Limits.statements)")
        }
        var statements: [RosterStatement] = []
        statements.reserveCapacity(wires.count)
        for wire in wires {
            guard let household = HouseholdID(bytes: wire.household), let subject = DeviceKey(wire.subject),
                let issuer = DeviceKey(wire.issuer), wire.signature.count == 64, wire.name.utf8.count <= Limits.name,
                let purpose = UInt8(exactly: wire.purpose).flatMap(RosterStatement.Purpose.init)
            else { throw ProtocolFault("a roster holds a statement that is none") }
            statements.append(
                RosterStatement(
                    household: household,
                    subject: subject,
                    name: wire.name,
                    purpose: purpose,
                    serial: wire.serial,
                    issuer: issuer,
                    signature: wire.signature.array
                )
            )
        }
        return statements
    }
}
