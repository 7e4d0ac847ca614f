/// Roster statements as the record stores them: the wire's `Roster` message.
package enum RosterArchive {
    package static func bytes(_ statements: [RosterStatement]) -> [UInt8] {
        var roster = WireRoster()
        roster.statements = RosterCoding.write(statements)
        return roster.wireBytes
    }

    /// Reads stored statements. Throws one sentence where the bytes are no roster.
    package static func statements(_ bytes: [UInt8]) throws(ProtocolFault) -> [RosterStatement] {
        do {
            return try RosterCoding.read(WireRoster(wire: bytes).statements)
        } catch {
            throw ProtocolFault("the stored roster is unreadable")
        }
    }
}
