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

    /// The message of a link: the statements, and the household's secret where the reader may know it.
    static func write(_ statements: [RosterStatement], _ secret: HouseholdSecret?) -> WireRoster {
        var roster = WireRoster()
        roster.statements = write(Array(statements.prefix(Limits.statements)))
        if let secret { (roster.secret, roster.secretSerial) = (secret.bytes.wire, secret.serial) }
        return roster
    }

    /// Reads the household's secret; `nil` where the sender says none.
    static func secret(_ wire: WireRoster) throws(ProtocolFault) -> HouseholdSecret? {
        guard !wire.secret.isEmpty else { return nil }
        guard wire.secret.count == HouseholdSecret.size, wire.secretSerial <= Limits.serial else {
            throw ProtocolFault("the household's secret that it says is none")
        }
        return HouseholdSecret(wire.secret.array, serial: wire.secretSerial)
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
